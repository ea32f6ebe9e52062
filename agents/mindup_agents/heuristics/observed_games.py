"""Observations, read into games that the functions of the engine accept.

The viewer of an observation becomes player 0 of a game in which the other hands hold only the
cards that all players know. So the rules are applied to what a seat knows and to nothing else.
"""

from typing import Any, NamedTuple

import numpy as np

from mindup_env.cards import NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.batch import Batch
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.dealing import known_cards
from mindup_env.engine.state import (
    BONUS_POINTS,
    COLOUR_POINTS,
    NOBODY,
    NOTHING,
    NUM_COLUMNS,
    OBJECTIVE_POINTS,
    Games,
    Int8Array,
    Int64Array,
    Rules,
)
from mindup_env.observation import layout_of
from mindup_env.observation.layout import Offsets


class KnownCards(NamedTuple):
    """What all players know about the hands of N games."""

    cards: Int64Array  # (N, num_players) the sets of known cards
    num_hidden: Int64Array  # (N, num_players) the number of other cards in the hand


ObservedArrays = tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]
"""The fields of Rules, Games and KnownCards."""


def make_known_cards(config: GameConfig, num_games: int) -> KnownCards:
    seats = num_games, config.num_players
    return KnownCards(cards=np.zeros(seats, np.int64), num_hidden=np.zeros(seats, np.int64))


class ObservedGames:
    """What B seats know, as B games; ``arrays`` is what kernels take."""

    def __init__(self, config: GameConfig, rows: int) -> None:
        self.rows = rows
        self.batch = Batch(config, rows)
        self.arrays: ObservedArrays = (*self.batch.arrays, tuple(make_known_cards(config, rows)))
        self._offsets = tuple(layout_of(config).offsets)

    def read(self, observation: Int8Array) -> None:
        """Reads observations (B, size)."""
        read_observations(self.arrays, self._offsets, observation)


@kernel
def read_observations(
    arrays: ObservedArrays, offsets: tuple[int, ...], observation: Int8Array
) -> None:
    """Fills the games from ``observation`` (B, size)."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    at = Offsets(*offsets)
    for g in range(len(observation)):
        seen = observation[g]
        read_public_state(rules, games, g, at, seen)
        for player in range(rules.num_players):
            start = at.players + player * at.block
            read_player(rules, games, known, g, player, at, seen[start : start + at.block])
        games.hands[g, 0] = set_of_nonzero(seen[at.hand : at.hand + len(rules.card_colours)])


@compiled
def read_public_state(rules: Rules, games: Games, g: int, at: Offsets, seen: Int8Array) -> None:
    """Reads the round, the turn, the score cards, the row and the objectives."""
    round_ = int(seen[at.round]) - 1
    turns_before = 0
    for earlier in range(round_):
        turns_before += rules.hand_size + earlier - 1
    games.clock[g] = turns_before + int(seen[at.turn]) - 1
    for column in range(NUM_COLUMNS):
        games.score_cards[g, round_, column] = seen[at.score_cards + column]
    prizes = set_of_nonzero(seen[at.row : at.row + len(rules.card_colours)])
    for place in range(rules.num_players):
        games.row[g, place] = bitset.lowest(prizes)
        prizes &= prizes - 1
        player = int(seen[at.row_players + place]) - 1
        if player != NOBODY:
            games.played[g, games.clock[g] - 1, player] = games.row[g, place]
    shown = 0
    for place in range(games.objectives.shape[2]):
        while seen[at.objectives + shown] == 0:
            shown += 1
        games.objectives[g, round_, place] = shown
        shown += 1


@compiled
def read_player(
    rules: Rules,
    games: Games,
    known: KnownCards,
    g: int,
    player: int,
    at: Offsets,
    seen: Int8Array,
) -> None:
    """Reads the block (at.block,) of a player."""
    num_cards = len(rules.card_colours)
    round_ = rules.round_at[games.clock[g]]
    games.tableaux[g, player] = set_of_nonzero(seen[at.tableaux : at.tableaux + num_cards])
    for colour in range(NUM_COLOURS):
        games.columns[g, player, colour] = int(seen[at.columns + colour]) + NOTHING
    known.cards[g, player] = set_of_nonzero(seen[at.known : at.known + num_cards])
    known.num_hidden[g, player] = seen[at.unknown]
    games.hands[g, player] = known.cards[g, player]
    # Only totals are observed; they count as colour points here.
    for finished in range(rules.num_rounds):
        points = games.points[g, finished, player]
        points[COLOUR_POINTS] = seen[at.round_scores + finished]
        points[BONUS_POINTS] = points[OBJECTIVE_POINTS] = 0
    games.points[g, round_, player, COLOUR_POINTS] = seen[at.running_scores]


@compiled
def set_of_nonzero(entries: Int8Array) -> int:
    """The set of the indices whose entry is not 0."""
    members = 0
    for member in range(len(entries)):
        members |= int(entries[member] != 0) << member
    return members


@compiled
def update_known_cards(rules: Rules, games: Games, known: KnownCards, g: int) -> None:
    """Fills ``known`` for game ``g``, in which all hands are complete."""
    for player in range(rules.num_players):
        known.cards[g, player] = known_cards(rules, games, g, player)
        hidden = games.hands[g, player] & ~known.cards[g, player]
        known.num_hidden[g, player] = bitset.size(hidden)
