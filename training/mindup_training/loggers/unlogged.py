"""Leaves out what a run had logged before it was interrupted, for logs that only grow."""

from collections.abc import Mapping


class UnloggedFigures:
    """Knows the last timesteps at which each figure was logged.

    A run is resumed from a checkpoint and repeats what came after it, with the same figures.

    Args:
        last: by name, the timesteps at which the figure was logged last.
    """

    def __init__(self, last: Mapping[str, int]) -> None:
        self.last = dict(last)

    def pick(self, timesteps: int, figures: Mapping[str, float]) -> dict[str, float]:
        """The figures that were not logged at these timesteps or later; they count as logged."""
        new = {
            name: float(figures[name]) for name in figures if timesteps > self.last.get(name, -1)
        }
        self.last |= dict.fromkeys(new, timesteps)
        return new
