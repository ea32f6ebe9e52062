"""What seats see, as games of their own: bots think about these, and search plays them on.

The viewer of an observation becomes player 0 of a game in which the hands of the others hold only
what everybody knows of them. Every rule of the engine then works on what is seen.
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


class Known(NamedTuple):
    """What everybody knows of the hands."""

    cards: Int64Array  # (N, num_players) the sets of known cards
    others: Int64Array  # (N, num_players) how many cards besides


ObservedArrays = tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]
"""The fields of Rules, Games and Known."""


def make_known(config: GameConfig, num_games: int) -> Known:
    seats = num_games, config.num_players
    return Known(cards=np.zeros(seats, np.int64), others=np.zeros(seats, np.int64))


class ObservedGames:
    """Room for what B seats see; ``arrays`` is what kernels take."""

    def __init__(self, config: GameConfig, rows: int) -> None:
        self.rows = rows
        self.batch = Batch(config, rows)
        self.arrays: ObservedArrays = (*self.batch.arrays, tuple(make_known(config, rows)))
        self._offsets = tuple(layout_of(config).offsets)

    def read(self, observation: Int8Array) -> None:
        """Takes in observations (B, size)."""
        read_all(self.arrays, self._offsets, observation)


@kernel
def read_all(arrays: ObservedArrays, offsets: tuple[int, ...], seen: Int8Array) -> None:
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    at = Offsets(*offsets)
    for row in range(len(seen)):
        read_table(rules, games, row, at, seen[row])
        for player in range(rules.num_players):
            start = at.players + player * at.block
            read_player(rules, games, known, row, player, at, seen[row, start : start + at.block])
        games.hands[row, 0] = set_of(seen[row, at.hand : at.hand + len(rules.card_colours)])


@compiled
def read_table(rules: Rules, games: Games, row: int, at: Offsets, seen: Int8Array) -> None:
    round_ = int(seen[at.round]) - 1
    turns_before = 0
    for earlier in range(round_):
        turns_before += rules.hand_size + earlier - 1
    games.clock[row] = turns_before + int(seen[at.turn]) - 1
    for column in range(NUM_COLUMNS):
        games.score_cards[row, round_, column] = seen[at.score_cards + column]
    prizes = set_of(seen[at.row : at.row + len(rules.card_colours)])
    for place in range(rules.num_players):
        games.row[row, place] = bitset.lowest(prizes)
        prizes &= prizes - 1
        player = int(seen[at.row_players + place]) - 1
        if player != NOBODY:
            games.played[row, games.clock[row] - 1, player] = games.row[row, place]
    shown = 0
    for place in range(games.objectives.shape[2]):
        while seen[at.objectives + shown] == 0:
            shown += 1
        games.objectives[row, round_, place] = shown
        shown += 1


@compiled
def read_player(
    rules: Rules, games: Games, known: Known, row: int, player: int, at: Offsets, seen: Int8Array
) -> None:
    """Reads the ``block`` of a player."""
    num_cards = len(rules.card_colours)
    round_ = rules.round_at[games.clock[row]]
    games.tableaux[row, player] = set_of(seen[at.tableaux : at.tableaux + num_cards])
    for colour in range(NUM_COLOURS):
        games.columns[row, player, colour] = int(seen[at.columns + colour]) + NOTHING
    known.cards[row, player] = set_of(seen[at.known : at.known + num_cards])
    known.others[row, player] = seen[at.unknown]
    games.hands[row, player] = known.cards[row, player]
    for finished in range(rules.num_rounds):
        points = games.points[row, finished, player]
        points[COLOUR_POINTS] = seen[at.round_scores + finished]
        points[BONUS_POINTS] = points[OBJECTIVE_POINTS] = 0
    games.points[row, round_, player, COLOUR_POINTS] = seen[at.running_scores]


@compiled
def set_of(marks: Int8Array) -> int:
    """The set of what is marked by anything but 0."""
    members = 0
    for member in range(len(marks)):
        members |= int(marks[member] != 0) << member
    return members


@compiled
def know(rules: Rules, games: Games, known: Known, g: int) -> None:
    """Fills in what everybody knows in game ``g``, all of whose hands are there."""
    for player in range(rules.num_players):
        known.cards[g, player] = known_cards(rules, games, g, player)
        hidden = games.hands[g, player] & ~known.cards[g, player]
        known.others[g, player] = bitset.size(hidden)
