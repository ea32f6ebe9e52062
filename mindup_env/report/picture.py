"""Pictures of reports: figures in one style, and files that are written in one step."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from mindup_env.runs.files import atomic_write

if TYPE_CHECKING:  # matplotlib is an extra, and slow to load
    from matplotlib.figure import Figure

INK, GREY = "#222222", "#888888"


def open_figure(width: float, height: float, note: str) -> "Figure":
    """A figure of a report, in inches, independent of pyplot; the note is above its panels."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(note, color=GREY, fontsize="small")
    return figure


def save_figure(path: Path, figure: "Figure") -> None:
    """Writes a figure; the suffix of the file (.png, .svg, .pdf) selects the format."""
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.removeprefix("."), dpi=150, bbox_inches="tight")
    with atomic_write(path) as file:
        file.write(picture.getvalue())


def shortened(name: str, longest: int) -> str:
    """A name of which a long one would leave no room for the numbers."""
    return name if len(name) <= longest else f"{name[: longest - 3]}..."
