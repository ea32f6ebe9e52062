"""When a run has checkpoints."""

from collections.abc import Iterator
from typing import NamedTuple


class CheckpointTimes(NamedTuple):
    """The timesteps of the checkpoints: doubling at first, and then at equal distances.

    Attributes:
        first: the timesteps of the first; 0 for equal distances from the start.
        every: the distance between two.
    """

    first: int
    every: int

    def after(self, timesteps: int) -> Iterator[int]:
        """The checkpoints after ``timesteps``, without an end."""
        at = self.first or self.every
        while at < self.every and at <= timesteps:
            at += at
        if at <= timesteps:
            at += self.every * ((timesteps - at) // self.every + 1)
        while True:
            yield at
            at += min(at, self.every)

    def count_between(self, after: int, before: int) -> int:
        """The number of checkpoints between two timesteps, without those at both ends."""
        found = 0
        for at in self.after(after):
            if at >= before:
                break
            if at >= self.every:  # all others are equally far apart
                return found + (before - 1 - at) // self.every + 1
            found += 1
        return found
