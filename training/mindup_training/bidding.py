"""The network ``bidding-1`` in PyTorch: it has the shape of the game.

For each opponent it scores the cards that this opponent may hold, by what they would take if all
others played any card of theirs; a hidden card counts as far as the opponent is likely to hold it.
It does so by one model of an opponent, or by several where the features ``memory-1`` say how likely
each of them is. These predictions learn from the cards that were played, and from nothing else.
They give the exact probability that a card of the hand takes each prize, by which it is scored.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import hardtanh, leaky_relu, linear, one_hot, pad

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths
from mindup_agents.policy.bidding import bidding_shapes
from mindup_agents.policy.bidding.facts import (
    LEAK,
    LEAST,
    MOST_LOG_WEIGHT,
    PRIZE,
    BiddingFacts,
)
from mindup_env.cards import NUM_COLOURS
from mindup_training.bidding_rows import Seen, read_rows
from mindup_training.network import NetworkOutput

_SMALL = {"logit": 0.01, "bid_score": 0.5, "value": 1.0}
"""Gains of first weights: at first, all cards that can be played are about equally likely, but
models of the opponents differ."""
_LEAST_LOG_WEIGHT = -80.0
"""Of a card beside the best one: its weight is not so small that processors are slow with it."""
_PART = 128
"""So many rows fit into the cache of a processor with all that is computed of their cards."""


class BiddingNetwork(nn.Module):
    """Predicts the cards of the opponents, and scores the cards of the hand by what they take."""

    targets = ("opponent_cards",)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> nn.Linear: ...  # each layer of ``bidding_shapes``

    def __init__(self, facts: BiddingFacts, shape: FeatureShape, widths: Widths) -> None:
        super().__init__()
        self.facts, self.shape = facts, shape
        card_facts = torch.from_numpy(facts.card_facts)
        colours = torch.from_numpy(facts.card_colours)
        numbers = card_facts[:, :-NUM_COLOURS]
        is_colour = one_hot(colours, NUM_COLOURS)
        constant = [is_colour, numbers, torch.ones(facts.num_cards, 1)]
        opponents = torch.arange(1, facts.places)
        others = opponents[:, None] - (opponents[:, None] <= opponents).long()
        self.card_facts = nn.Buffer(card_facts, persistent=False)
        self.card_colours = nn.Buffer(colours, persistent=False)
        self.card_bonus = nn.Buffer(torch.from_numpy(facts.card_bonus), persistent=False)
        self.card_is_colour = nn.Buffer(is_colour.T.float(), persistent=False)
        self.constant = nn.Buffer(torch.cat(constant, 1).T.contiguous(), persistent=False)
        self.others = nn.Buffer(others.flatten(), persistent=False)
        shapes = bidding_shapes(facts, widths)
        for name, size in shapes.items():
            layer, kind = name.split(".")
            if kind == "weight":
                linear = nn.Linear(size[1], size[0], bias=f"{layer}.bias" in shapes)
                nn.init.orthogonal_(linear.weight, gain=_SMALL.get(layer, 2**0.5))
                if linear.bias is not None:
                    nn.init.zeros_(linear.bias)
                self.add_module(layer, linear)

    def forward(self, rows: Tensor) -> NetworkOutput:
        seen, hand = (
            read_rows(self.facts, rows, self.card_is_colour, self.card_bonus),
            rows[:, self.shape.hand_begins :].long(),
        )
        held, cards = hand >= 0, hand.clamp(min=0)
        players = self._players(seen)
        prizes = self._prizes(seen, players)
        of_models = self._predict(seen, players, prizes)
        plays = of_models[:, :, 0]
        if self.facts.remembered:
            plays = (of_models * seen.models.unsqueeze(3)).sum(2)
        # Predictions learn from what was played alone, so no gradient of the policy reaches them.
        at_cards = cards.unsqueeze(1).expand(-1, plays.shape[1], -1)
        places = place_probabilities(_lower(plays.detach()).gather(2, at_cards))
        # Products with what a row shows are apart, since they need no gradient of it.
        of_table, of_players = _parts(self.table.weight, self.facts.size)
        table = linear(seen.table, of_table, self.table.bias)
        table = _leaky(table + linear(players.flatten(1), of_players))
        features = [
            self.card_facts[cards],
            _at(seen.colours[:, 0], self.card_colours[cards]),
            _at(seen.of_hands[:, 0].mT, cards),
        ]
        taken, of_places, of_facts = _parts(self.card.weight, PRIZE, self.facts.places)
        taken = linear(self.own_prize(prizes[:, 0]), taken) + of_places.T
        card = linear(torch.cat(features, 2), of_facts, self.card.bias) + places @ taken
        card = _leaky(card + self.context(table).unsqueeze(1))
        card = _leaky(self.hidden(card))
        count = held.sum(1, keepdim=True).clamp(min=1)  # the mean of no cards is 0
        mean = ((held / count).unsqueeze(1) @ card).squeeze(1)
        values = self.value(_leaky(self.critic(torch.cat([table, mean], 1))))
        logits = self.logit(card).squeeze(2) * held
        remembered = of_models.detach() if self.facts.remembered else None
        return NetworkOutput(logits, hand, values.squeeze(1), plays, remembered)

    def auxiliary_loss(self, output: NetworkOutput, targets: Mapping[str, Tensor]) -> Tensor:
        """The cross entropy of the cards that the opponents played."""
        played, plays = targets["opponent_cards"], cast("Tensor", output.auxiliary)
        chances = plays.gather(2, played.clamp(min=0).unsqueeze(2)).squeeze(2)
        at_table = played >= 0
        return -(torch.log(chances + LEAST) * at_table).sum() / at_table.sum().clamp(min=1)

    def _players(self, seen: Seen) -> Tensor:
        """What is read of each player (B, P, PLAYER)."""
        at, blocks = self.facts, seen.blocks
        middle = seen.table[:, at.score_cards : at.middle_end]
        # The inputs are the block, the sum of the others, the middle, and the models. The others
        # are all blocks without the own, so most of the product is the same for all players.
        own, others, of_middle, of_models = _parts(
            self.player.weight, at.block, at.block, at.middle
        )
        shared = linear(blocks.sum(1), others) + linear(middle, of_middle, self.player.bias)
        hidden = linear(blocks, own - others) + shared.unsqueeze(1)
        if at.remembered:
            models = pad(seen.models, (0, 0, 1, 0))  # none of the viewer
            hidden = hidden + linear(models, of_models)
        return _leaky(self.player_2(_leaky(hidden)))

    def _prizes(self, seen: Seen, players: Tensor) -> Tensor:
        """What each prize is to each player (B, P, P prizes, HIDDEN)."""
        batch, places = seen.prizes.shape
        prizes = seen.prizes.unsqueeze(1).expand(batch, places, places)
        worth = _at(seen.colours, self.card_colours[prizes])
        facts = torch.cat([self.card_facts[prizes], worth], 3)
        return _leaky(self.prize(facts) + self.prize_player(players).unsqueeze(2))

    def _predict(self, seen: Seen, players: Tensor, prizes: Tensor) -> Tensor:
        """The probability of each card of each opponent, by each model (B, P - 1, models, C)."""
        unseen = (seen.hidden - seen.hand).clamp(min=0).unsqueeze(1)  # (B, 1, C)
        number = unseen.sum(2, keepdim=True).clamp(min=1)
        known, unknown = seen.known[:, 1:], seen.unknown[:, 1:].unsqueeze(2)
        drawn = unseen * (unknown > 0)  # (B, P - 1, C)
        # From here on, the models come first: (models, B, P - 1, C).
        scores = self._bid_scores(seen, players, prizes, known + drawn > 0).movedim(3, 0)
        # A known card weighs 1, so that hands weigh enough however unlikely hidden cards make them.
        least = torch.finfo(scores.dtype).min
        of_all = scores.detach().amax(3, keepdim=True).clamp(min=least)
        of_known = (scores.detach() + (known - 1) * -least).amax(3, keepdim=True)
        unit = torch.where(known.amax(2, keepdim=True) > 0, of_known, of_all)
        # This is clamp with a faster gradient.
        weights = hardtanh(scores - unit, _LEAST_LOG_WEIGHT, MOST_LOG_WEIGHT).exp()
        # A hand has its known cards and some of the unseen ones, equally likely. A card of weight w
        # is played with probability w / (w + r), where r is what the rest of the hand weighs: of
        # one hidden card exactly, of more with the mean for all but one.
        of_rest = known + drawn * ((unknown - 1).clamp(min=0) / number)
        rest = (weights * of_rest).sum(3, keepdim=True) + LEAST
        of_drawn = (weights + rest).reciprocal() * (drawn * (unknown / number))
        of_hands = of_drawn.sum(3, keepdim=True) / unknown.clamp(min=1)
        of_hands = torch.where(unknown > 0, of_hands, 1 / rest)
        chances = weights * torch.addcmul(of_drawn, known, of_hands)
        chances = chances * (chances.sum(3, keepdim=True) + LEAST).reciprocal()
        return chances.movedim(0, 2)

    def _bid_scores(self, seen: Seen, players: Tensor, prizes: Tensor, possible: Tensor) -> Tensor:
        """Scores of each card that an opponent may play (B, P - 1, C, models); of others -inf."""
        # This is most of the work: it is done in parts that fit into the cache of a processor.
        read = seen.colours[:, 1:], seen.of_hands[:, 1:], self._uniform_places(seen)
        split = (
            torch.split(each, _PART) for each in (*read, players[:, 1:], prizes[:, 1:], possible)
        )
        scores = [self._scores_of(*part) for part in zip(*split, strict=True)]
        return torch.cat(scores, 1).movedim(0, 3)

    def _scores_of(
        self,
        colours: Tensor,
        of_hands: Tensor,
        uniform: Tensor,
        players: Tensor,
        prizes: Tensor,
        possible: Tensor,
    ) -> Tensor:
        """The scores (models, B, P - 1, C) of some rows; all tensors are of the opponents."""
        # The first layer of all cards of an opponent is one product of their facts with what these
        # mean to the opponent; the facts need no gradient.
        pairs = possible.shape[:2]
        facts = torch.cat([uniform, of_hands, self.constant.expand(*pairs, -1, -1)], 2)
        card = self.bid_card.weight.T.contiguous()
        hand = self.bid_hand.weight.T.contiguous()
        parts = [
            self.bid_prize(prizes),
            hand.expand(*pairs, -1, -1),
            self.bid_colour(colours) + card[-NUM_COLOURS:],
            card[:-NUM_COLOURS].expand(*pairs, -1, -1),
            self.bid_player(players).unsqueeze(2),
        ]
        meaning = torch.cat(parts, 2)
        hidden = torch.bmm(facts.flatten(0, 1).mT, meaning.flatten(0, 1)).flatten(0, 1)
        # Less than half of the cards are possible.
        at = possible.flatten().nonzero().squeeze(1)
        hidden = leaky_relu(hidden.index_select(0, at), LEAK, inplace=True)
        hidden = leaky_relu(self.bid_2(hidden), LEAK, inplace=True)
        scores = hidden.new_full((self.facts.models, possible.numel()), -torch.inf)
        scores = scores.index_copy(1, at, self.bid_score.weight @ hidden.T)
        return scores.view(-1, *possible.shape)

    @torch.no_grad()
    def _uniform_places(self, seen: Seen) -> Tensor:
        """The probabilities of the prizes for each card of each opponent (B, P - 1, P, C).

        They hold if all others played each card of their hands equally often, by what is public.
        """
        hidden, unknown = seen.hidden.unsqueeze(1), seen.unknown.unsqueeze(2)
        chances = seen.known + unknown / hidden.sum(2, keepdim=True).clamp(min=1) * hidden
        hand = (seen.known.sum(2, keepdim=True) + unknown).clamp(min=1)
        lower = _lower(chances / hand).index_select(1, self.others)
        lower = lower.view(len(lower), len(unknown[0]) - 1, -1, lower.shape[2])
        return place_probabilities(lower)


def place_probabilities(lower: Tensor) -> Tensor:
    """The probabilities of the places of cards, from those that each opponent's card is lower.

    The opponents are the second axis of ``lower``; the places are the third of the result.
    """
    none = torch.zeros_like(lower[:, 0])
    places = [torch.ones_like(none)]
    for chance in lower.unbind(1):
        above, below = [*places, none], [none, *places]
        places = [torch.lerp(*each, chance) for each in zip(above, below, strict=True)]
    return torch.stack(places, 2)


def _lower(plays: Tensor) -> Tensor:
    """The probability (..., C) that a card is lower than each, from that of each card."""
    return plays.cumsum(-1) - plays


def _at(facts: Tensor, index: Tensor) -> Tensor:
    """The facts (..., n, facts) of the colours or cards at ``index`` (..., m)."""
    return facts.gather(-2, index.unsqueeze(-1).expand(*index.shape, facts.shape[-1]))


def _parts(weight: Tensor, *sizes: int) -> tuple[Tensor, ...]:
    """The columns of a weight (outputs, inputs) for inputs of these sizes, and for the rest."""
    return torch.split(weight, [*sizes, weight.shape[1] - sum(sizes)], 1)


def _leaky(values: Tensor) -> Tensor:
    return leaky_relu(values, LEAK)
