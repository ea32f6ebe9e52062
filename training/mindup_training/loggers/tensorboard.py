"""Event files for TensorBoard. Each figure is written at once, and an error is raised.

The writer of TensorBoard itself writes in a thread, which prints a traceback on a full disk.
"""

import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from mindup_env.runs.files import errors_name
from mindup_training.loggers.protocol import FigureLogger, LoggedRun
from mindup_training.run_folder import RunPaths

_VERSION = "brain.Event:2"


class TensorBoardLogger(FigureLogger):
    """Writes event files for TensorBoard, in the folder ``tensorboard`` of the run.

    A resumed run begins a new file. TensorBoard hides what older files of the folder have from its
    first step on.
    """

    def __init__(self, run: LoggedRun) -> None:
        folder = RunPaths(run.path).tensorboard
        first_step = 0 if run.last_timesteps is None else run.last_timesteps + 1
        self._path = folder / _unused_name(folder)
        with errors_name(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._write(step=first_step, file_version=_VERSION)
        self._write(step=first_step, session_log=SessionLog(status=SessionLog.START))

    def log(self, timesteps: int, figures: Mapping[str, float]) -> None:
        values = [
            Summary.Value(tag=name, simple_value=float(figure)) for name, figure in figures.items()
        ]
        self._write(step=timesteps, summary=Summary(value=values))

    def close(self, *, finished: bool) -> None:
        """Each figure is in the file since it was logged."""

    def _write(self, **entries: Any) -> None:
        event = Event(wall_time=time.time(), **entries)
        with errors_name(self._path), self._path.open("ab") as file:
            RecordWriter(file).write(event.SerializeToString())


def _unused_name(folder: Path) -> str:
    """TensorBoard reads the files in the order of their names: the time comes first."""
    number = 0
    while True:
        place = f"{socket.gethostname()}.{os.getpid()}.{number}"
        name = f"events.out.tfevents.{int(time.time()):010d}.{place}"
        if not (folder / name).exists():
            return name
        number += 1
