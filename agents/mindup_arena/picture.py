"""The report as a picture: the cross table as a heat map, the ratings, and who beats whom."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.report import RATING, Report
from mindup_env.runs.files import atomic_write
from mindup_env.settings.extras import require

if TYPE_CHECKING:  # matplotlib is an extra, and slow to load
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST_NAME = 28
SHARES = {"nash_weight": "Nash weight", "alpha_rank": "alpha-rank"}
_DIVERGING = "RdBu"
_INK, _GREY, _NOT_PLAYED, _BLUE = "#222222", "#888888", "#eeeeee", "#2166ac"
_BARS = "#4393c3", "#b2abd2"


def draw(path: Path, report: Report) -> None:
    """Draws the cross table, the ratings and, if the report has them, the Nash weights.

    Args:
        path: The file to write; its suffix (.png, .svg, .pdf) selects the format.
        report: The report of an arena.
    """
    image_format = picture_format(path)
    picture = io.BytesIO()
    make_figure(report).savefig(picture, format=image_format, dpi=150, bbox_inches="tight")
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


def make_figure(report: Report) -> "Figure":
    """A matplotlib figure independent of pyplot, with the best bot on top."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    bots = len(report.settings.bots)
    shares = {name: title for name, title in SHARES.items() if name in report.bots[0]}
    widths = (bots, 2.6, 1.8) if shares else (bots, 2.6)
    figure = Figure(figsize=(2.6 + 1.2 * bots + sum(widths[1:]), 1.9 + 0.62 * bots))
    figure.set_layout_engine("constrained")
    cross_table, ratings, *more = figure.subplots(1, len(widths), width_ratios=widths, sharey=True)
    _draw_cross_table(cross_table, report)
    _draw_ratings(ratings, [report.bots[bot][RATING] for bot in report.ranking])
    for axes in more:
        _draw_shares(axes, report, shares)
    settings = report.settings
    figure.suptitle(
        f"{settings.config.num_players} players, {settings.deals:,} deals in all seat rotations, "
        f"{report.num_games:,} games; {COVERAGE} % intervals over deals",
        color=_GREY,
        fontsize="small",
    )
    return figure


def _draw_cross_table(axes: "Axes", report: Report) -> None:
    from matplotlib.colors import TwoSlopeNorm  # noqa: PLC0415

    order = report.ranking
    equal = 100 / report.settings.config.num_players
    # White is equal play for any number of players; grey was not played.
    norm = TwoSlopeNorm(equal, 0, 100)
    shares = np.full((len(order), len(order)), np.nan)
    for duel in report.cross_table:
        row, column = order.index(duel.one), order.index(duel.field)
        shares[row, column] = duel.win_share.value
        is_dark = not 0.15 < norm(duel.win_share.value) < 0.85
        _write(axes, (column, row), duel.win_share, "white" if is_dark else _INK)
    axes.set_facecolor(_NOT_PLAYED)
    axes.imshow(shares, cmap=_DIVERGING, norm=norm, aspect="auto")
    bot_labels = labels(report.settings.display_names)
    names = [_short(bot_labels[bot]) for bot in order]
    axes.set_xticks(range(len(order)), names, rotation=25, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), names)
    axes.set_xlabel("against copies of")
    axes.set_title(f"Win share of one in %, equal play is {equal:.3g}", fontsize="medium")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _write(axes: "Axes", where: tuple[int, int], estimate: Estimate, ink: str) -> None:
    """Writes the value in the middle of a cell, and its interval below."""
    column, row = where
    axes.text(column, row - 0.02, f"{estimate.value:.1f}", va="bottom", ha="center", color=ink)
    if np.isfinite(estimate.low):
        text = f"{estimate.low:.1f} to {estimate.high:.1f}"
        small = "x-small"
        axes.text(column, row + 0.06, text, va="top", ha="center", color=ink, fontsize=small)


def _draw_ratings(axes: "Axes", ratings: list[Estimate]) -> None:
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


def _draw_shares(axes: "Axes", report: Report, shares: dict[str, str]) -> None:
    """The shares of the bots in an equilibrium, as bars: more than one bot has some in a cycle."""
    height = 0.7 / len(shares)
    for index, ((name, title), colour) in enumerate(zip(shares.items(), _BARS, strict=False)):
        rows = np.arange(len(report.bots)) + (index - (len(shares) - 1) / 2) * height
        values = [report.bots[bot][name] for bot in report.ranking]
        axes.barh(rows, [each.value for each in values], height, color=colour, label=title)
        for row, (value, low, high) in zip(rows, values, strict=True):
            axes.plot([low, high], [row, row], "-", color=_INK, linewidth=0.8)
            axes.annotate(
                f"{value:.0f}",
                (np.nanmax([value, high]), row),
                (3, 0),
                textcoords="offset points",
                va="center",
                fontsize="x-small",
            )
    axes.set_xlim(0, 118)
    axes.set_xticks([0, 50, 100])
    axes.set_title("Equilibrium in %", fontsize="medium")
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.1),
        ncols=len(shares),
        fontsize="x-small",
        frameon=False,
        handlelength=1,
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0, labelleft=False)


def _short(name: str) -> str:
    """A long spec would leave no room for the numbers."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."
