"""The features of all seats of games on a GPU: each kernel calls what the CPU calls for one row."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mindup_agents.features import FeatureShape, make_encoder
from mindup_agents.features.plain import (
    PlainFeatures,
    observation_scales,
    write_slots,
    write_table,
)
from mindup_agents.heuristics.observed_games import (
    KnownCards,
    make_known_cards,
    read_game,
    set_of_nonzero,
)
from mindup_env.batch_env import BatchEnv
from mindup_env.cuda import arrays
from mindup_env.cuda.arrays import DeviceArray, Launch, Tensor, threads_for
from mindup_env.cuda.env import CudaBatchEnv
from mindup_env.cuda.support import cuda, kernel
from mindup_env.engine.state import Games, Rules, make_games
from mindup_env.observation import layout_of
from mindup_env.observation.layout import Offsets


@kernel
def read_rows(arrays: Any, offsets: Any, observation: Any) -> None:
    """Fills the games of the rows (B,) from observations (B, D), which an environment wrote."""
    row = cuda.grid(1)
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    if row < len(games.clock):
        read_game(rules, games, known, row, Offsets(*offsets), observation[0][row])


@kernel
def fill_plain_tables(observation: Any, scales: Any, out: Any) -> None:
    """Fills the features of the table of plain-1 in ``out`` (B, size), a thread for each."""
    i = cuda.grid(1)
    size = len(scales[0])
    row, entry = i // size, i % size
    if row < len(out[0]):
        one = slice(entry, entry + 1)
        write_table(observation[0][row, one], scales[0][one], out[0][row, one])


@kernel
def fill_plain_slots(arrays: Any, action_mask: Any, scales: Any, out: Any) -> None:
    """Fills the rest of ``out`` (B, size), from masks (B, num_cards)."""
    row = cuda.grid(1)
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    if row < len(out[0]):
        allowed = set_of_nonzero(action_mask[0][row])
        write_slots(rules, games, known, row, allowed, out[0][row, len(scales[0]) :])


class Rows:
    """All seats of N games, game by game: what they see, what they know, and their features."""

    def __init__(self, env: CudaBatchEnv, shape: FeatureShape) -> None:
        config, seen = env.config, env._now.tensors  # `seen` can be a copy of them
        self.config, self.count = config, env.num_envs * config.num_players
        self.observation, self.action_mask = (
            arrays.as_array(seen[name]).reshape(self.count, -1)
            for name in ("observation", "action_mask")
        )
        games = arrays.like(make_games(config, 1), self.count, transposed=True)
        known = arrays.like(make_known_cards(config, 1), self.count, transposed=True)
        self.arrays = arrays.make_device_rules(config), tuple(games), tuple(known)
        self.out: DeviceArray = arrays.empty((self.count, shape.size), np.float32)

    def launch(self, kernel: Any, *arguments: Any, threads: int | None = None) -> Launch:
        """A launch with a thread for each row, or with so many."""
        return Launch(kernel, threads_for(threads or self.count), *arguments)


def plain_launches(rows: Rows) -> list[Launch]:
    scales = observation_scales(layout_of(rows.config))
    on_device, out = (arrays.to_device(scales),), (rows.out,)
    entries = rows.count * len(scales)
    observation, action_mask = (rows.observation,), (rows.action_mask,)
    return [
        rows.launch(fill_plain_tables, observation, on_device, out, threads=entries),
        rows.launch(fill_plain_slots, rows.arrays, action_mask, on_device, out),
    ]


ENCODERS: dict[str, Callable[[Rows], list[Launch]]] = {PlainFeatures.name: plain_launches}
"""What fills the rows, by the id of the features. ``position-1`` calls ``numpy.exp``, for which
numba-cuda has no code."""


class CudaFeatures:
    """What a network reads at all seats of games on a GPU, as ``SeatFeatures`` on the CPU.

    Args:
        env: the games: ``BatchEnv(..., device="cuda")``.
        name: the id of the features; ``ENCODERS`` has those that work on a GPU.

    Attributes:
        shape (FeatureShape): the sizes of the parts of a row.
    """

    def __init__(self, env: BatchEnv, name: str) -> None:
        if not isinstance(env, CudaBatchEnv):
            raise ValueError('CudaFeatures needs a BatchEnv with device="cuda"')
        if name not in ENCODERS:
            raise ValueError(f"features on a GPU must be {' or '.join(ENCODERS)}, not {name!r}")
        if env.layout.pad_to_players is not None:
            raise ValueError("CudaFeatures reads observations without pad_to_players")
        self.shape = make_encoder(name, env.config).shape
        rows = Rows(env, self.shape)
        offsets = tuple(layout_of(env.config).offsets)
        read = rows.launch(read_rows, rows.arrays, offsets, (rows.observation,))
        self._launches = [read, *ENCODERS[name](rows)]
        self._rows = arrays.as_tensor(rows.out.reshape(env.num_envs, -1, self.shape.size))

    def read(self) -> Tensor:
        """The rows (N, P, size) for the turn that comes next, on the device.

        The next call overwrites the tensor.
        """
        for launch in self._launches:
            launch()
        return self._rows
