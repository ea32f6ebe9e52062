"""The picture of docs/why.md, for papers too, and the curves of docs/results.md."""

from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from mindup_env.report.picture import GREY, INK, open_figure, save_figure
from tools.tables.learners import Point, learning_curves
from tools.tables.reports import report
from tools.tables.why import SELF_PLAY, by_strength
from tools.why.learners import LEARNERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"greedy": "#9ecae1", "planner": "#3182bd", "champion-2": "#08306b"}
"""Of the opponents."""
LINES = dict(zip(SELF_PLAY, ("-", "--"), strict=True))
KNOWING = ("bots_position",)
"""What they read contains a bot's answer."""
KINDS = {"sees the hands": "#2ca02c", "forgets what was shown": "#d95f02"}


def draw_why(path: Path) -> None:
    """What information is worth, what self-play learns, and which bot beats which."""
    figure = open_figure(12, 4, "one bot or policy against three copies of another, 4 players")
    information, learning, cycles = figure.subplots(1, 3)
    draw_information(information)
    draw_learning(learning)
    draw_cycles(cycles)
    for axes in (information, learning):
        axes.axhline(25, color=GREY, linestyle=":")
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylabel("win share in %", color=INK)
    save_figure(path, figure)


def draw_information(axes: "Axes") -> None:
    """A point with its interval for each round in which a search knows more or less."""
    rounds: dict[str, int] = {}
    for name, found in report("why/information").items():
        kind, _, round_ = name.partition(", ")
        place = rounds.setdefault(round_, len(rounds)) + 0.1 * (kind == "sees the hands")
        value, low, high = found["win_share"]
        axes.vlines(place, low, high, color=KINDS[kind])
        axes.plot(place, value, "o", color=KINDS[kind], label=kind if round_ == "round 2" else None)
    axes.set_xticks(range(len(rounds)), [*rounds])
    axes.set_title("one search knows more or less than three", fontsize="medium")
    axes.legend(frameon=False, loc="lower left")


def draw_learning(axes: "Axes") -> None:
    """Self-play against each bot."""
    curves = learning_curves()
    for bot, colour in COLOURS.items():
        axes.plot([], [], color=colour, label=f"against {bot}")
        for learner, line in LINES.items():
            draw_curve(axes, curves[learner], bot, line, color=colour)
    for learner, line in LINES.items():
        axes.plot([], [], line, color=INK, label=learner)
    axes.set_title("self-play", fontsize="medium")
    axes.set_ylim(top=90)  # the legend stays clear of the curves
    axes.legend(frameon=False, fontsize="small", loc="upper left")


def draw_curve(axes: "Axes", seeds: list[list[Point]], bot: str, line: str, **look: Any) -> None:
    """The mean of the seeds at each policy that was kept, and a band from lowest to highest."""
    played = [points for points in zip(*seeds, strict=True) if bot in points[0]]
    decisions = [first["decisions"] for first, *_ in played]
    values = [[point[bot] for point in points] for points in played]
    (drawn,) = axes.plot(decisions, [fmean(each) for each in values], line, **look)
    band = [*map(min, values)], [*map(max, values)]
    axes.fill_between(decisions, *band, color=drawn.get_color(), alpha=0.2, linewidth=0)
    axes.set_xscale("symlog", linthresh=10_000)
    axes.set_xlabel("decisions", color=INK)


def draw_learners(path: Path) -> None:
    """The curves of all learners against each bot."""
    found = learning_curves().items()
    curves = {name: curve for name, curve in found if not LEARNERS[name].like}
    figure = open_figure(12, 4.5, "one policy against three copies of a bot, 4 players")
    rows = figure.subplots(1, len(COLOURS), sharex=True)
    for axes, bot in zip(rows, COLOURS, strict=True):
        for place, (learner, seeds) in enumerate(curves.items()):
            line = "--" if learner in KNOWING else "-"
            colour = f"C{place}" if place < 10 else INK  # there are ten colours
            draw_curve(axes, seeds, bot, line, color=colour, label=learner)
        axes.axhline(25, color=GREY, linestyle=":")
        axes.set_title(f"against {bot}", fontsize="medium")
        axes.spines[["top", "right"]].set_visible(False)
    rows[0].set_ylabel("win share in %", color=INK)
    figure.legend(*rows[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    save_figure(path, figure)


def draw_cycles(axes: "Axes") -> None:
    """The cross table as colours, the bots with the highest mean win share first."""
    found = report("why/cycles")["cross table"]
    order = by_strength(found)
    shares = [[found["win_shares"][row][column][0] for column in order] for row in order]
    image = axes.imshow(shares, cmap="RdBu", vmin=0, vmax=50)
    axes.set_yticks(range(len(order)), [found["bots"][bot] for bot in order], fontsize=5)
    axes.set_xticks([])
    axes.set_xlabel("three of the same bots, in the same order", color=INK)
    axes.set_title("one of each bot", fontsize="medium")
    axes.figure.colorbar(image, ax=axes, shrink=0.8, label="win share in %")
