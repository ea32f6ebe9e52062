"""The observation as it is, and a few plain facts about each card of the hand."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import NO_CARD, Shape
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import NUM_COLUMNS, Int8Array, Rules, make_rules
from mindup_env.observation import layout_of
from mindup_env.observation.layout import Offsets

Floats = npt.NDArray[np.float32]

# What is written about a card. Numbers and points are scaled to about 1.
NUMBER, COLOUR = 0, 1
POINTS, WORTH, KNOWN, LOWER = range(COLOUR + NUM_COLOURS, COLOUR + NUM_COLOURS + 4)
CARD_SIZE = LOWER + 1

_MOST_POINTS = 2.0
_MOST_WORTH = max(SCORE_CARDS) + _MOST_POINTS


class PlainFeatures:
    """The observation, and the number, colour and bonus of each card of the hand."""

    name = "plain-1"

    def __init__(self, config: GameConfig) -> None:
        layout = layout_of(config)
        self.shape = Shape(layout.size, CARD_SIZE, config.largest_hand)
        self._rules = tuple(make_rules(config))
        self._offsets = tuple(layout.offsets)
        largest = np.maximum(np.abs(layout.low.astype(np.float32)), layout.high)
        self._scales = (1 / np.maximum(largest, 1)).astype(np.float32)

    def fill(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: npt.NDArray[np.bool_],  # noqa: ARG002  # there is no memory to clear
        random_bits: npt.NDArray[np.uint64],  # noqa: ARG002  # nor any chance
        out: Floats,
    ) -> None:
        fill_plainly(self._rules, self._offsets, self._scales, observation, action_mask, out)


class Seen(NamedTuple):
    """What matters to a card, in sets of cards."""

    known: int  # in the viewer's hand, and everybody knows
    unseen: int  # in the deck, or in the hand of another who alone knows


@kernel
def fill_plainly(
    rules_: tuple[Any, ...],
    offsets: tuple[int, ...],
    scales: Floats,
    observation: Int8Array,
    action_mask: Int8Array,
    out: Floats,
) -> None:
    """Fills ``out`` (B, size) from observations (B, D) and masks (B, num_cards)."""
    rules, at = Rules(*rules_), Offsets(*offsets)
    num_cards, table = len(rules.card_colours), len(scales)
    slots = (out.shape[1] - table) // (CARD_SIZE + 1)
    for row in range(len(out)):
        seen = look(rules, at, observation[row])
        for entry in range(table):
            out[row, entry] = observation[row, entry] * scales[entry]
        out[row, table:] = 0
        hand = out[row, table + slots * CARD_SIZE :]
        hand[:] = NO_CARD
        slot = 0
        for card in range(num_cards):
            if action_mask[row, card]:
                start = table + slot * CARD_SIZE
                describe(rules, at, observation[row], seen, card, out[row, start:])
                hand[slot] = card
                slot += 1


@compiled
def look(rules: Rules, at: Offsets, observation: Int8Array) -> Seen:
    known, seen = 0, 0
    for card in range(len(rules.card_colours)):
        visible = observation[at.hand + card] + observation[at.row + card]
        for player in range(rules.num_players):
            start = at.players + player * at.block
            visible += observation[start + at.tableaux + card]
            visible += observation[start + at.known + card]
        if visible:
            seen |= bitset.one(card)
        if observation[at.players + at.known + card]:
            known |= bitset.one(card)
    return Seen(known, (bitset.one(len(rules.card_colours)) - 1) & ~seen)


@compiled
def describe(
    rules: Rules, at: Offsets, observation: Int8Array, seen: Seen, card: int, out: Floats
) -> None:
    colour, points = int(rules.card_colours[card]), rules.card_points[card]
    out[NUMBER] = (card + 1) / len(rules.card_colours)
    out[COLOUR + colour] = 1
    out[POINTS] = points / _MOST_POINTS
    score_card = observation[at.score_cards + own_column(at, observation, colour)]
    out[WORTH] = (score_card + points) / _MOST_WORTH
    out[KNOWN] = bitset.contains(seen.known, card)
    if seen.unseen != 0:
        out[LOWER] = bitset.size_below(seen.unseen, card) / bitset.size(seen.unseen)


@compiled
def own_column(at: Offsets, observation: Int8Array, colour: int) -> int:
    """Where a card of the colour would lie: with its colour, or in the leftmost empty column."""
    column = int(observation[at.players + at.columns + colour]) - 1
    if column >= 0:
        return column
    opened = 0
    for place in range(NUM_COLUMNS):
        opened += observation[at.players + at.counts + place] > 0
    return opened
