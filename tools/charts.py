"""The picture of the README: how strong the policies of ``make train`` are beside the bots."""

from pathlib import Path

from mindup_env.report.picture import GREY, INK, open_figure, save_figure
from tools.tables.reports import names, values_between
from tools.tables.win_shares import BOTS, DUELS

RIVALS = [*reversed(BOTS), "champion-1"]
COMPARED = {
    "planner": "#9ecae1",
    "predictor": "#6baed6",
    "search": "#3182bd",
    "champion-2": "#08519c",
}
"""The bots that are drawn too, by their colours."""
OWN = "#d95f02"


def draw_make_train(path: Path) -> None:
    """One row for each rival; policies of ``make train`` with intervals, and other bots."""
    figure = open_figure(8, 3.4, "one bot against three copies of another")
    axes = figure.subplots()
    shares = values_between(*DUELS)
    for bot, colour in COMPARED.items():
        rows = [row for row, rival in enumerate(RIVALS) if (bot, rival) in shares]
        played = [shares[bot, RIVALS[row]][0] for row in rows]
        axes.plot(played, rows, "D", color=colour, label=bot)
    for place, name in enumerate(names("bidding/quick-seed")):
        heights = [row - 0.12 * (place - 1) for row in range(len(RIVALS))]
        values, lows, highs = zip(*values_between(name).values(), strict=True)
        axes.hlines(heights, lows, highs, color=OWN)
        label = "make train, three seeds" if place == 0 else None
        axes.plot(values, heights, "o", color=OWN, label=label)
    axes.axvline(25, color=GREY, linestyle=":")
    axes.text(26, -0.5, "equal play", color=GREY, va="center")
    axes.set_yticks(range(len(RIVALS)), [f"against {rival}" for rival in RIVALS])
    axes.set_ylim(len(RIVALS) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("win share in %", color=INK)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="y", color="#eeeeee")
    axes.set_axisbelow(True)
    axes.legend(loc="lower right", frameon=False)
    save_figure(path, figure)
