"""The report on the terminal, as JSON and a web page, and its picture."""

import base64
import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE, INTERVALS, Estimate
from mindup_arena.report import RATING, WIN_SHARE, Report
from mindup_env import GameConfig
from mindup_env.checks import InputError, require, shortened
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
"""The titles and formats of what is known of a bot over all games."""
_LONGEST_NAME = 28  # in a picture
_LEAST_NAME = 9  # columns of the terminal
_BLACK = "#222222"
_GREY = "#888888"
_BLUE = "#2166ac"


class Table(NamedTuple):
    """Texts: the first of a row names it, and the second line of others is an interval."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def text_of(estimate: Estimate | None, form: str) -> str:
    """The value, and on a second line its interval."""
    if estimate is None:
        return ""
    value, *ends = map(form.format, estimate)
    return value if math.isnan(estimate.low) else f"{value}\n{'..'.join(ends)}"


def tables_of(report: Report) -> list[Table]:
    """The bots by rating, the cross table, and the differences."""
    names = labels(report.settings.names)
    placed = {bot: f"{place} {names[bot]}" for place, bot in enumerate(report.ranking, start=1)}
    found = [_bots_table(report, placed), _cross_table(report, placed)]
    if report.differences:
        found.append(_differences_table(report, names))
    return found


def _bots_table(report: Report, placed: Mapping[int, str]) -> Table:
    rows = []
    for bot, name in placed.items():
        texts = [text_of(report.bots[bot][key], form) for key, (_, form) in COLUMNS.items()]
        rows.append([name, *texts, _speed_text(report.times[bot].speed)])
    titles = [title for title, _ in COLUMNS.values()]
    head = ["", *titles, "decisions\nper s"]
    return Table(f"Bots by rating, over all games, with {COVERAGE} % intervals", head, rows)


def _speed_text(speed: float | None) -> str:
    if speed is None:
        return "-"
    return f"{speed:,.0f}" if speed > 10 else f"{speed:.2g}"


def _cross_table(report: Report, placed: Mapping[int, str]) -> Table:
    duels = report.cross_table
    ones = [bot for bot in placed if any(bot == one for one, _ in duels)]
    others = [bot for bot in placed if any(bot == other for _, other in duels)]
    rows = []
    for one in ones:
        shares = [text_of(duels.get((one, other)), "{:.1f}") for other in others]
        rows.append([placed[one], *shares])
    head = ["", *(placed[other] for other in others)]
    return Table("Win share % of one (row) against copies of another (column)", head, rows)


def _differences_table(report: Report, names: Sequence[str]) -> Table:
    rows = []
    for (one, other), (difference, deals) in report.differences.items():
        more = "never" if deals is None else f"{deals:,}"
        rows.append([f"{names[one]} - {names[other]}", text_of(difference, "{:+.1f}"), more])
    head = ["", "difference", "more deals to\ntell them apart"]
    return Table("Differences in points of win share, deal by deal", head, rows)


def about(report: Report) -> list[str]:
    """What was played, and a line for each bot that forfeited games."""
    settings = report.settings
    usual = GameConfig().to_dict() | {"num_players": 0}
    parts = [f"{settings.deals:,} deals in all seat rotations, {report.num_games:,} games"]
    for name, value in {**settings.config.to_dict(), "seed": settings.seed}.items():
        if value != usual.get(name):
            parts.append(f"{name.removeprefix('num_').replace('_', ' ')}: {value}")
    lines = [f"{', '.join(parts)}. Intervals: {INTERVALS}."]
    for bot, (games, first) in report.forfeits.items():
        lines.append(f"{settings.names[bot]} forfeited {games:,} games, first in {first}")
    return lines


def print_report(report: Report, console: "Console | None" = None) -> None:
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
    longest = max(len(row[0]) for row in table.rows)
    forms = (longest, table.head, table.rows), (_LEAST_NAME, places, table.rows), (0, places, short)
    for least, head, rows in forms:
        widths = _widths(head, rows)
        room = console.width - sum(widths) - 1
        if room >= least:
            break
    printed = RichTable(box=None, padding=(0, 1, 0, 0))
    printed.add_column(Text(head[0]), overflow="fold")
    for title, width in zip(head[1:], widths, strict=True):
        printed.add_column(Text(title), justify="right", min_width=width - 1)
    for name, *texts in rows:
        parts = (each.partition("\n") for each in texts)
        cells = (Text.assemble(text, (end + low, "dim")) for text, end, low in parts)
        printed.add_row(Text(fill(name, max(room, _LEAST_NAME))), *cells)
    console.print(Text(table.title, "italic"))
    console.print(printed, crop=False)


def _widths(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The widths of all columns but the first, each with a space."""
    columns = ["\n".join(column) for column in zip(head, *rows, strict=True)]
    return [1 + max(map(len, column.split("\n"))) for column in columns[1:]]


