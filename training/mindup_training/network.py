"""The network bidding-1: it has the shape of the game.

Several models of each opponent score the cards that it may hold, by the points that these
would bring if all others played any card of theirs: so each model predicts its card. The
network remembers how likely each model is, by Bayes' rule from the cards that were played.
Predictions learn from these cards alone. They give the exact probability that a card of the
hand takes each prize, by which it is scored.
"""

from functools import reduce

import torch
from torch import Tensor, nn
from torch.nn.functional import leaky_relu, linear, pad

from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_training.head import MASKED, Head
from mindup_training.probabilities import LEAST, lower_chances, place_chances, play_chances
from mindup_training.seen import PLAY_FACTS, PRINTED, PRIZE_FACTS, Reader, Seen

GAINS = {"logit": 0.01, "bid_score": 0.5, "bid_points": 0.1, "points": 0.0, "value": 1.0}
"""Of the first weights: at first all cards are about equally likely, but models differ."""
PLAYER = 32  # width of the layers for a player
BID = 16  # of those for a card that an opponent may play
SHARPNESS = 50.0
"""By which sums of facts are multiplied: a tenth of a point can decide between two cards."""
LEAK = 0.05  # the slope of all layers below 0; with 0, many units stopped learning
PRIOR_SHARE = 0.02
"""Of equal probabilities, mixed in each turn: a model may fit one part of a game."""
LEAST_PROBABILITY = 1e-4
"""Added to the probability of a card that was played: one card rules out no model."""


