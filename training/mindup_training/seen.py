"""Reads observations into the network's inputs for each player, card and colour."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_training.probabilities import lower_chances, place_chances

CARD_FACTS = 3 + NUM_COLOURS
"""Number, strength (the distance of the number from the middle, 0 to 1), bonus, and colour."""
COLOUR_FACTS = 4
"""A colour to a player: the score card of its column or of the next empty one, whether it
opens a column, both multiplied, and the mean score card that it has for the others."""
HAND_FACTS = 3
"""A card to a player: whether it is known to be in the hand, by how many points it is better
to keep to the end than the best other card, and the points of that one. Of the hands of others,
only known cards count."""
POINTS = 5.0  # points are divided by it
LEAST_POINTS = -2.0  # of the last card, if nothing is known of a hand


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
    colours: Tensor  # (B, P, colours, COLOUR_FACTS) the worth of each colour
    of_hands: Tensor  # (B, P, HAND_FACTS, C) each card beside the others of each hand
    uniform: Tensor  # (B, P - 1, P places, C) of each opponent's cards, if all play any card


class Reader(nn.Module):
    """Reads observations, with the facts that are printed on the cards."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        layout = layout_of(config)
        self.at = layout.offsets
        self.players = config.num_players
        cards = config.num_cards
        numbers = torch.arange(1, cards + 1)
        strength = (2 * (numbers - 1) / (cards - 1) - 1).abs()  # as the bots have it
        colours = torch.tensor([COLOURS.index(card.colour) for card in config.deck])
        bonus = torch.tensor([float(card.points) for card in config.deck])
        facts = torch.stack([numbers / cards, strength, bonus / 2], 1)
        is_colour = one_hot(colours, NUM_COLOURS).float()
        facts = torch.cat([facts, is_colour], 1)
        # They follow from the game, so no checkpoint has them.
        self.scales = nn.Buffer(torch.from_numpy(layout.scales), persistent=False)
        self.card_colours = nn.Buffer(colours, persistent=False)
        self.card_bonus = nn.Buffer(bonus, persistent=False)
        self.is_colour = nn.Buffer(is_colour.T.contiguous(), persistent=False)  # (colours, C)
        self.card_facts = nn.Buffer(facts, persistent=False)

    @torch.no_grad()
    def forward(self, observation: Tensor) -> Seen:
        at = self.at
        players = self.players
        cards = len(self.card_bonus)
        batch = len(observation)
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
        columns = blocks[..., at.columns : at.columns + NUM_COLOURS].long()
        is_open = columns > 0
        used = is_open.sum(2, keepdim=True)
        column = torch.where(is_open, columns - 1, used).clamp(max=NUM_COLOURS - 1)
        scores = rows[:, at.score_cards : at.score_cards + NUM_COLOURS].unsqueeze(1)
        scores = scores.expand(batch, players, NUM_COLOURS).gather(2, column)
        others = (scores.sum(1, keepdim=True) - scores) / (players - 1)
        opens = (~is_open).float()
        colours = [scores / POINTS, opens, opens * scores / POINTS, others / POINTS]
        hand = rows[:, at.hand : at.hand + cards]
        worth = scores @ self.is_colour + self.card_bonus
        return Seen(
            table,
            table[:, at.players :].view(batch, players, at.block),
            hand,
            known,
            unknown,
            hidden,
            prizes,
            observation[:, at.row_players : at.row_players + players],
            torch.stack(colours, 3),
            _hand_facts(hand, known, worth),
            self._uniform(known, unknown, hidden),
        )

    def _uniform(self, known: Tensor, unknown: Tensor, hidden: Tensor) -> Tensor:
        """The probability of each prize if all others play any card of theirs."""
        share = unknown / hidden.sum(1, keepdim=True).clamp(min=1)
        chances = known + share.unsqueeze(2) * hidden.unsqueeze(1)
        hand = (known.sum(2) + unknown).clamp(min=1).unsqueeze(2)
        lower = lower_chances(chances / hand).unbind(1)
        opponents = range(1, self.players)
        others = [lower[:opponent] + lower[opponent + 1 :] for opponent in opponents]
        return torch.stack([place_chances(each) for each in others], 1)


def _hand_facts(hand: Tensor, known: Tensor, worth: Tensor) -> Tensor:
    """HAND_FACTS (B, P, HAND_FACTS, C) of cards, which are ``worth`` points to each player."""
    held = torch.cat([hand.unsqueeze(1), known[:, 1:]], 1)
    # Points count from the least here: a product with 0 leaves out a card.
    worth = worth - LEAST_POINTS
    kept = worth * held
    best = kept.amax(2, keepdim=True)
    is_best = held * (worth >= best)
    second = (kept - kept * is_best).amax(2, keepdim=True)
    second = torch.where(is_best.sum(2, keepdim=True) > 1, best, second)
    other = best - is_best * (best - second)
    by_how_many = (worth - other).clamp(min=0)
    return torch.stack([known, by_how_many / POINTS, (other + LEAST_POINTS) / POINTS], 2)
