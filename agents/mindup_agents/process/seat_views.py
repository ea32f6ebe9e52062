"""What seats see, as the fields of the protocol."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.process.fields import CARDS, OBJECTIVES, ViewField, view_fields
from mindup_env.config import GameConfig
from mindup_env.objectives import OBJECTIVES as ALL_OBJECTIVES
from mindup_env.observation import layout_of, observation_text

TEXT, OBSERVATION = "text", "observation"
OPTIONAL_VIEWS = {
    TEXT: "the view as the text that a person would read",
    OBSERVATION: "the view as the observation vector",
}
"""What a program can ask for beside the fields."""
SPARE_BITS = 11
"""Bits of 64 that are left out, so that every language can hold the others in a float64."""

_IDS = np.array([objective.id for objective in ALL_OBJECTIVES])


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
