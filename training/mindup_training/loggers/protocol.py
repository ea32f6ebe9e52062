"""What a logger implements, what it is told of the run, and the loggers of a run."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from mindup_arena.estimate import Estimate
from mindup_env.agent import CodeKind, NamedCode, find_code

_LOGGER = CodeKind("logger", "mylogs:Printer", "mindup_training.loggers")
"""Each entry point of the group is a class or a function of a ``LoggedRun``."""
_ALWAYS = "csv"


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

    @abstractmethod
    def close(self, *, finished: bool) -> None:
        """Ends the log; the run may be resumed if it is not ``finished``."""


class FigureLogger(Logger):
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


class UnloggedFigures:
    """Leaves out what a run had logged before it was interrupted, for logs that only grow.

    ``last`` has the timesteps at which each figure was logged last.
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


@contextmanager
def open_loggers(
    specs: Sequence[str], run: LoggedRun, *others: Logger
) -> Iterator[Sequence[Logger]]:
    """All loggers of a run, with that of CSV files; the context closes them."""
    made = (find_logger(spec).build(run) for spec in dict.fromkeys((_ALWAYS, *specs)))
    loggers: list[Logger] = [*made, *others]
    finished = False
    with ExitStack() as closing:  # an error of one does not keep the others open
        for logger in loggers:
            closing.callback(lambda each: each.close(finished=finished), logger)
        yield loggers
        finished = True


def check_loggers(specs: Sequence[str]) -> None:
    """Refuses loggers that cannot be made, or that are there twice, before a run begins."""
    names = set()
    for spec in specs:
        found = find_logger(spec)
        found.read_options(1)
        if found.name in names:
            raise ValueError(f"logger {found.name!r} must be given once")
        names.add(found.name)


def find_logger(spec: str) -> NamedCode:
    """What makes the logger of a spec: a registered name or ``module:Class``, with options."""
    try:
        return find_code(_LOGGER, spec)
    except ImportError as error:  # of a registered logger
        raise ValueError(f"logger {spec!r} cannot be used: {error}") from None
