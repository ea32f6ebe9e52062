"""The report as pictures: learning curves with bands, and the final scores with intervals."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mindup_arena.estimate import COVERAGE
from mindup_training.experiment.report import ExperimentReport
from mindup_training.train.curve import save_figure

if TYPE_CHECKING:  # matplotlib is an extra, and slow to load
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _GREY, _NOT_PLAYED = "#222222", "#888888", "#eeeeee"
_DIVERGING = "RdBu"
_LONGEST_NAME = 40
_COLUMNS = 3  # of panels


def draw_curves(path: Path, report: ExperimentReport) -> None:
    """Draws a panel for each bot that has curves, with a curve and a band for each entry."""
    save_figure(make_curves(report), path)


def draw_scores(path: Path, report: ExperimentReport) -> None:
    """Draws the final interquartile means, and the probabilities of improvement."""
    save_figure(make_scores(report), path)


def make_curves(report: ExperimentReport) -> "Figure":
    from matplotlib.figure import Figure  # noqa: PLC0415

    bots = [bot for bot in report.bots if any(bot in each.curves for each in report.entries)]
    bots = bots or list(report.bots)  # of learners without evaluations: empty panels
    columns = min(_COLUMNS, len(bots))
    rows = math.ceil(len(bots) / columns)
    figure = Figure(figsize=(1 + 4 * columns, 1.2 + 3 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, sharex=True, squeeze=False).flatten()
    for axes, bot in zip(panels, bots, strict=False):
        _draw_curves_against(axes, report, bot)
    for axes in panels[len(bots) :]:
        axes.remove()
    legend: dict[str, Artist] = {}
    for axes in panels[: len(bots)]:
        handles, labels = axes.get_legend_handles_labels()
        legend |= dict(zip(labels, handles, strict=True))
    figure.legend(
        list(legend.values()), list(legend), loc="outside lower center", ncols=2, frameon=False
    )
    figure.suptitle(
        f"Win share in %: interquartile mean over runs, with {COVERAGE} % intervals",
        color=_GREY,
        fontsize="small",
    )
    return figure


def make_scores(report: ExperimentReport) -> "Figure":
    from matplotlib.figure import Figure  # noqa: PLC0415

    count = len(report.entries)
    # A single entry improves on no other.
    widths = [4.5, 1.1 * count] if count > 1 else [4.5]
    figure = Figure(figsize=(2.8 + sum(widths), 1.7 + 0.62 * count), layout="constrained")
    scores, *more = figure.subplots(
        1, len(widths), width_ratios=widths, sharey=True, squeeze=False
    )[0]
    _draw_scores(scores, report)
    for axes in more:
        _draw_improvements(axes, report)
    figure.suptitle(
        f"{report.settings.evaluation_deals} deals against each of {', '.join(report.bots)}; "
        f"{COVERAGE} % intervals over runs",
        color=_GREY,
        fontsize="small",
    )
    return figure


def _draw_curves_against(axes: "Axes", report: ExperimentReport, bot: str) -> None:
    from matplotlib.ticker import EngFormatter  # noqa: PLC0415

    if report.equal_share:
        equal = 100 * report.equal_share
        axes.axhline(equal, color=_GREY, linestyle=":", linewidth=1, label="equal")
    for place, result in enumerate(report.entries):
        if bot not in result.curves:
            continue
        curve, colour = result.curves[bot], f"C{place}"
        value, low, high = 100 * np.array(curve.estimates).T
        steps = curve.points.timesteps
        runs = f"{_short(result.entry.name)} ({len(result.runs)} runs)"
        axes.plot(steps, value, color=colour, marker="o", markersize=2.5, label=runs)
        axes.fill_between(steps, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.set_title(f"against {_short(bot)}", fontsize="medium")
    axes.set_xlabel("decisions learned from")
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlim(left=0)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_scores(axes: "Axes", report: ExperimentReport) -> None:
    for row, result in enumerate(report.entries):
        value, low, high = result.iqm.times(100)
        axes.plot([low, high], [row, row], "|-", color=f"C{row}", linewidth=1.5, markersize=7)
        axes.plot([value], [row], "o", color=f"C{row}", markersize=5)
        text = f"{value:.1f}" + (f" ({low:.1f} to {high:.1f})" if np.isfinite(low) else "")
        axes.annotate(
            text, (value, row), (0, 7), textcoords="offset points", ha="center", fontsize="x-small"
        )
    names = [_short(result.entry.name) for result in report.entries]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.3)
    axes.set_title("Final win share in %, all bots", fontsize="medium")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _draw_improvements(axes: "Axes", report: ExperimentReport) -> None:
    count = len(report.entries)
    chances = np.full((count, count), np.nan)
    for (row, column), (value, low, high) in report.improvements.items():
        chances[row, column] = value
        ink = _INK if 0.15 < value < 0.85 else "white"
        axes.text(column, row - 0.02, f"{value:.2f}", va="bottom", ha="center", color=ink)
        if np.isfinite(low):
            interval, small = f"{low:.2f} to {high:.2f}", "x-small"
            axes.text(
                column, row + 0.06, interval, va="top", ha="center", color=ink, fontsize=small
            )
    axes.set_facecolor(_NOT_PLAYED)
    axes.imshow(chances, cmap=_DIVERGING, vmin=0, vmax=1, aspect="auto")
    names = [_short(result.entry.name) for result in report.entries]
    axes.set_xticks(range(count), names, rotation=25, ha="right", rotation_mode="anchor")
    axes.set_title("Probability that the row\nis better than the column", fontsize="medium")
    axes.tick_params(length=0, labelleft=False)
    axes.spines[:].set_visible(False)


def _short(name: str) -> str:
    """A long name would leave no room for the numbers."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."
