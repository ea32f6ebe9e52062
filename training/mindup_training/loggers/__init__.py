"""What records the metrics of a training: CSV files, and other loggers by choice.

- ``protocol``: ``Logger``, and ``LoggedRun``, what a logger is told of the run
- ``registry``: from a spec such as ``wandb:project=mine`` to a logger
- ``csv_files``, ``tensorboard``, ``wandb``, ``mlflow``: a logger each; an entry point names each of
  them, and none imports another
"""

from mindup_training.loggers.protocol import FigureLogger, LoggedRun, Logger
from mindup_training.loggers.registry import check_loggers, make_logger

__all__ = [
    "FigureLogger",
    "LoggedRun",
    "Logger",
    "check_loggers",
    "make_logger",
]
