"""The report as pictures: learning curves with bands, and the final scores with intervals."""

import math
from typing import TYPE_CHECKING

import numpy as np

from mindup_arena.estimate import COVERAGE
from mindup_env.report import Column
from mindup_env.report.picture import (
    GREY,
    draw_cross_table,
    draw_intervals,
    open_figure,
    shortened,
)
from mindup_training.experiment.report import ALL, ExperimentReport, improvements_table

if TYPE_CHECKING:  # matplotlib is an extra, and slow to load
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LONGEST_NAME = 40
_COLUMNS = 3  # of panels


def make_curves(report: ExperimentReport) -> "Figure":
    """A panel for each bot that has curves, with a curve and a band for each entry."""
    bots = [bot for bot in report.bots if any(bot in each.curves for each in report.entries)]
    bots = bots or list(report.bots)  # of learners without evaluations: empty panels
    columns = min(_COLUMNS, len(bots))
    rows = math.ceil(len(bots) / columns)
    note = f"Win share in %: interquartile mean over runs, with {COVERAGE} % intervals"
    figure = open_figure(1 + 4 * columns, 1.2 + 3 * rows, note)
    panels = figure.subplots(rows, columns, sharex=True, squeeze=False).flatten()
    for axes, bot in zip(panels, bots, strict=False):
        _draw_curves_against(axes, report, bot)
    for axes in panels[len(bots) :]:
        axes.remove()
    lines = [line for axes in panels[: len(bots)] for line in axes.get_lines()]
    legend = {line.get_label(): line for line in lines}
    figure.legend(handles=legend.values(), loc="outside lower center", ncols=2, frameon=False)
    return figure


def make_scores(report: ExperimentReport) -> "Figure":
    """The final interquartile means, and the probabilities of improvement."""
    from matplotlib.colors import Normalize  # noqa: PLC0415

    names = {result.name: _short(result.name) for result in report.entries}
    count = len(names)
    # A single entry improves on no other.
    widths = [4.5, 1.1 * count] if count > 1 else [4.5]
    figure = open_figure(
        2.8 + sum(widths),
        1.7 + 0.62 * count,
        f"{report.settings.evaluation_deals} deals against each of {', '.join(report.bots)}; "
        f"{COVERAGE} % intervals over runs",
    )
    scores, *more = figure.subplots(
        1, len(widths), width_ratios=widths, sharey=True, squeeze=False
    )[0]
    column = Column("iqm", "Final win share in %, all bots", "{:.1f}")
    values = [result.iqm[ALL].times(100) for result in report.entries]
    draw_intervals(scores, column, values, [f"C{row}" for row in range(count)])
    scores.set_yticks(range(count), names.values())
    scores.set_ylim(count - 0.5, -0.5)
    for axes in more:
        title = "Probability that the row\nis better than the column"
        table = improvements_table(report).crossed(title, names, names)
        draw_cross_table(axes, table, Normalize(0, 1))
        axes.tick_params(labelleft=False)
    return figure


def _draw_curves_against(axes: "Axes", report: ExperimentReport, bot: str) -> None:
    from matplotlib.ticker import EngFormatter  # noqa: PLC0415

    if report.equal_share:
        equal = 100 * report.equal_share
        axes.axhline(equal, color=GREY, linestyle=":", linewidth=1, label="equal")
    for place, result in enumerate(report.entries):
        if bot not in result.curves:
            continue
        curve, colour = result.curves[bot], f"C{place}"
        value, low, high = 100 * np.array(curve.estimates).T
        runs = f"{_short(result.name)} ({len(result.runs)} runs)"
        axes.plot(curve.timesteps, value, color=colour, marker="o", markersize=2.5, label=runs)
        axes.fill_between(curve.timesteps, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.set_title(f"against {_short(bot)}", fontsize="medium")
    axes.set_xlabel("decisions learned from")
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlim(left=0)
    axes.spines[["top", "right"]].set_visible(False)


def _short(name: str) -> str:
    return shortened(name, _LONGEST_NAME)
