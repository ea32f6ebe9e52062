"""The metrics of a run: the names of figures, and the loggers that record them."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from mindup_arena.estimate import Estimate
from mindup_training.loggers import LoggedRun, make_logger
from mindup_training.run_folder import RunPaths

RETURN, WIN_SHARE = "games/return", "games/win_share"
"""Means over the games of a rollout; a learner may leave them out."""

_ALWAYS = "csv"


class Metrics:
    """Gives the metrics of a run to its loggers; a context that closes them at its end.

    Args:
        paths: the folder of the run.
        last_timesteps: of a resumed run, the timesteps of its checkpoint; None for a new run.
        loggers: the specs of the loggers; CSV files are always written.
        settings: the settings of the run as plain data, for loggers that show them.
    """

    def __init__(
        self,
        paths: RunPaths,
        last_timesteps: int | None = None,
        *,
        loggers: Sequence[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        run = LoggedRun(paths.path, settings or {}, last_timesteps)
        self._loggers = [make_logger(spec, run) for spec in dict.fromkeys((_ALWAYS, *loggers))]

    def add_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        for logger in self._loggers:
            logger.log_rollout(timesteps, figures)

    def add_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        for logger in self._loggers:
            logger.log_evaluation(timesteps, results)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with ExitStack() as closing:  # an error of one does not keep the others open
            for logger in self._loggers:
                closing.callback(logger.close, finished=error_type is None)
