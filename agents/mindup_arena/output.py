"""The report on the terminal, as JSON and a web page, and its picture."""

import base64
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.labels import labels
from mindup_arena.estimate import INTERVALS, Estimate
from mindup_arena.report import RATING, WIN_SHARE, Report
from mindup_env import GameConfig
from mindup_env.checks import InputError, shortened, shown
from mindup_env.config import VARIANTS
from mindup_env.files import atomic_write, write_plain, write_text

if TYPE_CHECKING:  # extras, and slow to load
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.console import Console

COLUMNS = {
    WIN_SHARE: ("win\nshare %", "{:.1f}"),
    "mean_score": ("mean\nscore", "{:.1f}"),
    "mean_rank": ("mean\nrank", "{:.2f}"),
    RATING: ("rating", "{:+z.0f}"),
}
"""The titles and formats of what is known of a bot over all games."""
_PICTURES = ".png", ".svg", ".pdf"
_LONGEST_NAME = 28  # in a picture
_LEAST_NAME = 9  # columns of the terminal
_BLACK = "#222222"
_GREY = "#888888"


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
    """The bots by rating and who beats whom; or the win shares from rivals, and differences."""
    settings = report.settings
    names = labels(settings.names)
    if settings.against:
        rivals = {bot: names[bot] for bot in map(settings.names.index, settings.against)}
        shares = _cross_table(report, {bot: names[bot] for bot in report.ranking}, rivals)
        differences = [_differences_table(report, names)] if report.differences else []
        return [shares, *differences]
    placed = {bot: f"{place} {names[bot]}" for place, bot in enumerate(report.ranking, start=1)}
    return [_bots_table(report, placed), _cross_table(report, placed, placed)]


def _bots_table(report: Report, placed: Mapping[int, str]) -> Table:
    rows = []
    for bot, name in placed.items():
        texts = [text_of(report.bots[bot][key], form) for key, (_, form) in COLUMNS.items()]
        rows.append([name, *texts])
    head = ["", *(title for title, _ in COLUMNS.values())]
    return Table("Bots by rating, over all games", head, rows)


def _cross_table(report: Report, ones: Mapping[int, str], others: Mapping[int, str]) -> Table:
    rows = []
    for one, name in ones.items():
        shares = [text_of(report.cross_table.get((one, other)), "{:.1f}") for other in others]
        rows.append([name, *shares])
    title = "Win share % of one (row) against copies of another (column), equal play"
    equal = 100 / report.settings.config.num_players
    return Table(f"{title} {equal:.3g}", ["", *others.values()], rows)


def _differences_table(report: Report, names: Sequence[str]) -> Table:
    rows = []
    for (one, other), (difference, deals) in report.differences.items():
        more = "never" if deals is None else f"{deals:,}"
        rows.append([f"{names[one]} - {names[other]}", text_of(difference, "{:+z.1f}"), more])
    head = ["", "difference", "more deals to\ntell them apart"]
    return Table("Differences in points of win share, deal by deal", head, rows)


def about(report: Report) -> list[str]:
    """What was played, and a line for each bot that forfeited games."""
    settings = report.settings
    usual = GameConfig().to_dict() | {"num_players": 0}
    parts = [f"{settings.deals:,} deals in all seat rotations, {report.num_games:,} games"]
    small = [name for name, config in VARIANTS.items() if config == settings.config]
    game = {"game": small[0]} if small else settings.config.to_dict()
    for name, value in {**game, "seed": settings.seed}.items():
        if value != usual.get(name):
            parts.append(f"{name.removeprefix('num_').replace('_', ' ')}: {value}")
    lines = [", ".join(parts)]
    for bot, (games, first) in report.forfeits.items():
        lines.append(f"{settings.names[bot]} forfeited {games:,} of its games, first in {first}")
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
    console.print(Text(INTERVALS, "dim"))


def print_table(table: Table, console: "Console") -> None:
    """Prints a table, in several parts if the terminal is narrower.

    Numbers and intervals are never folded; a name only if it leaves no room for the widest column.
    """
    from rich.table import Table as RichTable  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    names, *columns = zip(table.head, *table.rows, strict=True)
    widths = [min(1 + _width(column), console.width - _LEAST_NAME) for column in columns]
    of_names = min(_width(names), console.width - max(widths))
    console.print(Text(table.title, "italic"))
    while columns:
        fitting = sum(of_names + total <= console.width for total in accumulate(widths))
        printed = RichTable(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        printed.add_column(Text(names[0]), width=of_names)
        for title, *texts in columns[:fitting]:
            printed.add_column(Text(title), justify="right", min_width=_width(texts))
        for name, *texts in zip(
            names[1:], *(column[1:] for column in columns[:fitting]), strict=True
        ):
            parts = (each.partition("\n") for each in texts)
            cells = (Text.assemble(text, (end + low, "dim")) for text, end, low in parts)
            printed.add_row(Text(fill(name, of_names)), *cells)
        console.print(printed, crop=False)
        columns = columns[fitting:]
        widths = widths[fitting:]


def _width(texts: Iterable[str]) -> int:
    return max(len(line) for text in texts for line in text.split("\n"))


def write_json(path: Path, report: Report) -> None:
    write_plain(path, report.to_dict())


def write_html(path: Path, report: Report) -> None:
    """Writes the report as a web page that loads nothing and runs no script."""
    lines = [*about(report), INTERVALS]
    page = html_page("Mind Up! arena", lines, tables_of(report), make_figure(report))
    write_text(path, page)


def html_page(title: str, lines: Sequence[str], tables: Sequence[Table], figure: "Figure") -> str:
    """A page of a line, tables, a picture and other lines; every text is escaped."""
    from jinja2 import StrictUndefined, Template  # noqa: PLC0415

    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=150)
    encoded = base64.b64encode(picture.getvalue()).decode()
    source = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    page = Template(source, autoescape=True, undefined=StrictUndefined)
    return page.render(title=title, lines=lines, tables=tables, picture=encoded)


