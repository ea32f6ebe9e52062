"""Reads observations into the network's inputs: points that cards bring, as the rules have them."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_training.probabilities import lower_chances, place_chances

PRINTED = 3 + NUM_COLOURS
"""Facts of a card: number, strength (the distance of the number from the middle, 0 to 1), bonus,
and colour."""
PRIZE_FACTS = 3
"""A prize to a player: its points, its strength if it is held in the next round, and by how many
points its column is better to open than another, for each turn that is left."""
PLAY_FACTS = 6
"""Playing a card, to a player: its points in the next row to the player, to the others on average,
and its strength, all 0 in the last turn of a round; its strength if it is held in the next round;
what the best card that stays is worth in the end; and by how much less than the card itself. Of
the hands of others, only known cards stay."""
POINTS = 5.0  # points are divided by it
STRENGTH = 0.8  # points that the strength of a card in the next hand is worth, about


class Seen(NamedTuple):
    """B observations in a game of P players and C cards; the viewer is the first player."""

    table: Tensor  # (B, D) the observation, scaled
    blocks: Tensor  # (B, P, block) of it, everything public about each player
    hand: Tensor  # (B, C) 1 for each card in the viewer's hand
    known: Tensor  # (B, P, C) 1 for each public card in a hand
    unknown: Tensor  # (B, P) the number of other cards in it
    hidden: Tensor  # (B, C) 1 for each card whose place is not public
    prizes: Tensor  # (B, P) the card at each place of the row
    played_by: Tensor  # (B, P) who played it, from 1; 0: the deck
    prize_facts: Tensor  # (B, P, P places, PRIZE_FACTS)
    play_facts: Tensor  # (B, P, C, PLAY_FACTS)
    uniform: Tensor  # (B, P - 1, P places, C) of each opponent's cards, if all play any card


class Reader(nn.Module):
    """Reads observations, with the facts that are printed on the cards."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        layout = layout_of(config)
        self.at = layout.offsets
        self.config = config
        cards = config.num_cards
        numbers = torch.arange(1, cards + 1)
        strength = (2 * (numbers - 1) / (cards - 1) - 1).abs()  # as the bots have it
        colours = torch.tensor([COLOURS.index(card.colour) for card in config.deck])
        bonus = torch.tensor([float(card.points) for card in config.deck])
        printed = torch.stack([numbers / cards, strength, bonus / 2], 1)
        is_colour = one_hot(colours, NUM_COLOURS).float()
        # They follow from the game, so no checkpoint has them.
        self.scales = nn.Buffer(torch.from_numpy(layout.scales), persistent=False)
        self.strength = nn.Buffer(strength, persistent=False)
        self.bonus = nn.Buffer(bonus, persistent=False)
        self.is_colour = nn.Buffer(is_colour.T.contiguous(), persistent=False)  # (colours, C)
        self.printed = nn.Buffer(torch.cat([printed, is_colour], 1), persistent=False)

    @torch.no_grad()
    def forward(self, observation: Tensor) -> Seen:
        at = self.at
        players = self.config.num_players
        cards = self.config.num_cards
        batch = observation.shape[0]  # of len() the exporter makes a constant
        rows = observation.float()
        table = rows * self.scales
        blocks = rows[:, at.players :].reshape(batch, players, at.block)
        row = observation[:, at.row : at.row + cards].long()
        of_cards = torch.arange(cards, device=rows.device).expand(batch, cards)
        prizes = row.new_zeros(batch, players + 1).scatter(1, row, of_cards)[:, 1:]
        tableaux = blocks[..., at.tableaux : at.tableaux + cards]
        known = blocks[..., at.known : at.known + cards]
        unknown = blocks[..., at.unknown]
        hidden = 1 - (tableaux + known).sum(1) - (row > 0).float()
        hand = rows[:, at.hand : at.hand + cards]
        prize_facts, play_facts = self._facts(rows, blocks, hand, known, prizes)
        return Seen(
            table,
            table[:, at.players :].view(batch, players, at.block),
            hand,
            known,
            unknown,
            hidden,
            prizes,
            observation[:, at.row_players : at.row_players + players],
            prize_facts,
            play_facts,
            self._uniform(known, unknown, hidden),
        )

    def _facts(
        self, rows: Tensor, blocks: Tensor, hand: Tensor, known: Tensor, prizes: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The facts of the prizes, and those of playing each card."""
        at = self.at
        players = self.config.num_players
        columns = blocks[..., at.columns : at.columns + NUM_COLOURS].long()
        is_open = columns > 0
        used = is_open.sum(2, keepdim=True)
        column = torch.where(is_open, columns - 1, used).clamp(max=NUM_COLOURS - 1)
        score_cards = rows[:, at.score_cards : at.score_cards + NUM_COLOURS].unsqueeze(1)
        score_cards = score_cards.expand(-1, players, -1)
        scores = score_cards.gather(2, column)  # (B, P, colours)
        # (B, P, C) the points of each card in the tableau of each player.
        points = scores @ self.is_colour + self.bonus
        turns_left = (hand.sum(1) - 2).clamp(min=0)[:, None, None]
        goes_on = (turns_left > 0).float()
        is_kept = rows[:, at.round, None, None] < self.config.num_rounds
        next_strength = (self.strength * is_kept).expand_as(points)
        is_free = torch.arange(NUM_COLOURS, device=rows.device) >= used
        free = is_free.sum(2, keepdim=True).clamp(min=1)
        mean = (score_cards * is_free).sum(2, keepdim=True) / free
        opening = (scores - mean) * ~is_open * turns_left
        of_prizes = prizes.unsqueeze(1).expand(-1, players, -1)
        prize_facts = [
            points.gather(2, of_prizes) / POINTS,
            next_strength.gather(2, of_prizes),
            (opening @ self.is_colour).gather(2, of_prizes) / POINTS**2,
        ]
        others = (points.sum(1, keepdim=True) - points) / (players - 1)
        held = torch.cat([hand.unsqueeze(1), known[:, 1:]], 1)
        worth = points + STRENGTH * next_strength
        stays = _best_other(worth, held)
        play_facts = [
            points * goes_on / POINTS,
            others * goes_on / POINTS,
            self.strength * goes_on.expand_as(points),
            next_strength,
            stays / POINTS,
            (worth - stays).clamp(min=0) / POINTS,
        ]
        return torch.stack(prize_facts, 3), torch.stack(play_facts, 3)

    def _uniform(self, known: Tensor, unknown: Tensor, hidden: Tensor) -> Tensor:
        """The probability of each prize if all others play any card of theirs."""
        share = unknown / hidden.sum(1, keepdim=True).clamp(min=1)
        chances = known + share.unsqueeze(2) * hidden.unsqueeze(1)
        hand = (known.sum(2) + unknown).clamp(min=1).unsqueeze(2)
        lower = lower_chances(chances / hand).unbind(1)
        opponents = range(1, self.config.num_players)
        others = [lower[:opponent] + lower[opponent + 1 :] for opponent in opponents]
        return torch.stack([place_chances(each) for each in others], 1)


def _best_other(worth: Tensor, held: Tensor) -> Tensor:
    """The worth of the best held card (B, P, C) other than each; the least one without any."""
    least = worth.amin(2, keepdim=True)
    kept = torch.where(held > 0, worth, least)
    first, second = torch.split(kept.topk(2, 2).values, 1, 2)
    return torch.where((held > 0) & (worth >= first), second, first)
