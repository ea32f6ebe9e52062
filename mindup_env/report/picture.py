"""Figures of reports, and the files to which they are saved."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from mindup_env.runs.files import atomic_write
from mindup_env.settings.extras import require

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
    figure.savefig(picture, format=picture_format(path), dpi=150, bbox_inches="tight")
    with atomic_write(path) as file:
        file.write(picture.getvalue())


def picture_format(path: Path) -> str:
    """The format that the suffix of a file selects; unknown formats are refused."""
    require("a picture", "arena", "matplotlib")
    from matplotlib.backend_bases import FigureCanvasBase  # noqa: PLC0415

    known = sorted(FigureCanvasBase.get_supported_filetypes())
    found = path.suffix.lower().removeprefix(".")
    if found not in known:
        raise ValueError(f"cannot draw {path.name!r}; accepted suffixes: .{', .'.join(known)}")
    return found
