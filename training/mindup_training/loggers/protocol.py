"""What a logger implements, and what it is told of the run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from mindup_arena.estimate import Estimate


@dataclass(frozen=True)
class LoggedRun:
    """The run that a logger logs.

    Attributes:
        path: the folder of the run, where a logger may keep files.
        settings: the settings of the run as plain data; empty where a learner has none.
        last_timesteps: of a resumed run, the timesteps of its checkpoint. All that comes after them
            is logged again, with the same figures, and a logger must not have it twice. None for a
            new run.
    """

    path: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    last_timesteps: int | None = None


class Logger(Protocol):
    """Records the metrics of a run: a class whose first argument is a ``LoggedRun``.

    Timesteps, the decisions learned from so far, never decrease in a run.
    """

    def log_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        """Logs the figures of a rollout by name, such as ``games/return``."""
        ...

    def log_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        """Logs the win share against each bot, with its interval."""
        ...

    def close(self, *, finished: bool) -> None:
        """Ends the log; the run may be resumed if it is not ``finished``."""
        ...


class FigureLogger(ABC):
    """A logger of numbers alone: win shares are figures called ``win_share/BOT``."""

    @abstractmethod
    def log(self, timesteps: int, figures: Mapping[str, float]) -> None:
        """Logs figures by name."""

    def log_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        """Logs the figures of a rollout."""
        self.log(timesteps, figures)

    def log_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        """Logs the win shares of an evaluation."""
        self.log(timesteps, {f"win_share/{bot}": share.value for bot, share in results.items()})

    @abstractmethod
    def close(self, *, finished: bool) -> None:
        """Ends the log; the run may be resumed if it is not ``finished``."""


class UnloggedFigures:
    """Leaves out what a run had logged before it was interrupted, for logs that only grow.

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
