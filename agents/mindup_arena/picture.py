"""The report as a picture: the cross table as a heat map, the ratings, and who beats whom."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE
from mindup_arena.report import RATING, Report
from mindup_arena.report_files import COLUMNS, duels_table
from mindup_env.report.picture import (
    GREY,
    INK,
    draw_cross_table,
    draw_intervals,
    open_figure,
    save_figure,
)
from mindup_env.settings.checks import shortened

if TYPE_CHECKING:  # matplotlib is an extra, and slow to load
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST_NAME = 28
SHARES = {"nash_weight": "Nash weight", "alpha_rank": "alpha-rank"}
_BLUE, _BARS = "#2166ac", ("#4393c3", "#b2abd2")


def draw(path: Path, report: Report) -> None:
    """Draws the cross table, the ratings and, if the report has them, the Nash weights.

    Args:
        path: The file to write; its suffix (.png, .svg, .pdf) selects the format.
        report: The report of an arena.
    """
    save_figure(path, make_figure(report))


def make_figure(report: Report) -> "Figure":
    """A matplotlib figure independent of pyplot, with the best bot on top."""
    settings, bots = report.settings, len(report.settings.bots)
    shares = {name: title for name, title in SHARES.items() if name in report.bots[0]}
    widths = (bots, 2.6, 1.8) if shares else (bots, 2.6)
    figure = open_figure(
        2.6 + 1.2 * bots + sum(widths[1:]),
        1.9 + 0.62 * bots,
        f"{settings.config.num_players} players, {settings.deals:,} deals in all seat rotations, "
        f"{report.num_games:,} games; {COVERAGE} % intervals over deals",
    )
    cross_table, ratings, *more = figure.subplots(1, len(widths), width_ratios=widths, sharey=True)
    _draw_duels(cross_table, report)
    ratings.axvline(0, color=GREY, linewidth=0.8, linestyle=":")
    rated = [report.bots[bot][RATING] for bot in report.ranking]
    draw_intervals(
        ratings, replace(COLUMNS[-1], title="Plackett-Luce rating"), rated, [_BLUE] * bots
    )
    ratings.set_xlabel("400 points: ten times the strength")
    ratings.tick_params(axis="y", labelleft=False)
    for axes in more:
        _draw_shares(axes, report, shares)
    return figure


def _draw_duels(axes: "Axes", report: Report) -> None:
    from matplotlib.colors import TwoSlopeNorm  # noqa: PLC0415

    equal = 100 / report.settings.config.num_players
    keys = report.settings.display_names
    names = [shortened(name, LONGEST_NAME) for name in labels(keys)]
    shown = {keys[bot]: names[bot] for bot in report.ranking}
    played = {keys[duel.field] for duel in report.cross_table}
    title = f"Win share of one in %, equal play is {equal:.3g}"
    # White is equal play for any number of players; an empty cell was not played.
    colours = TwoSlopeNorm(equal, 0, 100)
    rivals = {key: name for key, name in shown.items() if key in played}
    draw_cross_table(axes, duels_table(report).crossed(title, shown, rivals), colours)
    axes.set_xlabel("against copies of")


def _draw_shares(axes: "Axes", report: Report, shares: dict[str, str]) -> None:
    """The shares of the bots in an equilibrium, as bars: more than one bot has some in a cycle."""
    height = 0.7 / len(shares)
    for index, ((name, title), colour) in enumerate(zip(shares.items(), _BARS, strict=False)):
        rows = np.arange(len(report.bots)) + (index - (len(shares) - 1) / 2) * height
        values, low, high = np.array([report.bots[bot][name] for bot in report.ranking]).T
        lengths = np.nan_to_num([values - low, high - values]).clip(0)
        bars = axes.barh(
            rows,
            values,
            height,
            color=colour,
            label=title,
            xerr=lengths,
            error_kw={"ecolor": INK, "elinewidth": 0.8},
        )
        axes.bar_label(bars, fmt="{:.0f}", padding=3, fontsize="x-small")
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
