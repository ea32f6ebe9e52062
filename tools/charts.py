"""Pictures of results: the policies of ``make train`` beside the bots, and exact exploitability."""

from math import nan
from pathlib import Path

from mindup_env.report.picture import GREY, INK, open_figure, save_figure
from mindup_env.variants import VARIANTS
from tools.tables.exact import OPPONENT, is_bot, points
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


LEARNERS = {
    "CFR+": INK,
    "PPO": "#e41a1c",
    "MMD": "#377eb8",
    "NFSP": "#4daf4a",
    "bidding-1": "#984ea3",
    "MAPPO": "#a65628",
    "DQN": "#f781bf",
}
"""The learners of small games, by their colours."""
MARKERS = {
    "random": "x",
    "lowest": "v",
    "highest": "^",
    "greedy": "s",
    "planner": "D",
    "predictor": "P",
    "search": "*",
}
_CLOSE, _LEAST = 0.5, 0.005
"""Percent: less is drawn as close to optimal; and as this, because the scale has no 0."""


def draw_exact(path: Path) -> None:
    """For each small game, exploitability over training, and below how strong the players are."""
    figure = open_figure(13, 6.4, f"green: exploitability below {_CLOSE} %; dotted lines: bots")
    rows = figure.subplots(2, len(VARIANTS), sharey=True)
    for over_time, beside, game in zip(*rows, VARIANTS, strict=True):
        for name, measured in points(game).items():
            values = [max(_LEAST, 100 * each["exploitability"]) for each in measured]
            shares = [100 * each["win_share"][OPPONENT] for each in measured]
            if is_bot(measured[0]):
                over_time.axhline(values[0], color=GREY, linestyle=":", linewidth=1)
                beside.plot(shares, values, MARKERS[name], color=GREY, label=name)
                continue
            learned = [each.get("decisions", each.get("iterations")) or nan for each in measured]
            over_time.plot(learned, values, ".-", color=LEARNERS[name], label=name)
            beside.plot(shares, values, "-", color=LEARNERS[name], alpha=0.3)
            beside.plot(shares[-1], values[-1], "o", color=LEARNERS[name])
        for axes in (over_time, beside):
            axes.axhspan(_LEAST / 2, _CLOSE, color="#e5f5e0", zorder=0)
            axes.set_yscale("log")
            axes.set_ylim(_LEAST * 0.8, 60)
            axes.spines[["top", "right"]].set_visible(False)
        over_time.set_xscale("log")
        over_time.set_title(game)
        over_time.set_xlabel("decisions; iterations of CFR+", color=INK)
        beside.set_xlabel(f"win share in % against {OPPONENT}", color=INK)
    for axes in rows[:, 0]:
        axes.set_ylabel("exploitability in %", color=INK)
        axes.legend(loc="lower left", frameon=False, fontsize="small")
    save_figure(path, figure)
