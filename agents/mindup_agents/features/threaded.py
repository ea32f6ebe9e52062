"""Features in several threads: each has an encoder of its own, for a slice of the rows."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import BatchedEncoder, Float32Array, check_out
from mindup_agents.heuristics.observed_games import RowError
from mindup_env.agent import ActArguments, check_act_arguments
from mindup_env.config import GameConfig
from mindup_env.exclusive import BusyFlag, exclusive
from mindup_env.thread_team import NumThreads, ThreadTeam, split


class _Slice(NamedTuple):
    """Neighbouring rows, and the encoder that has their memory."""

    rows: slice
    encoder: BatchedEncoder

    def read(self, given: ActArguments) -> None:
        try:
            self.encoder.read(self._own(given))
        except RowError as error:
            raise self._in_batch(error) from None

    def write(self, given: ActArguments, out: Float32Array) -> None:
        try:
            self.encoder.write(self._own(given), out[self.rows])
        except RowError as error:
            raise self._in_batch(error) from None

    def _own(self, given: ActArguments) -> ActArguments:
        return ActArguments._make(array[self.rows] for array in given)

    def _in_batch(self, error: RowError) -> RowError:
        return RowError(self.rows.start + error.row, error.problem)


class ThreadedEncoder:
    """Encodes rows in several threads; the features are the same for every number of threads."""

    def __init__(
        self,
        make: Callable[[GameConfig], BatchedEncoder],
        config: GameConfig,
        num_threads: NumThreads,
    ) -> None:
        self._config = config
        self._team = ThreadTeam(num_threads)
        self._encoders = [make(config) for _ in range(self._team.num_threads)]
        first = self._encoders[0]
        self.name, self.names, self.shape = first.name, first.names, first.shape
        self._busy = BusyFlag()
        self._allocate(0)

    def _allocate(self, rows: int) -> None:
        """Cuts a batch of so many rows into slices; the memory of all rows starts empty."""
        self._rows = -1  # until all arrays have the new size, even after an interrupt
        parts = split(rows, self._team.num_threads, self._encoders[0].least_rows)
        # There can be more encoders than slices.
        self._slices = [_Slice(*each) for each in zip(parts, self._encoders, strict=False)]
        for part, encoder in self._slices:
            encoder.allocate(part.stop - part.start)
        self._rows = rows

    @exclusive
    def fill(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: Float32Array,
    ) -> None:
        """Fills ``out`` (B, size), see ``FeatureEncoder``."""
        given = ActArguments(observation, action_mask, episode_start, random_bits)
        check_act_arguments(self._config, *given)
        check_out(self.shape, len(observation), out)
        if len(observation) != self._rows:
            self._allocate(len(observation))
        # No thread writes before all have read: an error then leaves the memory as it was.
        self._team.run([partial(part.read, given) for part in self._slices])
        self._team.run([partial(part.write, given, out) for part in self._slices])
