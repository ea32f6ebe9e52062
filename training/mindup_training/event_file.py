"""A file of figures for TensorBoard. Each figure is written at once, and an error is raised.

The writer of TensorBoard itself writes in a thread, which prints a traceback on a full disk.
"""

import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindup_env.files import errors_name

_VERSION = "brain.Event:2"


class EventFile:
    def __init__(self, folder: Path, first_step: int) -> None:
        """A new file; TensorBoard hides what older files of the folder have from that step on."""
        # TensorBoard takes a second to load, and only trainings use it.
        from tensorboard.compat.proto.event_pb2 import SessionLog  # noqa: PLC0415

        self._path = folder / _unused_name(folder)
        with errors_name(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._write(step=first_step, file_version=_VERSION)
        self._write(step=first_step, session_log=SessionLog(status=SessionLog.START))

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        from tensorboard.compat.proto.summary_pb2 import Summary  # noqa: PLC0415

        values = [
            Summary.Value(tag=name, simple_value=float(figure)) for name, figure in figures.items()
        ]
        self._write(step=step, summary=Summary(value=values))

    def _write(self, **entries: Any) -> None:
        from tensorboard.compat.proto.event_pb2 import Event  # noqa: PLC0415
        from tensorboard.summary.writer.record_writer import RecordWriter  # noqa: PLC0415

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
