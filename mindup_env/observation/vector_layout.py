"""A vector of named parts: first those of the table, then a block of the same parts per player."""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig


class LayoutPart(NamedTuple):
    """A named slice of the vector, or of the block of each player.

    Attributes:
        name: its name in ``views``.
        shape: its shape; that of one player, in a block.
        low: the least value of its entries.
        high: the greatest value of its entries.
        meaning: what it holds, for the table.
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


class VectorLayout:
    """The places of declared parts in a flat int8 vector.

    The blocks of the players follow each other, so that another viewpoint is a rotation of the
    same blocks.

    Attributes:
        config (GameConfig): the rules of the game.
        table_parts (tuple[LayoutPart, ...]): the parts that are not about a player, in order.
        player_parts (tuple[LayoutPart, ...]): the parts of the block of each player, in order.
        block (int): the size of the block of a player.
        players (int): the index at which the block of player 0 begins.
        size (int): the size of the vector.
    """

    _vector: ClassVar[str] = "a vector"

    def __init__(self, config: GameConfig, table_parts: Parts, player_parts: Parts) -> None:
        self.config = config
        self.table_parts, self.player_parts = table_parts, player_parts
        self.block = sum(part.size for part in player_parts)
        self.players = sum(part.size for part in table_parts)
        self.size = self.players + config.num_players * self.block

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle is made anew from the config when it is loaded."""
        return type(self), (self.config,)

    @property
    def low(self) -> npt.NDArray[np.int8]:
        """The least value of each entry, for the bounds of a Box."""
        return self._spread("low")

    @property
    def high(self) -> npt.NDArray[np.int8]:
        """The greatest value of each entry, for the bounds of a Box."""
        return self._spread("high")

    @property
    def scales(self) -> npt.NDArray[np.float32]:
        """By how much each entry is multiplied, for a network, to be at most 1 and at least -1."""
        largest = np.maximum(np.abs(self.low.astype(np.float32)), self.high)
        return (1 / np.maximum(largest, 1)).astype(np.float32)

    def views(self, vectors: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of vectors by name, without a copy.

        Args:
            vectors: any array of vectors (..., size).

        Returns:
            For each part of the table an array (..., *shape), and for each part of the players an
            array (..., num_players, *shape).
        """
        self.check_size(vectors)
        leading = vectors.shape[:-1]
        blocks = vectors[..., self.players :]
        blocks = blocks.reshape(*leading, self.config.num_players, self.block)
        return {**_cut(vectors, self.table_parts), **_cut(blocks, self.player_parts)}

    def check_size(self, vectors: npt.NDArray[Any]) -> None:
        """Refuses vectors of another layout."""
        if vectors.shape[-1:] != (self.size,):
            raise ValueError(
                f"{self._vector} of this config has {self.size} entries in its last axis, not the "
                f"shape {vectors.shape}"
            )

    def table(self) -> str:
        """The parts as a table in Markdown."""
        lines = ["| part | shape | offset | values | meaning |", "| --- | --- | --- | --- | --- |"]
        for parts, first, leading in (
            (self.table_parts, 0, ()),
            (self.player_parts, self.players, (self.config.num_players,)),
        ):
            for part, start in zip(parts, starts(parts).values(), strict=True):
                shape = " x ".join(map(str, (*leading, *part.shape))) or "1"
                offset = f"{first + start}" + (f" + {self.block} p" if leading else "")
                values = f"{part.low} to {part.high}"
                lines.append(f"| `{part.name}` | {shape} | {offset} | {values} | {part.meaning} |")
        return "\n".join(lines)

    def _spread(self, bound: str) -> npt.NDArray[np.int8]:
        parts = self.table_parts + self.player_parts * self.config.num_players
        values = np.array([getattr(part, bound) for part in parts], np.int8)
        return np.repeat(values, [part.size for part in parts])


def starts(parts: Parts) -> dict[str, int]:
    """The index at which each of the parts begins, if they follow each other."""
    found, start = {}, 0
    for part in parts:
        found[part.name] = start
        start += part.size
    return found


def _cut(vectors: npt.NDArray[Any], parts: Parts) -> dict[str, npt.NDArray[Any]]:
    begins = starts(parts)
    return {
        part.name: vectors[..., begins[part.name] :][..., : part.size].reshape(
            (*vectors.shape[:-1], *part.shape)
        )
        for part in parts
    }
