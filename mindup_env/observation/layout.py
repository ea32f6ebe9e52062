"""The declared parts of an observation, from which its offsets, bounds, views and table come."""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.state import NUM_COLUMNS
from mindup_env.objectives import NUM_OBJECTIVES


class LayoutPart(NamedTuple):
    """A named slice of the vector, or of the block of each player."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Offsets(NamedTuple):
    """The index of each part, for compiled code: in the vector, or in the block of a player."""

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


def table_parts(config: GameConfig) -> tuple[LayoutPart, ...]:
    """The parts that are not about a player: the viewer's hand and the middle of the table."""
    part, players, cards = LayoutPart, config.num_players, config.num_cards
    objectives, last_turn = (NUM_OBJECTIVES,), config.largest_hand - 1
    return (
        part("hand", (cards,), 0, 1, "1 for each card in the viewer's hand"),
        part("row", (cards,), 0, players, "place of each prize in the row, from 1; else 0"),
        part("row_players", (players,), 0, players, "who played each prize, from 1; 0: the deck"),
        part("score_cards", (NUM_COLUMNS,), 1, max(SCORE_CARDS), "score card above each column"),
        part("round", (), 0, config.num_rounds, "the round, from 1"),
        part("turn", (), 0, last_turn, "the turn of the round, from 1"),
        part("objectives", objectives, 0, 1, "1 for each objective shown in this round"),
        part("objectives_used", objectives, 0, 1, "1 for each objective of an earlier round"),
    )


def player_parts(config: GameConfig) -> tuple[LayoutPart, ...]:
    """The parts of the block of a player: everything public about the player."""
    part, cards = LayoutPart, config.num_cards
    low, high = config.round_score_bounds
    column = f"column of {', '.join(COLOURS)}, from 1; 0: no card of the colour"
    met = "1 for each objective shown that would be met if the round ended now"
    return (
        part("tableaux", (cards,), 0, 1, "1 for each card in the tableau"),
        part("columns", (NUM_COLOURS,), 0, NUM_COLUMNS, column),
        part("counts", (NUM_COLUMNS,), 0, config.largest_hand, "number of cards in each column"),
        part("known", (cards,), 0, 1, "1 for each public hand card"),
        part("unknown", (), 0, config.hand_size, "number of hand cards only the owner knows"),
        part(
            "round_scores", (config.num_rounds,), low, high, "score of each finished round; else 0"
        ),
        part("running_scores", (), low, high, "colour and bonus points of this round so far"),
        part("objectives_met", (NUM_OBJECTIVES,), 0, 1, met),
    )


class Layout:
    """The places of the parts of an observation, for one config.

    Players are counted from the viewer: first the viewer, then the others in seat order. Their
    blocks follow each other, so that another viewpoint is a rotation of the same blocks.

    Attributes:
        config (GameConfig): the rules of the game.
        table_parts (tuple[LayoutPart, ...]): the parts that are not about a player, in order.
        player_parts (tuple[LayoutPart, ...]): the parts of the block of each player, in order.
        block (int): the size of the block of a player.
        players (int): the index at which the block of the viewer begins.
        size (int): the size of the vector.
        offsets (Offsets): the index of each part, for compiled code.
    """

    def __init__(self, config: GameConfig) -> None:
        self.config = config
        self.table_parts, self.player_parts = table_parts(config), player_parts(config)
        self.block = sum(part.size for part in self.player_parts)
        self.players = sum(part.size for part in self.table_parts)
        self.size = self.players + config.num_players * self.block
        self.offsets = Offsets(
            **_starts(self.table_parts),
            **_starts(self.player_parts),
            players=self.players,
            block=self.block,
        )

    @property
    def low(self) -> npt.NDArray[np.int8]:
        """The least value of each entry, for the bounds of a Box."""
        return self._spread("low")

    @property
    def high(self) -> npt.NDArray[np.int8]:
        """The greatest value of each entry, for the bounds of a Box."""
        return self._spread("high")

    def views(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of observations by name, without a copy.

        Args:
            observation: any array of observations (..., size).

        Returns:
            For each part of the table an array (..., *shape), and for each part of the players an
            array (..., players, *shape).
        """
        if observation.shape[-1:] != (self.size,):
            raise ValueError(
                f"an observation of this config has {self.size} entries in its last axis, not the "
                f"shape {observation.shape}"
            )
        leading = observation.shape[:-1]
        blocks = observation[..., self.players :]
        blocks = blocks.reshape(*leading, self.config.num_players, self.block)
        return {
            **_cut(observation, self.table_parts),
            **_cut(blocks, self.player_parts),
        }

    def table(self) -> str:
        """The parts as a table in Markdown."""
        lines = ["| part | shape | offset | values | meaning |", "| --- | --- | --- | --- | --- |"]
        for parts, first, leading in (
            (self.table_parts, 0, ()),
            (self.player_parts, self.players, (self.config.num_players,)),
        ):
            for part, start in zip(parts, _starts(parts).values(), strict=True):
                shape = " x ".join(map(str, (*leading, *part.shape))) or "1"
                offset = f"{first + start}" + (f" + {self.block} p" if leading else "")
                values = f"{part.low} to {part.high}"
                lines.append(f"| `{part.name}` | {shape} | {offset} | {values} | {part.meaning} |")
        return "\n".join(lines)

    def _spread(self, bound: str) -> npt.NDArray[np.int8]:
        parts = self.table_parts + self.player_parts * self.config.num_players
        values = np.array([getattr(part, bound) for part in parts], np.int8)
        return np.repeat(values, [part.size for part in parts])


layout_of = lru_cache(Layout)


def _starts(parts: tuple[LayoutPart, ...]) -> dict[str, int]:
    starts, start = {}, 0
    for part in parts:
        starts[part.name] = start
        start += part.size
    return starts


def _cut(vectors: npt.NDArray[Any], parts: tuple[LayoutPart, ...]) -> dict[str, npt.NDArray[Any]]:
    starts = _starts(parts)
    return {
        part.name: vectors[..., starts[part.name] :][..., : part.size].reshape(
            (*vectors.shape[:-1], *part.shape)
        )
        for part in parts
    }