def write_json(path: Path, report: Report) -> None:
    write_plain(path, report.to_dict())


def csv_text(lines: Iterable[Iterable[Any]]) -> str:
    """The first line has the names of the columns."""
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
    """Draws the cross table and the ratings; the suffix selects the format."""
    save_figure(path, make_figure(report))


def make_figure(report: Report) -> "Figure":
    """A matplotlib figure with the best bot on top."""
    size = len(report.bots)
    played, _, _ = about(report)[0].partition(".")
    figure = open_figure(5.2 + 1.2 * size, 1.9 + 0.62 * size, played)
    cross_table, ratings = figure.subplots(1, 2, width_ratios=(size, 2.6), sharey=True)
    _draw_cross_table(cross_table, report)
    estimates = [report.bots[bot][RATING] for bot in report.ranking]
    draw_estimates(ratings, estimates, COLUMNS[RATING][1])
    ratings.set_title("Rating", fontsize="medium")
    ratings.tick_params(axis="y", labelleft=False)
    return figure


def _draw_cross_table(axes: "Axes", report: Report) -> None:
    order = report.ranking
    size = len(order)
    values = np.full((size, size), np.nan)
    for (one, other), share in report.cross_table.items():
        row = order.index(one)
        column = order.index(other)
        values[row, column] = share.value
        ink = _BLACK if 20 < share.value < 80 else "white"
        text = text_of(share, "{:.1f}")
        axes.text(column, row, text, va="center", ha="center", color=ink, fontsize="small")
    # White is equal play for any number of players; an empty cell was not played.
    equal = 100 / report.settings.config.num_players
    shades = np.interp(values, [0, equal, 100], [0, 0.5, 1])
    axes.imshow(shades, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    names = labels(report.settings.names)
    titles = [shortened(names[bot], _LONGEST_NAME) for bot in order]
    axes.set_xticks(range(size), titles, rotation=25, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), titles)
    axes.set_title(f"Win share in % against copies, {equal:.3g} is equal play", fontsize="medium")


def draw_estimates(axes: "Axes", estimates: Sequence[Estimate], form: str) -> None:
    """Draws a row for each estimate: a point on its interval, with its number."""
    axes.axvline(0, color=_GREY, linewidth=0.8, linestyle=":")
    for row, (value, low, high) in enumerate(estimates):
        axes.plot([low, high], [row, row], "|-", color=_BLUE, linewidth=1.5, markersize=7)
        axes.plot([value], [row], "o", color=_BLUE, markersize=5)
        text = form.format(value)
        axes.annotate(text, (value, row), (0, 7), textcoords="offset points", ha="center")
    axes.margins(x=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def open_figure(width: float, height: float, note: str) -> "Figure":
    """A figure, in inches, independent of pyplot; the note is above its panels."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(note, color=_GREY, fontsize="small")
    return figure


def save_figure(path: Path, figure: "Figure") -> None:
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
        raise InputError(f"cannot draw {path.name!r}; accepted suffixes: .{', .'.join(known)}")
    return found
