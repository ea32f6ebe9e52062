"""What seats see, as the fields of the protocol, from the declared parts of an observation.

In the vector, a part about cards or objectives has an entry for each that exists. As a field it
is the list of those whose entry is not 0: the row, for example, lists the prizes in the order of
their places.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.objectives import NUM_OBJECTIVES
from mindup_env.objectives import OBJECTIVES as ALL_OBJECTIVES
from mindup_env.observation import Layout, LayoutPart, layout_of, observation_text

CARDS, OBJECTIVES, VALUES = "cards", "objectives", "values"
"""What a field holds: numbers of cards, ids of objectives, or the values of the part itself."""
TEXT, OBSERVATION = "text", "observation"
OPTIONAL_VIEWS = {
    TEXT: "the view as the text that a person would read",
    OBSERVATION: "the view as the observation vector",
}
"""What a program can ask for beside the fields."""
SPARE_BITS = 11
"""Bits of 64 that are left out, so that every language can hold the others in a float64."""

_IDS = np.array([objective.id for objective in ALL_OBJECTIVES])


class ViewField(NamedTuple):
    """A field, and the part that it comes from."""

    part: LayoutPart
    holds: str
    of_players: bool  # a list with an entry for each player, from the viewer

    @property
    def name(self) -> str:
        return self.part.name

    @property
    def meaning(self) -> str:
        """The meaning of the part, or of what the list has of it."""
        if self.holds == VALUES:
            return self.part.meaning
        found = re.search(r"each [^,;]*", self.part.meaning)
        return found[0] if found else self.part.meaning


@lru_cache
def view_fields(config: GameConfig) -> tuple[ViewField, ...]:
    """The fields in the order of the parts."""
    return tuple(
        ViewField(part, _HOLDS[part.name], of_players)
        for parts, of_players in _parts(layout_of(config))
        for part in parts
    )


def _parts(layout: Layout) -> list[tuple[tuple[LayoutPart, ...], bool]]:
    return [(layout.table_parts, False), (layout.player_parts, True)]


def _what_parts_hold() -> dict[str, str]:
    """By the shapes of the published game, in which no other axis is as long as these two."""
    config = GameConfig()
    shapes: dict[tuple[int, ...], str]
    shapes = {(config.num_cards,): CARDS, (NUM_OBJECTIVES,): OBJECTIVES}
    parts = [part for parts, _ in _parts(layout_of(config)) for part in parts]
    return {part.name: shapes.get(part.shape, VALUES) for part in parts}


_HOLDS = _what_parts_hold()


def seat_views(
    config: GameConfig,
    observation: npt.NDArray[np.int8],
    random_bits: npt.NDArray[np.uint64],
    optional: Collection[str] = (),
) -> list[dict[str, Any]]:
    """The views of a batch of seats.

    Args:
        config: the rules of the game.
        observation: what each seat sees, int8 (B, size).
        random_bits: 64 random bits for each seat, uint64 (B,).
        optional: the names of ``OPTIONAL_VIEWS`` to add.
    """
    parts = layout_of(config).views(observation)
    columns: dict[str, Sequence[Any]] = {
        field.name: _values(field, parts[field.name]) for field in view_fields(config)
    }
    columns["random_bits"] = (random_bits >> np.uint64(SPARE_BITS)).tolist()
    if TEXT in optional:
        columns[TEXT] = [observation_text(seen, config) for seen in observation]
    if OBSERVATION in optional:
        columns[OBSERVATION] = observation.tolist()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _values(field: ViewField, part: npt.NDArray[Any]) -> list[Any]:
    """The value of a field for each seat; ``part`` is (B, ...), or (B, players, ...)."""
    if field.holds not in (CARDS, OBJECTIVES):
        plain: list[Any] = part.tolist()
        return plain
    size = part.shape[-1]
    names = np.arange(1, size + 1) if field.holds == CARDS else _IDS
    lists = _nonzero_names(part.reshape(-1, size), names)
    if not field.of_players:
        return lists
    players = part.shape[1]
    return [lists[start : start + players] for start in range(0, len(lists), players)]


def _nonzero_names(entries: npt.NDArray[Any], names: npt.NDArray[Any]) -> list[list[Any]]:
    """For each row of ``entries`` (R, n), the ``names`` (n,) of those that are not 0."""
    found = names[np.nonzero(entries)[1]].tolist()
    ends = np.count_nonzero(entries, axis=1).cumsum().tolist()
    return [found[start:end] for start, end in zip([0, *ends], ends, strict=False)]
