"""Event files for TensorBoard."""

from collections.abc import Mapping

from torch.utils.tensorboard.writer import SummaryWriter

from mindup_env.runs.files import errors_name
from mindup_training.loggers.protocol import FigureLogger, LoggedRun
from mindup_training.run_folder import RunPaths


class TensorBoardLogger(FigureLogger):
    """Writes event files for TensorBoard, in the folder ``tensorboard`` of the run.

    A resumed run begins a new file. TensorBoard hides what older files of the folder have from its
    first step on.
    """

    def __init__(self, run: LoggedRun) -> None:
        self._folder = RunPaths(run.path).tensorboard
        first_step = 0 if run.last_timesteps is None else run.last_timesteps + 1
        with errors_name(self._folder):
            self._writer = SummaryWriter(str(self._folder), purge_step=first_step)

    def log(self, timesteps: int, figures: Mapping[str, float]) -> None:
        with errors_name(self._folder):
            for name, figure in figures.items():
                self._writer.add_scalar(name, figure, timesteps)
            self._writer.flush()  # a thread writes: an error on a full disk comes from here

    def close(self, *, finished: bool) -> None:  # noqa: ARG002  # the signature of a logger
        with errors_name(self._folder):
            self._writer.close()
