"""The features of all seats of games on a GPU."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mindup_agents.cuda import kernels
from mindup_agents.features import FeatureShape, make_encoder
from mindup_agents.features.plain import PlainFeatures, observation_scales
from mindup_agents.heuristics.observed_games import make_known_cards
from mindup_env.batch_env import BatchEnv
from mindup_env.cuda import arrays
from mindup_env.cuda.arrays import DeviceArray, Launch, Tensor, threads_for
from mindup_env.cuda.env import CudaBatchEnv
from mindup_env.engine.state import make_games
from mindup_env.observation import layout_of


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
        rows.launch(kernels.fill_plain_tables, observation, on_device, out, threads=entries),
        rows.launch(kernels.fill_plain_slots, rows.arrays, action_mask, on_device, out),
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
        read = rows.launch(kernels.read_rows, rows.arrays, offsets, (rows.observation,))
        self._launches = [read, *ENCODERS[name](rows)]
        self._rows = arrays.as_tensor(rows.out.reshape(env.num_envs, -1, self.shape.size))

    def read(self) -> Tensor:
        """The rows (N, P, size) for the turn that comes next, on the device.

        The next call overwrites the tensor.
        """
        for launch in self._launches:
            launch()
        return self._rows
