"""The report on the terminal, as JSON, CSV and a web page, and its picture."""

import base64
import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE, INTERVALS, Estimate
from mindup_arena.report import RATING, WIN_SHARE, Report
from mindup_env import GameConfig
from mindup_env.checks import require, shortened
from mindup_env.files import atomic_write, write_plain, write_text

if TYPE_CHECKING:  # extras, and slow to load
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.console import Console

COLUMNS = {
    WIN_SHARE: ("win\nshare %", "{:.1f}"),
    "mean_score": ("mean\nscore", "{:.1f}"),
    "mean_rank": ("mean\nrank", "{:.2f}"),
    "margin": ("margin", "{:+.1f}"),
    RATING: ("rating", "{:+.0f}"),
}
"""The titles and formats of what is known of every bot over all games."""
_LONGEST_NAME = 28  # in a picture
_LEAST_NAME = 9  # columns of the terminal
INK, GREY, _BLUE, _DIVERGING = "#222222", "#888888", "#2166ac", "RdBu"


class Table(NamedTuple):
    """A table as people read it: the first text of a row names it, a second line is an interval."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def text_of(estimate: Estimate | None, form: str) -> str:
    """An estimate as people read it; empty if there is none."""
    if estimate is None:
        return ""
    value, *ends = map(form.format, estimate)
    return value if math.isnan(estimate.low) else f"{value}\n{'..'.join(ends)}"


def speed_text(speed: float | None) -> str:
    """Decisions per second, short."""
    return "-" if speed is None else f"{speed:,.0f}" if speed > 10 else f"{speed:.2g}"


def tables_of(report: Report) -> list[Table]:
    """The bots by rating, the cross table, and the differences."""
    names = labels(report.settings.names)
    placed = {bot: f"{place} {names[bot]}" for place, bot in enumerate(report.ranking, start=1)}
    bots = [
        [
            name,
            *(text_of(report.bots[bot][key], form) for key, (_, form) in COLUMNS.items()),
            speed_text(report.times[bot].speed),
        ]
        for bot, name in placed.items()
    ]
    duels = report.cross_table
    fields = [bot for bot in placed if any(other == bot for _, other in duels)]
    cross = [
        [name, *(text_of(duels.get((bot, other)), "{:.1f}") for other in fields)]
        for bot, name in placed.items()
        if any(one == bot for one, _ in duels)
    ]
    title = f"Bots over all games, with {COVERAGE} % intervals"
    found = [Table(title, ["", *(head for head, _ in COLUMNS.values()), "decisions\nper s"], bots)]
    title = "Win share % of one (row) against copies of another (column)"
    found.append(Table(title, ["", *(placed[other] for other in fields)], cross))
    if report.differences:
        rows = [
            [
                f"{names[one]} - {names[other]}",
                text_of(difference.estimate, "{:+.1f}"),
                "never" if difference.more_deals is None else f"{difference.more_deals:,}",
            ]
            for (one, other), difference in report.differences.items()
        ]
        title = "Differences in points of win share, deal by deal"
        found.append(Table(title, ["", "difference", "more deals to\ntell them apart"], rows))
    return found


def about(report: Report) -> list[str]:
    """What was played, and a line for each bot that forfeited games."""
    settings, usual = report.settings, GameConfig().to_dict() | {"num_players": 0}
    parts = [f"{settings.deals:,} deals in all seat rotations, {report.num_games:,} games"]
    for name, value in {**settings.config.to_dict(), "seed": settings.seed}.items():
        if value != usual.get(name):
            parts.append(f"{name.removeprefix('num_').replace('_', ' ')}: {value}")
    return [f"{', '.join(parts)}. Intervals: {INTERVALS}."] + [
        f"{settings.names[bot]} forfeited {lost.games:,} games, first in {lost.first}"
        for bot, lost in report.forfeits.items()
    ]


def print_report(report: Report, console: "Console | None" = None) -> None:
    """Prints the report, by default on the terminal."""
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = console or Console()
    played, *forfeits = about(report)
    console.print(Text(played, "dim"))
    for table in tables_of(report):
        print_table(table, console)
    for line in forfeits:
        console.print(Text(line, "red"))


def print_table(table: Table, console: "Console") -> None:
    """Prints a table; where there is no room for its intervals, without them.

    Long names are folded, and numbers never.
    """
    from rich.table import Table as RichTable  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    # The first word of a title is the place of a bot, which its row has too.
    places = [each.partition(" ")[0] if each[:1].isdigit() else each for each in table.head]
    short = [[text.partition("\n")[0] for text in row] for row in table.rows]
    forms = (table.head, table.rows), (places, table.rows), (places, short)
    fitting = [each for each in forms if _LEAST_NAME + sum(_widths(*each)) <= console.width]
    head, rows = [*fitting, forms[-1]][0]
    widths = _widths(head, rows)
    printed = RichTable(box=None, padding=(0, 1, 0, 0))
    room = max(console.width - sum(widths) - 1, _LEAST_NAME)
    printed.add_column(Text(head[0]), overflow="fold", max_width=room)
    for title, width in zip(head[1:], widths, strict=True):
        printed.add_column(Text(title), justify="right", min_width=width - 1)
    for row in rows:
        parts = (each.partition("\n") for each in row)
        printed.add_row(*(Text.assemble(text, (end + low, "dim")) for text, end, low in parts))
    console.print(Text(table.title, "italic"))
    console.print(printed, crop=False)


def _widths(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The widths of all columns but the first, each with a space."""
    columns = zip(head, *rows, strict=True)
    lines = [[line for each in column for line in each.split("\n")] for column in columns]
    return [1 + max(map(len, column)) for column in lines[1:]]


