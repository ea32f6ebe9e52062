"""When a run has checkpoints."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple


class CheckpointTimes(NamedTuple):
    """The times of the checkpoints: doubling at first, and then at equal distances.

    Attributes:
        first: the first one; 0 for equal distances from the start.
        every: the distance between two.
        in_seconds: whether these are seconds; they are timesteps otherwise.
    """

    first: int
    every: int | Fraction
    in_seconds: bool = False

    def after(self, time: float) -> Iterator[int | Fraction]:
        """The checkpoints after a time, without an end."""
        at: int | Fraction = self.first or self.every
        while at < self.every and at <= time:
            at += at
        if at <= time:
            at += self.every * (int((time - at) // self.every) + 1)
        while True:
            yield at
            at += min(at, self.every)

    def count_between(self, after: int, before: int) -> int:
        """The number of checkpoints between two times, without those at both ends."""
        found = 0
        for at in self.after(after):
            if at >= before:
                break
            if at >= self.every:  # all others are equally far apart
                return found + math.ceil((before - at) / self.every)
            found += 1
        return found
