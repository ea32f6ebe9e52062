"""Tables as pictures: cross tables as heat maps, and numbers as points with their intervals."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mindup_env.report.table import Column, Interval, Table
from mindup_env.runs.files import atomic_write
from mindup_env.settings.extras import require

if TYPE_CHECKING:  # matplotlib is an extra, and slow to load
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

INK, GREY = "#222222", "#888888"
_DIVERGING = "RdBu"


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


def draw_cross_table(axes: "Axes", table: Table, colours: "Normalize") -> None:
    """Draws a cross table; each cell has its number, and its interval below, or is empty."""
    shown = table.shown()
    values = np.full((len(shown), len(table.columns) - 1), np.nan)
    for row, (_, *cells) in enumerate(shown):
        for column, each in enumerate(cells):
            if isinstance(each.cell.value, tuple):
                values[row, column] = each.cell.value[0]
                is_dark = not 0.15 < colours(values[row, column]) < 0.85
                ink = "white" if is_dark else INK
                axes.text(column, row - 0.02, each.text, va="bottom", ha="center", color=ink)
                ends, small = each.joined(), "x-small"
                axes.text(
                    column, row + 0.06, ends, va="top", ha="center", color=ink, fontsize=small
                )
    axes.imshow(values, cmap=_DIVERGING, norm=colours, aspect="auto")
    titles = [column.heading for column in table.columns[1:]]
    axes.set_xticks(range(len(titles)), titles, rotation=25, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(shown)), [row[0].text for row in shown])
    axes.set_title(table.title, fontsize="medium")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def draw_intervals(
    axes: "Axes", column: Column, values: Sequence[Interval], colours: Sequence[str]
) -> None:
    """Draws a row for each number: a point on its interval, with the text of both."""
    for row, ((value, low, high), colour) in enumerate(zip(values, colours, strict=True)):
        axes.plot([low, high], [row, row], "|-", color=colour, linewidth=1.5, markersize=7)
        axes.plot([value], [row], "o", color=colour, markersize=5)
        axes.annotate(
            column.with_interval(values[row]),
            (value, row),
            (0, 7),
            textcoords="offset points",
            ha="center",
            fontsize="x-small",
        )
    axes.margins(x=0.3)
    axes.set_title(column.heading, fontsize="medium")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
