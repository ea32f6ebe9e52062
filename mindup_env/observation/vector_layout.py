"""A vector of named parts: first those of the table, then a block of the same parts per player."""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.config import MAX_PLAYERS, GameConfig
from mindup_env.settings.checks import check_int


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


def count_blocks(config: GameConfig, pad_to_players: int | None) -> int:
    """The number of blocks of a layout; refuses fewer than the players."""
    if pad_to_players is None:
        return config.num_players
    return check_int("pad_to_players", pad_to_players, config.num_players, MAX_PLAYERS)


class VectorLayout:
    """The places of declared parts in a flat int8 vector.

    The blocks of the players follow each other, so that another viewpoint is a rotation of the
    same blocks.

    Attributes:
        config (GameConfig): the rules of the game.
        pad_to_players (int | None): the number of players of a padded layout.
        num_blocks (int): the number of blocks: that of the players, or more in a padded layout.
        table_parts (tuple[LayoutPart, ...]): the parts that are not about a player, in order.
        player_parts (tuple[LayoutPart, ...]): the parts of the block of each player, in order.
        block (int): the size of the block of a player.
        players (int): the index at which the block of player 0 begins.
        size (int): the size of the vector.
    """

    _vector: ClassVar[str] = "a vector"

    def __init__(
        self,
        config: GameConfig,
        pad_to_players: int | None,
        table_parts: Parts,
        player_parts: Parts,
    ) -> None:
        self.config, self.pad_to_players = config, pad_to_players
        self.num_blocks = num_blocks = count_blocks(config, pad_to_players)
        self.table_parts, self.player_parts = table_parts, player_parts
        self.block = sum(part.size for part in player_parts)
        self.players = sum(part.size for part in table_parts)
        self.size = self.players + num_blocks * self.block

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle is made anew from the config when it is loaded."""
        return type(self), (self.config, self.pad_to_players)

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
            array (..., num_blocks, *shape).
        """
        self.check_size(vectors)
        leading = vectors.shape[:-1]
        blocks = vectors[..., self.players :]
        blocks = blocks.reshape(*leading, self.num_blocks, self.block)
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
            (self.player_parts, self.players, (self.num_blocks,)),
        ):
            for part, start in zip(parts, starts(parts).values(), strict=True):
                shape = " x ".join(map(str, (*leading, *part.shape))) or "1"
                offset = f"{first + start}" + (f" + {self.block} p" if leading else "")
                values = f"{part.low} to {part.high}"
                lines.append(f"| `{part.name}` | {shape} | {offset} | {values} | {part.meaning} |")
        return "\n".join(lines)

    def _spread(self, bound: str) -> npt.NDArray[np.int8]:
        parts = self.table_parts + self.player_parts * self.num_blocks
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
