"""The arrays that the compiled step fills, allocated once."""

from typing import Annotated, Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine.arrays import allocate
from mindup_env.engine.state import Int8Array
from mindup_env.observation.layout import Layout
from mindup_env.observation.writer import scratch_size

Arrays = dict[str, npt.NDArray[Any]]

FlatArrays = tuple[Int8Array, Int8Array, Int8Array]
"""Of N games: observations (N * num_players * size,), masks (N * num_players * num_cards,), and
scratch for one vector."""

StepResult = tuple[
    Arrays,
    npt.NDArray[np.floating],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]
"""Observations, rewards (N, P), terminations (N,), truncations (N,), info."""


class StepBuffers(NamedTuple):
    """The results of a turn."""

    cards: Annotated[Int8Array, "N", "num_players"]  # that were played
    illegal: Annotated[npt.NDArray[np.bool_], "N", "num_players"]  # where the action was not legal
    gained: Annotated[npt.NDArray[np.float32], "N", "num_players"]  # points gained in the turn
    over: Annotated[npt.NDArray[np.bool_], "N"]
    truncated: Annotated[npt.NDArray[np.bool_], "N"]  # always false
    # Of games that are over; else 0. The rank of a winner is 0.
    scores: Annotated[npt.NDArray[np.int32], "N", "num_players"]
    ranks: Annotated[npt.NDArray[np.int32], "N", "num_players"]
    win_share: Annotated[npt.NDArray[np.float32], "N", "num_players"]
    rewards: Annotated[npt.NDArray[np.float32], "N", "num_players"]  # of all games


def make_buffers(config: GameConfig, num_games: int) -> StepBuffers:
    return allocate(StepBuffers, config, N=num_games)


def make_observations(layout: Layout, num_games: int) -> Arrays:
    """Arrays for the observations (N, num_players, size) and masks (N, num_players, num_cards)."""
    seats, num_cards = (num_games, layout.config.num_players), layout.config.num_cards
    return {
        "observation": np.zeros((*seats, layout.size), np.int8),
        "action_mask": np.zeros((*seats, num_cards), np.int8),
    }


def flatten(arrays: Arrays) -> FlatArrays:
    """Flat views of the observations and masks, and scratch for one vector."""
    observation = arrays["observation"]
    return (
        observation.reshape(-1),
        arrays["action_mask"].reshape(-1),
        np.zeros(scratch_size(observation.shape[-1]), np.int8),
    )


Output = TypeVar("Output")


def copy_arrays(output: Output) -> Output:
    """A copy of arrays that are nested in dicts and tuples."""
    if isinstance(output, dict):
        return cast("Output", {name: copy_arrays(value) for name, value in output.items()})
    if isinstance(output, tuple):
        return cast("Output", tuple(map(copy_arrays, output)))
    return cast("Output", np.copy(cast("Any", output)))
