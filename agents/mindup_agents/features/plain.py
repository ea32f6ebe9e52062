"""The features plain-1: the observation, and a few facts about each card of the hand."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import NO_CARD, FeatureShape, Float32Array, check_out
from mindup_env.agent import check_act_arguments
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import NUM_COLUMNS, Int8Array, Rules, make_rules
from mindup_env.observation import layout_of
from mindup_env.observation.layout import Offsets

# The features of a card. Numbers and points are scaled to about 1.
NUMBER, COLOUR = 0, 1
BONUS, VALUE, KNOWN, LOWER = range(COLOUR + NUM_COLOURS, COLOUR + NUM_COLOURS + 4)
CARD_SIZE = LOWER + 1

_MAX_BONUS = 2.0
_MAX_VALUE = max(SCORE_CARDS) + _MAX_BONUS


class PlainFeatures:
    """The observation, and the number, colour and bonus of each card of the hand."""

    name = "plain-1"

    def __init__(self, config: GameConfig) -> None:
        layout = layout_of(config)
        self._config = config
        self.shape = FeatureShape(layout.size, CARD_SIZE, config.largest_hand)
        self._rules = tuple(make_rules(config))
        self._offsets = tuple(layout.offsets)
        largest = np.maximum(np.abs(layout.low.astype(np.float32)), layout.high)
        self._scales = (1 / np.maximum(largest, 1)).astype(np.float32)

    def fill(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: Float32Array,
    ) -> None:
        check_act_arguments(self._config, observation, action_mask, episode_start, random_bits)
        check_out(self.shape, len(observation), out)
        fill_plain(self._rules, self._offsets, self._scales, observation, action_mask, out)


class VisibleCards(NamedTuple):
    """Sets of cards."""

    known: int  # cards in the viewer's hand that all players know
    unseen: int  # cards in the deck, or in another hand and known to its player alone


@kernel
def fill_plain(
    rules_: tuple[Any, ...],
    offsets: tuple[int, ...],
    scales: Float32Array,
    observation: Int8Array,
    action_mask: Int8Array,
    out: Float32Array,
) -> None:
    """Fills ``out`` (B, size) from observations (B, D) and masks (B, num_cards)."""
    rules, at = Rules(*rules_), Offsets(*offsets)
    num_cards, table = len(rules.card_colours), len(scales)
    slots = (out.shape[1] - table) // (CARD_SIZE + 1)
    for row in range(len(out)):
        visible = find_visible_cards(rules, at, observation[row])
        for entry in range(table):
            out[row, entry] = observation[row, entry] * scales[entry]
        out[row, table:] = 0
        hand = out[row, table + slots * CARD_SIZE :]
        hand[:] = NO_CARD
        slot = 0
        for card in range(num_cards):
            if action_mask[row, card]:
                start = table + slot * CARD_SIZE
                write_card(rules, at, observation[row], visible, card, out[row, start:])
                hand[slot] = card
                slot += 1


@compiled
def find_visible_cards(rules: Rules, at: Offsets, observation: Int8Array) -> VisibleCards:
    known, seen = 0, 0
    for card in range(len(rules.card_colours)):
        places = observation[at.hand + card] + observation[at.row + card]
        for player in range(rules.num_players):
            start = at.players + player * at.block
            places += observation[start + at.tableaux + card]
            places += observation[start + at.known + card]
        if places:
            seen |= bitset.one(card)
        if observation[at.players + at.known + card]:
            known |= bitset.one(card)
    return VisibleCards(known, (bitset.one(len(rules.card_colours)) - 1) & ~seen)


@compiled
def write_card(
    rules: Rules,
    at: Offsets,
    observation: Int8Array,
    visible: VisibleCards,
    card: int,
    out: Float32Array,
) -> None:
    """Writes the features of a card into ``out`` (at least CARD_SIZE,), which is 0 before."""
    colour, bonus = int(rules.card_colours[card]), rules.card_points[card]
    out[NUMBER] = (card + 1) / len(rules.card_colours)
    out[COLOUR + colour] = 1
    out[BONUS] = bonus / _MAX_BONUS
    score_card = observation[at.score_cards + column_for(at, observation, colour)]
    out[VALUE] = (score_card + bonus) / _MAX_VALUE
    out[KNOWN] = bitset.contains(visible.known, card)
    if visible.unseen != 0:
        out[LOWER] = bitset.size_below(visible.unseen, card) / bitset.size(visible.unseen)


@compiled
def column_for(at: Offsets, observation: Int8Array, colour: int) -> int:
    """The viewer's column for a colour: the column of its cards, or else the next empty one."""
    column = int(observation[at.players + at.columns + colour]) - 1
    if column >= 0:
        return column
    opened = 0
    for place in range(NUM_COLUMNS):
        opened += observation[at.players + at.counts + place] > 0
    return opened