def write_json(path: Path, report: Report) -> None:
    """Writes the report as JSON."""
    write_plain(path, report.to_dict())


def write_csv(path: Path, report: Report) -> None:
    """Writes the report as CSV: a line for each number of a bot, or of two in ``bot, against``."""
    plain, lines = report.to_dict(), [["bot", "against", "measure", "value", "low", "high"]]
    for kind, keys, measures in (
        ("bots", ("name", ""), [*COLUMNS]),
        ("cross_table", ("one", "field"), [WIN_SHARE]),
        ("differences", ("one", "other"), ["difference"]),
    ):
        for each in plain[kind]:
            for name in measures:
                numbers = (each[name + end] for end in ("", "_low", "_high"))
                lines.append([*(each.get(key, "") for key in keys), name, *numbers])
    write_text(path, csv_text(lines))


def csv_text(lines: Iterable[Iterable[Any]]) -> str:
    """Lines as CSV; the first has the names of the columns."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def write_html(path: Path, report: Report) -> None:
    """Writes the report as a web page that loads nothing and runs no script."""
    page = html_page("Mind Up! arena", about(report), tables_of(report), make_figure(report))
    write_text(path, page)


def html_page(title: str, lines: Sequence[str], tables: Sequence[Table], figure: "Figure") -> str:
    """A page of texts, tables and a picture; every text is escaped."""
    from jinja2 import StrictUndefined, Template  # noqa: PLC0415

    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=150)
    encoded = base64.b64encode(picture.getvalue()).decode()
    source = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    page = Template(source, autoescape=True, undefined=StrictUndefined)
    return page.render(title=title, lines=lines, tables=tables, picture=encoded)


def draw(path: Path, report: Report) -> None:
    """Draws the cross table and the ratings; the suffix (.png, .svg, .pdf) selects the format."""
    save_figure(path, make_figure(report))


def make_figure(report: Report) -> "Figure":
    """A matplotlib figure independent of pyplot, with the best bot on top."""
    order, size = report.ranking, len(report.bots)
    names = [shortened(name, _LONGEST_NAME) for name in labels(report.settings.names)]
    figure = open_figure(5.2 + 1.2 * size, 1.9 + 0.62 * size, about(report)[0].partition(".")[0])
    cross_table, ratings = figure.subplots(1, 2, width_ratios=(size, 2.6), sharey=True)
    values = np.full((size, size), np.nan)
    for (one, other), share in report.cross_table.items():
        at = order.index(one), order.index(other)
        values[at] = share.value
        ink, text = INK if 20 < share.value < 80 else "white", text_of(share, "{:.1f}")
        cross_table.text(*at[::-1], text, va="center", ha="center", color=ink, fontsize="small")
    # White is equal play for any number of players; an empty cell was not played.
    equal = 100 / report.settings.config.num_players
    shades = np.interp(values, [0, equal, 100], [0, 0.5, 1])
    cross_table.imshow(shades, cmap=_DIVERGING, vmin=0, vmax=1, aspect="auto")
    titles = [names[bot] for bot in order]
    cross_table.set_xticks(range(size), titles, rotation=25, ha="right", rotation_mode="anchor")
    cross_table.set_yticks(range(size), titles)
    cross_table.set_title(
        f"Win share in % against copies, {equal:.3g} is equal play", fontsize="medium"
    )
    draw_estimates(ratings, [report.bots[bot][RATING] for bot in order], COLUMNS[RATING][1])
    ratings.set_title("Rating")
    ratings.tick_params(axis="y", labelleft=False)
    return figure


def draw_estimates(axes: "Axes", estimates: Sequence[Estimate], form: str) -> None:
    """Draws a row for each estimate: a point on its interval, with its number."""
    axes.axvline(0, color=GREY, linewidth=0.8, linestyle=":")
    for row, (value, low, high) in enumerate(estimates):
        axes.plot([low, high], [row, row], "|-", color=_BLUE, linewidth=1.5, markersize=7)
        axes.plot([value], [row], "o", color=_BLUE, markersize=5)
        axes.annotate(
            form.format(value), (value, row), (0, 7), textcoords="offset points", ha="center"
        )
    axes.margins(x=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


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
