"""The report as a picture: the cross table as a heat map, and the ratings."""

from pathlib import Path
from typing import Any

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.estimate import Estimate
from mindup_arena.extras import library
from mindup_arena.report import RATING, Cell, Report, best_bots_first
from mindup_arena.resampling import COVERAGE
from mindup_env.files import atomic_write

LONGEST_NAME = 28
_DIVERGING = "RdBu"
_INK, _GREY, _NOT_PLAYED, _BLUE = "#222222", "#888888", "#eeeeee", "#2166ac"


def draw(path: Path, report: Report) -> None:
    figure = make_figure(report)
    library("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    with atomic_write(path) as file:
        figure.savefig(file, format=picture_format(path), dpi=150, bbox_inches="tight")


def picture_format(path: Path) -> str:
    """By the end of the name; what cannot be drawn is refused."""
    known = sorted(library("matplotlib.backend_bases").FigureCanvasBase.get_supported_filetypes())
    found = path.suffix.lower().removeprefix(".")
    if found not in known:
        raise ValueError(f"a picture ends in .{', .'.join(known)}, not {path.name!r}")
    return found


def make_figure(report: Report) -> Any:
    """A matplotlib Figure of its own, which pyplot knows nothing of. The best bot is on top."""
    bots = len(report.settings.bots)
    figure = library("matplotlib.figure").Figure(figsize=(5.2 + 1.2 * bots, 1.9 + 0.62 * bots))
    figure.set_layout_engine("constrained")
    left, right = figure.subplots(1, 2, width_ratios=(bots, 2.6), sharey=True)
    best_first = best_bots_first(report)
    _draw_cross_table(left, report, best_first)
    _draw_ratings(right, [report.bots[bot][RATING] for bot in best_first])
    settings = report.settings
    figure.suptitle(
        f"{settings.config.num_players} players, {settings.deals:,} deals in all seat rotations, "
        f"{report.num_games:,} games; {COVERAGE} % intervals over deals",
        color=_GREY,
        fontsize="small",
    )
    return figure


def _draw_cross_table(axes: Any, report: Report, order: list[int]) -> None:
    fair = 100 / report.settings.config.num_players
    # White is an equal share, whatever the number of players; grey was not played.
    norm = library("matplotlib.colors").TwoSlopeNorm(fair, 0, 100)
    shares = np.full((len(order), len(order)), np.nan)
    for cell in report.cross_table:
        row, column = order.index(cell.one), order.index(cell.field)
        shares[row, column] = cell.win_share.value
        _write(axes, (column, row), cell.win_share, "white" if _is_dark(norm, cell) else _INK)
    axes.set_facecolor(_NOT_PLAYED)
    axes.imshow(shares, cmap=_DIVERGING, norm=norm, aspect="auto")
    of_bots = labels(report.settings.bots)
    names = [_short(of_bots[bot]) for bot in order]
    axes.set_xticks(range(len(order)), names, rotation=25, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), names)
    axes.set_xlabel("against copies of")
    axes.set_title(f"Win share of one in %, equal play is {fair:.3g}", fontsize="medium")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _is_dark(norm: Any, cell: Cell) -> bool:
    return not 0.15 < norm(cell.win_share.value) < 0.85


def _write(axes: Any, where: tuple[int, int], estimate: Estimate, ink: str) -> None:
    """The number in the middle of a cell, and its interval below."""
    column, row = where
    place = {"ha": "center", "color": ink}
    axes.text(column, row - 0.02, f"{estimate.value:.1f}", va="bottom", **place)
    if np.isfinite(estimate.low):
        text = f"{estimate.low:.1f} to {estimate.high:.1f}"
        axes.text(column, row + 0.06, text, va="top", fontsize="x-small", **place)


def _draw_ratings(axes: Any, ratings: list[Estimate]) -> None:
    axes.axvline(0, color=_GREY, linewidth=0.8, linestyle=":")
    for row, (value, low, high) in enumerate(ratings):
        axes.plot([low, high], [row, row], "|-", color=_BLUE, linewidth=1.5, markersize=7)
        axes.plot([value], [row], "o", color=_BLUE, markersize=5)
        text = f"{value:+.0f}" + (f" ({low:+.0f} to {high:+.0f})" if np.isfinite(low) else "")
        axes.annotate(
            text, (value, row), (0, 7), textcoords="offset points", ha="center", fontsize="x-small"
        )
    axes.margins(x=0.3)
    axes.set_xlabel("400 points: ten times the strength")
    axes.set_title("Plackett-Luce rating", fontsize="medium")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0, labelleft=False)


def _short(name: str) -> str:
    """A long spec would leave no room for the numbers."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."