class BiddingNetwork(Head):
    """Predicts the cards of the opponents, and scores the cards of the hand by the prizes.

    A network of your own needs ``forward`` as here with any number of tensors as its state,
    ``state_shapes``, which is empty without a state, and, if it learns from the opponents'
    cards, ``auxiliary_loss``. A subclass may replace the layers ``player_2``, ``card``,
    ``hidden``, ``logit``, ``critic`` and ``value`` by modules that map the same number of
    inputs (..., n) to the same number of outputs.

    Args:
        config: the game.
        models: the number of models of an opponent.
        widths: of the layers for the table, each card of the hand, and the value.

    Attributes:
        state_shapes: of its memory for each row, which begins with zeros: how likely each model
            of each opponent is, and the probability that each model gave each card.
    """

    leak = LEAK

    def __init__(
        self, config: GameConfig, models: int = 3, widths: tuple[int, int, int] = (128, 64, 64)
    ) -> None:
        super().__init__()
        layout = layout_of(config)
        at = layout.offsets
        self.config = config
        self.at = at
        self.models = models
        players = config.num_players
        opponents = players - 1
        self.state_shapes = (opponents, models), (opponents, models, config.num_cards)
        self.reader = Reader(config)
        table, card, value = widths
        middle = at.players - at.score_cards
        self.player = nn.Linear(2 * at.block + middle + models, 2 * PLAYER)
        self.player_2 = nn.Linear(2 * PLAYER, PLAYER)
        facts = PRIZE_FACTS + PLAY_FACTS
        self.bid = nn.Linear(facts, BID)
        self.bid_card = nn.Linear(PRINTED, BID, bias=False)
        self.bid_player = nn.Linear(PLAYER, BID, bias=False)
        self.bid_2 = nn.Linear(BID, BID)
        self.bid_score = nn.Linear(BID, models, bias=False)
        self.bid_points = nn.Linear(facts, models, bias=False)
        self.table = nn.Linear(layout.size + opponents * models + players * PLAYER, table)
        self.points = nn.Linear(facts, 1, bias=False)
        self.add_head(table, facts + players + PRINTED, card, value)
        self.set_first_weights(GAINS)

    def forward(
        self, observation: Tensor, action_mask: Tensor, models: Tensor, predicted: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The answers for B decisions.

        Args:
            observation: (B, D) int8.
            action_mask: (B, C) the cards that can be played.
            models: (B, P - 1, models) of the last turn, or zeros.
            predicted: (B, P - 1, models, C) of the last turn, or zeros.

        Returns:
            Logits (B, C), expected returns (B,), and the state for the next turn.
        """
        seen = self.reader(observation)
        models = self._remember(seen, models, predicted)
        players = self._players(seen, models)
        predicted = self._predict(seen, players)
        # No gradient of the policy reaches the predictions.
        plays = (predicted.detach() * models.unsqueeze(3)).sum(2)
        table = self._table(seen, models, players)
        logits, values = self._answer(seen, table, plays, action_mask)
        return logits, values, models, predicted

    def auxiliary_loss(self, models: Tensor, predicted: Tensor, played: Tensor) -> Tensor:
        """The cross entropy of the cards (B, P - 1) that the opponents then played."""
        plays = (predicted * models.unsqueeze(3)).sum(2)
        chances = plays.gather(2, played.unsqueeze(2))
        return -torch.log(chances + LEAST).mean()

    @torch.no_grad()
    def _remember(self, seen: Seen, models: Tensor, predicted: Tensor) -> Tensor:
        """How likely each model of each opponent is after the cards of the last turn."""
        opponents = torch.arange(2, self.config.num_players + 1, device=seen.prizes.device)
        is_own = seen.played_by.unsqueeze(1) == opponents.unsqueeze(1)  # (B, P - 1, P places)
        played = (seen.prizes.unsqueeze(1) * is_own).sum(2)
        index = played[..., None, None].expand(*predicted.shape[:3], 1)
        chances = predicted.gather(3, index).squeeze(3)
        likely = models * (chances + LEAST_PROBABILITY)
        total = likely.sum(2, keepdim=True)
        likely = (1 - PRIOR_SHARE) * likely / total.clamp(min=LEAST**2) + PRIOR_SHARE / self.models
        # No player has played the first prizes of a game, and a state of zeros is empty.
        is_known = is_own.any(2, keepdim=True) & (total > 0)
        return torch.where(is_known, likely, 1 / self.models)

    def _players(self, seen: Seen, models: Tensor) -> Tensor:
        """A summary of each player (B, P, PLAYER)."""
        at = self.at
        blocks = seen.blocks
        middle = seen.table[:, at.score_cards : at.players]
        # The inputs are the block, the sum of the others, the middle, and the models. The
        # others are all blocks without the own: most of the product is the same for all.
        own, others, of_middle, of_models = _parts(
            self.player.weight, at.block, at.block, middle.shape[1]
        )
        total = reduce(torch.add, blocks.unbind(1))  # faster than sum
        shared = linear(total, others) + linear(middle, of_middle, self.player.bias)
        hidden = linear(blocks, own - others) + shared.unsqueeze(1)
        hidden = hidden + linear(pad(models, (0, 0, 1, 0)), of_models)  # none of the viewer
        return self.bend(self.player_2(self.bend(hidden)))

    def _predict(self, seen: Seen, players: Tensor) -> Tensor:
        """The chances of each opponent's cards, by each model (B, P - 1, models, C)."""
        unseen = (seen.hidden - seen.hand).clamp(min=0).unsqueeze(1)  # (B, 1, C)
        known = seen.known[:, 1:]
        unknown = seen.unknown[:, 1:].unsqueeze(2)
        drawn = unseen * (unknown > 0)  # (B, P - 1, C)
        scores = self._bid_scores(seen, players, known + drawn > 0)
        return play_chances(scores, known, drawn, unknown).movedim(0, 2)

    def _bid_scores(self, seen: Seen, players: Tensor, possible: Tensor) -> Tensor:
        """Scores of the possible cards of opponents (models, B, P - 1, C); of others -inf."""
        # Less than half of the cards are possible.
        at = possible.flatten().nonzero().squeeze(1)
        of_card = at % possible.shape[2]
        of_opponent = at // possible.shape[2]
        prizes = seen.uniform.mT @ seen.prize_facts[:, 1:]
        facts = torch.cat([prizes, seen.play_facts[:, 1:]], 3).flatten(0, 2).index_select(0, at)
        card = self.bid_card(self.reader.printed).index_select(0, of_card)
        player = self.bid_player(players[:, 1:]).flatten(0, 1).index_select(0, of_opponent)
        hidden = leaky_relu(self.bid(facts) + card + player, LEAK, inplace=True)
        hidden = leaky_relu(self.bid_2(hidden), LEAK, inplace=True)
        found = self.bid_score(hidden) + SHARPNESS * self.bid_points(facts)
        scores = torch.full((self.models, possible.numel()), -torch.inf, device=at.device)
        return scores.index_copy(1, at, found.T).view(-1, *possible.shape)

    def _table(self, seen: Seen, models: Tensor, players: Tensor) -> Tensor:
        """A summary of the whole table (B, width)."""
        shown = torch.cat([seen.table, models.flatten(1)], 1)
        # Its product is apart: what a row shows needs no gradient.
        of_shown, of_players = _parts(self.table.weight, shown.shape[1])
        table = linear(shown, of_shown, self.table.bias)
        return self.bend(table + linear(players.flatten(1), of_players))

    def _answer(
        self, seen: Seen, table: Tensor, plays: Tensor, action_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The logits (B, C) and expected returns (B,), by the plays (B, P - 1, C)."""
        mask = action_mask.long()
        batch, num_cards = mask.shape
        slots = self.config.largest_hand
        slot = mask.cumsum(1) * mask  # of each card, from 1
        of_cards = torch.arange(num_cards, device=mask.device).expand_as(mask)
        cards = mask.new_zeros(batch, slots + 1).scatter(1, slot, of_cards)[:, 1:]
        held = torch.arange(slots, device=mask.device) < mask.sum(1, keepdim=True)
        at_cards = cards.unsqueeze(1).expand(-1, plays.shape[1], -1)
        lower = lower_chances(plays).gather(2, at_cards)
        places = place_chances(lower.unbind(1)).mT
        at_facts = cards.unsqueeze(2).expand(-1, -1, PLAY_FACTS)
        played = seen.play_facts[:, 0].gather(1, at_facts)
        facts = torch.cat([places @ seen.prize_facts[:, 0], played], 2)
        card = self.card(torch.cat([facts, places, self.reader.printed[cards]], 2))
        scores, values = self.score(table, card, held)
        scores = scores + SHARPNESS * self.points(facts).squeeze(2)
        # The slots from 1 on; a card that cannot be played is in slot 0.
        logits = pad(scores, (1, 0)).gather(1, slot)
        return logits.masked_fill(mask == 0, MASKED), values


def _parts(weight: Tensor, *sizes: int) -> tuple[Tensor, ...]:
    """The columns of a weight (outputs, inputs) for so many inputs, and for the rest."""
    rest = weight.shape[1] - sum(sizes)
    return torch.split(weight, [*sizes, rest], 1)
