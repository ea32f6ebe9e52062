"""The declared parts of an observation and of the full state: offsets, bounds, views, tables.

Both are vectors with parts for the table, and then a block of the same parts for each player, so
that another viewpoint is a rotation of the blocks.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS, NUM_COLOURS, NUM_OBJECTIVES
from mindup_env.checks import InputError
from mindup_env.config import SCORE_CARDS, GameConfig, check_config
from mindup_env.engine.state import NUM_COLUMNS


class LayoutPart(NamedTuple):
    """A named slice of the vector, or of the block of each player.

    Attributes:
        name: its name in ``views``.
        shape: its shape; in a block, that of one player.
        low: the least value of its entries.
        high: the greatest one.
        meaning: what it holds.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """The number of its entries."""
        return math.prod(self.shape)


Parts = tuple[LayoutPart, ...]


class Offsets(NamedTuple):
    """The index of each part in the vector, or in the block of a player."""

    hand: int
    row: int
    row_players: int
    score_cards: int
    round: int
    turn: int
    objectives: int
    objectives_used: int
    tableaux: int
    columns: int
    counts: int
    known: int
    unknown: int
    round_scores: int
    running_scores: int
    objectives_met: int
    players: int  # the index of the first block
    block: int  # the size of a block
    size: int  # the size of the vector


def table_parts(config: GameConfig) -> Parts:
    """The viewer's hand and the middle of the table."""
    part = LayoutPart
    cards = config.num_cards
    players = config.num_players
    objectives = (NUM_OBJECTIVES,)
    return (
        part("hand", (cards,), 0, 1, "1 for each card in the viewer's hand"),
        part("row", (cards,), 0, players, "place of each prize in the row, from 1; else 0"),
        part("row_players", (players,), 0, players, "who played each prize, from 1; 0: the deck"),
        part("score_cards", (NUM_COLUMNS,), 1, max(SCORE_CARDS), "score card above each column"),
        part("round", (), 0, config.num_rounds, "the round, from 1"),
        part("turn", (), 0, config.largest_hand - 1, "the turn of the round, from 1"),
        part("objectives", objectives, 0, 1, "1 for each objective shown in this round"),
        part("objectives_used", objectives, 0, 1, "1 for each objective of an earlier round"),
    )


def player_parts(config: GameConfig) -> Parts:
    """The block of a player: all that is public about the player."""
    part = LayoutPart
    cards = config.num_cards
    rounds = config.num_rounds
    low, high = config.round_score_bounds
    column = f"column of {', '.join(COLOURS)}, from 1; 0: no card of the colour"
    met = "1 for each objective shown that would be met if the round ended now"
    return (
        part("tableaux", (cards,), 0, 1, "1 for each card in the tableau"),
        part("columns", (NUM_COLOURS,), 0, NUM_COLUMNS, column),
        part("counts", (NUM_COLUMNS,), 0, config.largest_hand, "number of cards in each column"),
        part("known", (cards,), 0, 1, "1 for each public hand card"),
        part("unknown", (), 0, config.hand_size, "number of hand cards only the owner knows"),
        part("round_scores", (rounds,), low, high, "score of each finished round; else 0"),
        part("running_scores", (), low, high, "colour and bonus points of this round so far"),
        part("objectives_met", (NUM_OBJECTIVES,), 0, 1, met),
    )


class VectorLayout:
    """The declared parts of a flat int8 vector, and where they are.

    Attributes:
        table_parts (tuple[LayoutPart, ...]): the parts that are not about a player, in order.
        player_parts (tuple[LayoutPart, ...]): the parts of the block of each player, in order.
        players (int): the index at which the block of player 0 begins.
        block (int): the size of a block.
        size (int): the size of the vector.
    """

    def __init__(self, config: GameConfig, parts_of_table: Parts) -> None:
        self.config = config
        self.table_parts = parts_of_table
        self.player_parts = player_parts(config)
        self._offsets: dict[str, int] = {}  # in the vector, or in the block of a player
        ends = []
        for parts in (self.table_parts, self.player_parts):
            end = 0
            for part in parts:
                self._offsets[part.name] = end
                end += part.size
            ends.append(end)
        self.players, self.block = ends
        self.size = self.players + config.num_players * self.block

    @property
    def low(self) -> npt.NDArray[np.int8]:
        """The least value of each entry."""
        return self._spread("low")

    @property
    def high(self) -> npt.NDArray[np.int8]:
        """The greatest value of each entry."""
        return self._spread("high")

    @property
    def scales(self) -> npt.NDArray[np.float32]:
        """Factors by which each entry is from -1 to 1, for a network."""
        largest = np.maximum(np.abs(self.low.astype(np.float32)), self.high)
        return (1 / np.maximum(largest, 1)).astype(np.float32)

    def admits(self, vector: npt.NDArray[np.int8]) -> bool:
        """Whether all entries of an observation (size,) are within their bounds."""
        return not ((vector < self.low) | (vector > self.high)).any()

    def views(self, vectors: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of vectors (..., size) by name, without a copy.

        A part of the table has the shape (..., *shape), one of the players
        (..., num_players, *shape).
        """
        shape = getattr(vectors, "shape", ())
        if not isinstance(shape, tuple) or shape[-1:] != (self.size,):
            raise InputError(f"vectors must be an array (..., {self.size}), not of shape {shape}")
        blocks = vectors[..., self.players :]
        blocks = blocks.reshape(*vectors.shape[:-1], self.config.num_players, self.block)
        views = {}
        for arrays, parts in ((vectors, self.table_parts), (blocks, self.player_parts)):
            for part in parts:
                view = arrays[..., self._offsets[part.name] :][..., : part.size]
                views[part.name] = view.reshape((*arrays.shape[:-1], *part.shape))
        return views

    def table(self) -> str:
        """The parts as a table in Markdown."""
        lines = ["| part | shape | offset | values | meaning |", "| --- | --- | --- | --- | --- |"]
        for part in self.table_parts + self.player_parts:
            shape = part.shape
            start = self._offsets[part.name]
            offset = f"{start}"
            if part in self.player_parts:
                shape = self.config.num_players, *shape
                offset = f"{self.players + start} + {self.block} p"
            sizes = " x ".join(map(str, shape)) or "1"
            values = f"{part.low} to {part.high}"
            lines.append(f"| `{part.name}` | {sizes} | {offset} | {values} | {part.meaning} |")
        return "\n".join(lines)

    def _spread(self, bound: str) -> npt.NDArray[np.int8]:
        parts = self.table_parts + self.player_parts * self.config.num_players
        values = np.array([getattr(part, bound) for part in parts], np.int8)
        return np.repeat(values, [part.size for part in parts])


class Layout(VectorLayout):
    """The parts of an observation, and where they are.

    Players are counted from the viewer: first the viewer, then the others in seat order.

    Attributes:
        offsets (Offsets): the index of each part, for compiled code.
    """

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config, table_parts(check_config(config)))
        sizes = {"players": self.players, "block": self.block, "size": self.size}
        self.offsets = Offsets(**self._offsets, **sizes)


class StateLayout(VectorLayout):
    """The parts of the full state, and where they are.

    The parts are those of an observation, with the hands of all players instead of the viewer's.
    Players are counted from seat 0, or, in the state of a seat, from this seat.
    """

    def __init__(self, config: GameConfig) -> None:
        shape = check_config(config).num_players, config.num_cards
        hands = LayoutPart("hands", shape, 0, 1, "1 for each card in the hand of each player")
        super().__init__(config, (hands, *table_parts(config)[1:]))


layout_of = lru_cache(Layout)
state_layout_of = lru_cache(StateLayout)
