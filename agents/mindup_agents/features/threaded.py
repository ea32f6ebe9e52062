"""Features in several threads: each has an encoder of its own, for a slice of the rows."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from mindup_agents.features.base import BatchedEncoder, Float32Array
from mindup_agents.heuristics.observed_games import RowError
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig
from mindup_env.threads.pool import NumThreads, ThreadPool, split


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


class ThreadedEncoder(BatchedEncoder):
    """Encodes rows in several threads; the features are the same for every number of threads."""

    def __init__(
        self,
        make: Callable[[], BatchedEncoder],
        config: GameConfig,
        num_threads: NumThreads,
    ) -> None:
        self._threads = ThreadPool(num_threads)
        self._encoders = [make() for _ in range(self._threads.num_threads)]
        first = self._encoders[0]
        self.name, self.least_rows = first.name, first.least_rows
        super().__init__(config, first.names)

    def allocate(self, rows: int) -> None:
        parts = split(rows, self._threads.num_threads, self.least_rows)
        # There can be more encoders than slices.
        self._slices = [_Slice(*each) for each in zip(parts, self._encoders, strict=False)]
        for part, encoder in self._slices:
            encoder.allocate(part.stop - part.start)

    # No thread writes before all have read: an error then leaves the memory as it was.

    def read(self, given: ActArguments) -> None:
        self._threads.run([partial(part.read, given) for part in self._slices])

    def write(self, given: ActArguments, out: Float32Array) -> None:
        self._threads.run([partial(part.write, given, out) for part in self._slices])