def draw(path: Path, report: Report) -> None:
    """Draws the report; the suffix selects the format."""
    save_figure(path, make_figure(report))


def make_figure(report: Report) -> "Figure":
    """A matplotlib figure: who beats whom, and the ratings; or the win shares from rivals."""
    settings = report.settings
    names = [shortened(name, _LONGEST_NAME) for name in labels(settings.names)]
    if not settings.against:
        size = len(names)
        figure = open_figure(5.2 + 1.2 * size, 1.9 + 0.62 * size, about(report)[0])
        cross_table, ratings = figure.subplots(1, 2, width_ratios=(size, 2.6), sharey=True)
        _draw_cross_table(cross_table, report, [names[bot] for bot in report.ranking])
        estimates = [report.bots[bot][RATING] for bot in report.ranking]
        draw_bars(ratings, range(size), estimates, COLUMNS[RATING][1])
        ratings.set_title("Rating", fontsize="medium")
        ratings.tick_params(axis="y", labelleft=False)
        return figure
    rivals = [settings.names.index(bot) for bot in settings.against]
    size = len(settings.bots)
    figure = open_figure(7, 1.6 + 0.3 * size * len(rivals), about(report)[0])
    axes = figure.subplots()
    for number, bot in enumerate(report.ranking):
        rows = [row for row, rival in enumerate(rivals) if rival != bot]
        shares = [report.cross_table[bot, rivals[row]] for row in rows]
        beside = 0.8 / size * (number - (size - 1) / 2)
        draw_bars(axes, np.add(rows, beside), shares, "{:.1f}", 0.8 / size, names[bot])
    equal = 100 / settings.config.num_players
    axes.axvline(equal, color=_BLACK, linewidth=1, linestyle=":")
    axes.set_yticks(range(len(rivals)), [names[rival] for rival in rivals], parse_math=False)
    axes.invert_yaxis()
    title = f"Win share in % against copies; the line is equal play, {equal:.3g}"
    axes.set_title(title, fontsize="medium")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return figure


def _draw_cross_table(axes: "Axes", report: Report, names: Sequence[str]) -> None:
    values = np.full((len(names), len(names)), np.nan)
    for (one, other), share in report.cross_table.items():
        row, column = map(report.ranking.index, (one, other))
        values[row, column] = share.value
        text = text_of(share, "{:.1f}")
        axes.text(column, row, text, va="center", ha="center", color=_BLACK, fontsize="small")
    # White is equal play for any number of players; an empty cell was not played. The darkest
    # shades are left out, so that the text can be read on all.
    equal = 100 / report.settings.config.num_players
    shades = np.interp(values, [0, equal, 100], [0.25, 0.5, 0.75])
    axes.imshow(shades, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(names)), names, rotation=25, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.set_title(f"Win share in % against copies, {equal:.3g} is equal play", fontsize="medium")


def draw_bars(
    axes: "Axes",
    rows: npt.ArrayLike,
    estimates: Sequence[Estimate],
    form: str,
    thickness: float = 0.6,
    name: str = "",
) -> None:
    """Draws a bar from 0 for each estimate, with its interval and its number."""
    values, low, high = np.reshape(estimates, (-1, 3)).T
    ends = values - low, high - values
    bars = axes.barh(rows, values, 0.9 * thickness, xerr=ends, ecolor=_BLACK, label=name)
    axes.bar_label(bars, [*map(form.format, values)], padding=5)
    axes.margins(x=0.15)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def open_figure(width: float, height: float, note: str) -> "Figure":
    """A figure, in inches, independent of pyplot; the note is above its panels."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(note, color=_GREY, fontsize="small")
    return figure


def save_figure(path: Path, figure: "Figure") -> None:
    with atomic_write(path) as file:
        figure.savefig(file, format=path.suffix[1:], dpi=150, bbox_inches="tight")


def check_picture(path: Path) -> None:
    """Refuses a file whose suffix is that of no picture."""
    if path.suffix not in _PICTURES:
        raise InputError(f"a picture must end in {', '.join(_PICTURES)}, not {shown(path.name)}")
