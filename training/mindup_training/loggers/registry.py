"""The registry of loggers by name."""

from collections.abc import Sequence

from mindup_env.agent import CodeKind, NamedCode, find_code
from mindup_training.loggers.protocol import LoggedRun, Logger

_LOGGER = CodeKind("logger", "mylogs:Printer", "mindup_training.loggers")
"""Each entry point of the group is a class or a function of a ``LoggedRun``."""


def check_loggers(specs: Sequence[str]) -> None:
    """Refuses loggers that cannot be made, or that are there twice, before a run begins."""
    names = set()
    for spec in specs:
        found = find_logger(spec)
        found.read_options(1)
        if found.name in names:
            raise ValueError(f"logger {found.name!r} must be given once")
        names.add(found.name)


def make_logger(spec: str, run: LoggedRun) -> Logger:
    """Makes a logger.

    Args:
        spec: a registered name such as ``tensorboard``, or ``module:Class``, where the module can
            be a file in the current folder. Options follow as ``:option=value,...``.
        run: the run that it logs.
    """
    logger: Logger = find_logger(spec).build(run)
    return logger


def find_logger(spec: str) -> NamedCode:
    """What makes the logger of a spec."""
    try:
        return find_code(_LOGGER, spec)
    except ImportError as error:  # of a registered logger
        raise ValueError(f"logger {spec!r} cannot be used: {error}") from None
