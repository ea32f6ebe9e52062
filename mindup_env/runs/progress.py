"""A progress bar."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # rich is an extra
    from rich.progress import Progress


@contextmanager
def progress_bar(*, shown: bool, unit: str = "games") -> Iterator["Progress"]:
    """A bar that counts what is done, with the time left, on stderr."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(f"{{task.completed}} of {{task.total}} {unit}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, force_jupyter=False)
    with Progress(*columns, console=console, disable=not shown) as bar:
        yield bar
