"""What records the metrics of a training: CSV files, and other loggers by choice.

``protocol`` is what a logger implements, and finds the loggers of specs such as
``wandb:project=mine``. Each logger is a file that an entry point names.
"""

from mindup_training.loggers.protocol import FigureLogger, LoggedRun, Logger

__all__ = ["FigureLogger", "LoggedRun", "Logger"]
