"""The features plain-1: the observation, and a few facts about each card of the hand.

Those of raw-1 are the observation itself, for comparisons with the features that know more.
"""

import numpy as np

from mindup_agents.features.base import (
    NO_CARD,
    DeclaredFeatures,
    Feature,
    Float32Array,
    RowWriter,
    features_of,
)
from mindup_agents.heuristics.observed_games import (
    POSSIBLE,
    KnownGames,
    ObservedArrays,
    RowError,
    known_games,
    set_of_nonzero,
)
from mindup_agents.heuristics.prize_probabilities import unseen_cards
from mindup_env.agent import ActArguments
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import MAX_PLAYERS, SCORE_CARDS, GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import NOTHING, Int8Array
from mindup_env.engine.turns import open_columns
from mindup_env.observation import layout_of

# The features of a card. Numbers and points are scaled to about 1.
NUMBER, COLOUR = 0, 1
BONUS, VALUE, KNOWN, LOWER = range(COLOUR + NUM_COLOURS, COLOUR + NUM_COLOURS + 4)
CARD_NAMES = (
    "card: number",
    *["card: colour"] * NUM_COLOURS,
    "card: bonus",
    "card: points as a prize",
    "card: known to all",
    "card: share of lower unseen cards",
)
CARD_SIZE = len(CARD_NAMES)

_MAX_BONUS = 2.0
_MAX_VALUE = max(SCORE_CARDS) + _MAX_BONUS


class RawFeatures(RowWriter):
    """The observation; of each card only which one it is, so that it has weights of its own."""

    name = "raw-1"

    def __init__(self, config: GameConfig) -> None:
        self._scales = layout_of(config).scales
        super().__init__(config)

    @staticmethod
    def declare(config: GameConfig) -> DeclaredFeatures:
        cards = ["card: which one"] * config.num_cards
        return DeclaredFeatures(observation_features(config), features_of(cards))

    def write(self, given: ActArguments, out: Float32Array) -> None:
        allowed = given.action_mask != 0
        in_hand = layout_of(self._config).views(given.observation)["hand"]
        wrong = np.flatnonzero((allowed & (in_hand == 0)).any(axis=1))
        if wrong.size:
            raise mask_error(int(wrong[0]), in_hand, given.action_mask)
        table, slots, hand = self.shape.split(out)
        np.multiply(given.observation, self._scales, out=table[:, : len(self._scales)])
        slots[:] = 0
        hand[:] = NO_CARD
        rows, cards = np.nonzero(allowed)
        places = np.arange(len(rows)) - np.searchsorted(rows, rows)  # from 0 in each row
        slots[rows, places, cards] = 1
        hand[rows, places] = cards


class PlainFeatures(RawFeatures):
    """The observation, and the number, colour and bonus of each card of the hand."""

    name = "plain-1"

    @staticmethod
    def declare(config: GameConfig) -> DeclaredFeatures:
        return DeclaredFeatures(observation_features(config), features_of(CARD_NAMES))

    def write(self, given: ActArguments, out: Float32Array) -> None:
        arrays = self._observed.arrays
        wrong = fill_plain(arrays, self._scales, *given[:2], out)
        if wrong != POSSIBLE:
            hand = layout_of(self._config).views(given.observation)["hand"]
            raise mask_error(wrong, hand, given.action_mask)


def mask_error(row: int, hand: Int8Array, action_mask: Int8Array) -> RowError:
    """The error for a row of masks (B, num_cards) that allows a card outside the hand."""
    held, allowed = ((np.flatnonzero(each[row]) + 1).tolist() for each in (hand, action_mask))
    rule = "action_mask must allow only cards of `hand` in the observation"
    return RowError(row, f"{rule}, {held}, not {allowed}")


def observation_features(config: GameConfig) -> list[Feature]:
    """The part of each entry of an observation; opponents share the names of their parts."""
    layout = layout_of(config, MAX_PLAYERS)
    *table_parts, _seats = layout.table_parts
    table = [Feature(f"table: {part.name}") for part in table_parts for _ in range(part.size)]
    begin = layout.offsets.row_players
    for player in range(1, MAX_PLAYERS + 1):
        table[begin + player - 1] = Feature("table: row_players", player)
    return table + [
        Feature(f"{'own' if player == 1 else 'opponents'}: {part.name}", player)
        for player in range(1, MAX_PLAYERS + 1)
        for part in layout.player_parts
        for _ in range(part.size)
    ]


@kernel
def fill_plain(
    arrays: ObservedArrays,
    scales: Float32Array,
    observation: Int8Array,
    action_mask: Int8Array,
    out: Float32Array,
) -> int:
    """Fills ``out`` (B, size) from observations (B, D), read before, and masks (B, num_cards).

    Returns POSSIBLE, or the first row with a mask that allows a card outside the hand.
    """
    known = known_games(*arrays)
    for row in range(len(out)):
        allowed = set_of_nonzero(action_mask[row])
        if allowed & ~known.games.hands[row, 0] != 0:
            return row
        write_table(observation[row], scales, out[row])
        write_slots(known, row, allowed, out[row, len(scales) :])
    return POSSIBLE


@compiled
def write_table(observation: Int8Array, scales: Float32Array, out: Float32Array) -> None:
    """Writes the features of the table: the entries of an observation (size,), scaled."""
    for entry in range(len(scales)):
        out[entry] = observation[entry] * scales[entry]


@compiled
def write_slots(known: KnownGames, g: int, allowed: int, out: Float32Array) -> None:
    """Writes the features of the slots, and the cards, of player 0, who may play ``allowed``."""
    slots = len(out) // (CARD_SIZE + 1)
    unseen = unseen_cards(known, g, 0)
    out[:] = 0
    hand = out[slots * CARD_SIZE :]
    hand[:] = NO_CARD
    slot = 0
    while allowed != 0:
        card = bitset.lowest(allowed)
        allowed &= allowed - 1
        write_card(known, g, card, unseen, out[slot * CARD_SIZE :])
        hand[slot] = card
        slot += 1


@compiled
def write_card(known: KnownGames, g: int, card: int, unseen: int, out: Float32Array) -> None:
    """Writes the features of a card of player 0 into ``out`` (at least CARD_SIZE,), 0 before.

    ``unseen`` is the set of cards in the deck, or in another hand and known to its player alone.
    """
    rules, games = known.rules, known.games
    colour, bonus = int(rules.card_colours[card]), rules.card_points[card]
    column = int(games.columns[g, 0, colour])
    if column == NOTHING:
        column = open_columns(games, g, 0)
    score_card = games.score_cards[g, rules.round_at[games.clock[g]], column]
    out[NUMBER] = (card + 1) / len(rules.card_colours)
    out[COLOUR + colour] = 1
    out[BONUS] = bonus / _MAX_BONUS
    out[VALUE] = (score_card + bonus) / _MAX_VALUE
    out[KNOWN] = bitset.contains(known.cards[g, 0], card)
    if unseen != 0:
        out[LOWER] = bitset.size_below(unseen, card) / bitset.size(unseen)
