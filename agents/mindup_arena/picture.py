"""The report as a picture: the cross table as a heat map, and the ratings."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE
from mindup_arena.report import RATING, Report
from mindup_arena.report_files import COLUMNS, duels_table
from mindup_env.report.picture import (
    GREY,
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
_BLUE = "#2166ac"


def draw(path: Path, report: Report) -> None:
    """Draws the cross table and the ratings.

    Args:
        path: The file to write; its suffix (.png, .svg, .pdf) selects the format.
        report: The report of an arena.
    """
    save_figure(path, make_figure(report))


def make_figure(report: Report) -> "Figure":
    """A matplotlib figure independent of pyplot, with the best bot on top."""
    settings, bots = report.settings, len(report.settings.bots)
    figure = open_figure(
        5.2 + 1.2 * bots,
        1.9 + 0.62 * bots,
        f"{settings.config.num_players} players, {settings.deals:,} deals in all seat rotations, "
        f"{report.num_games:,} games; {COVERAGE} % intervals over deals",
    )
    cross_table, ratings = figure.subplots(1, 2, width_ratios=(bots, 2.6), sharey=True)
    _draw_duels(cross_table, report)
    ratings.axvline(0, color=GREY, linewidth=0.8, linestyle=":")
    rated = [report.bots[bot][RATING] for bot in report.ranking]
    draw_intervals(
        ratings, replace(COLUMNS[-1], title="Plackett-Luce rating"), rated, [_BLUE] * bots
    )
    ratings.set_xlabel("400 points: ten times the strength")
    ratings.tick_params(axis="y", labelleft=False)
    return figure


def _draw_duels(axes: "Axes", report: Report) -> None:
    from matplotlib.colors import TwoSlopeNorm  # noqa: PLC0415

    equal = 100 / report.settings.config.num_players
    keys = report.settings.bots
    names = [shortened(name, LONGEST_NAME) for name in labels(keys)]
    shown = {keys[bot]: names[bot] for bot in report.ranking}
    played = {keys[duel.field] for duel in report.cross_table}
    title = f"Win share of one in %, equal play is {equal:.3g}"
    # White is equal play for any number of players; an empty cell was not played.
    colours = TwoSlopeNorm(equal, 0, 100)
    rivals = {key: name for key, name in shown.items() if key in played}
    draw_cross_table(axes, duels_table(report).crossed(title, shown, rivals), colours)
    axes.set_xlabel("against copies of")
