"""The features of all seats of games on a GPU: each kernel calls what the CPU calls for one row."""

from typing import Any

import numpy as np

from mindup_agents.features import make_encoder
from mindup_agents.features.plain import (
    PlainFeatures,
    write_slots,
    write_table,
)
from mindup_agents.heuristics.observed_games import (
    known_games,
    make_known_cards,
    read_game,
    set_of_nonzero,
)
from mindup_env.batch_env import BatchEnv
from mindup_env.cuda import arrays
from mindup_env.cuda.arrays import DeviceArray, Launch, Tensor, threads_for
from mindup_env.cuda.env import CudaBatchEnv
from mindup_env.cuda.support import cuda, kernel
from mindup_env.engine.state import make_games
from mindup_env.observation import layout_of
from mindup_env.observation.layout import Offsets


@kernel
def read_rows(arrays: Any, offsets: Any, observation: Any) -> None:
    """Fills the games of the rows (B,) from observations (B, D), which an environment wrote."""
    row = cuda.grid(1)
    known = known_games(*arrays)
    if row < len(known.games.clock):
        read_game(known, row, Offsets(*offsets), observation[0][row])


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
    known = known_games(*arrays)
    if row < len(out[0]):
        allowed = set_of_nonzero(action_mask[0][row])
        write_slots(known, row, allowed, out[0][row, len(scales[0]) :])


ENCODERS = (PlainFeatures.name,)
"""The ids of the features that work on a GPU. ``position-1`` calls ``numpy.exp``, for which
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
        config, layout, seen = env.config, layout_of(env.config), env._now.tensors
        self.shape = make_encoder(name, config).shape
        count = env.num_envs * config.num_players  # a row for each seat, game by game
        observation, action_mask = (  # `seen` can be a copy of them
            (arrays.as_array(seen[part]).reshape(count, -1),)
            for part in ("observation", "action_mask")
        )
        games, known = (
            tuple(arrays.like(made, count, transposed=True))
            for made in (make_games(config, 1), make_known_cards(config, 1))
        )
        given = arrays.make_device_rules(config), games, known
        scales = layout.scales
        on_device = (arrays.to_device(scales),)
        out: DeviceArray = arrays.empty((count, self.shape.size), np.float32)
        of_rows, of_entries = threads_for(count), threads_for(count * len(scales))
        self._launches = [
            Launch(read_rows, of_rows, given, tuple(layout.offsets), observation),
            Launch(fill_plain_tables, of_entries, observation, on_device, (out,)),
            Launch(fill_plain_slots, of_rows, given, action_mask, on_device, (out,)),
        ]
        self._rows = arrays.as_tensor(out.reshape(env.num_envs, -1, self.shape.size))

    def read(self) -> Tensor:
        """The rows (N, P, size) for the turn that comes next, on the device.

        The next call overwrites the tensor.
        """
        for launch in self._launches:
            launch()
        return self._rows
