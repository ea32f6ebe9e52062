"""The tables of a report on the terminal, which fit on 80 columns."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.monitored_agent import DecisionTime
from mindup_arena.report import RATING, Report

if TYPE_CHECKING:  # rich is an extra
    from rich.table import Table
    from rich.text import Text

NAME_WIDTH, CELL_WIDTH = 8, 12
COLUMNS = {
    "win_share": ("win\nshare %", "{:.1f}"),
    "mean_score": ("score", "{:.1f}"),
    "mean_rank": ("rank", "{:.2f}"),
    "margin": ("margin", "{:+.1f}"),
    RATING: ("rating", "{:+.0f}"),
}
GAME_COLUMNS = {
    "nash_average": ("Nash\naverage", "{:+.1f}"),
    "nash_weight": ("Nash\nweight %", "{:.0f}"),
    "alpha_rank": ("alpha-\nrank %", "{:.0f}"),
}


class BotNames:
    """The bots in tables: the place of each in the ranking, and its name cut to a width."""

    def __init__(self, report: Report) -> None:
        self._report, self._labels = report, labels(report.settings.display_names)
        self._cut: set[int] = set()

    def place(self, bot: int) -> str:
        return str(self._report.ranking.index(bot) + 1)

    def label(self, bot: int) -> str:
        return self._labels[bot]

    def with_place(self, bot: int, width: int) -> str:
        name = f"{self.place(bot)} {self._labels[bot]}"
        if len(name) <= width:
            return name
        self._cut.add(bot)
        return f"{name[: width - 2]}.."

    def explained(self) -> Iterator[str]:
        """A line for each bot whose spec is not in the tables."""
        for bot in self._report.ranking:
            name, spec = self._labels[bot], self._report.settings.bots[bot]
            if name != spec:
                yield f"{self.place(bot)} {name} is {spec}"
            elif bot in self._cut:
                yield f"{self.place(bot)} is {spec}"


def ranking_table(report: Report, names: BotNames, width: int) -> "Table":
    cells = [
        [*_numbers(report.bots[bot], COLUMNS), plain_text(_speed(report.times[bot]))]
        for bot in report.ranking
    ]
    titles = [*(title for title, _ in COLUMNS.values()), "cards\nper s"]
    table, room = _table(f"Bots over all games, with {COVERAGE} % intervals", titles, cells, width)
    for bot, row in zip(report.ranking, cells, strict=True):
        name = plain_text(names.with_place(bot, room))
        if report.games_forfeited(bot):
            name.append(f"\n! {report.games_forfeited(bot)} forfeited", "red")
        table.add_row(name, *row)
    return table


def cross_table(report: Report, names: BotNames, width: int) -> "Table":
    duels = {(duel.one, duel.field): duel.win_share for duel in report.cross_table}
    ones = [bot for bot in report.ranking if any(one == bot for one, _ in duels)]
    fields = [bot for bot in report.ranking if any(field == bot for _, field in duels)]
    with_intervals = width >= NAME_WIDTH + CELL_WIDTH * len(report.settings.bots)
    cells = []
    for one in ones:
        shares = [duels.get((one, field)) for field in fields]
        if not with_intervals:
            shares = [cell and Estimate(cell.value, math.nan, math.nan) for cell in shares]
        cells.append(
            [plain_text("") if cell is None else _number(cell, "{:.1f}") for cell in shares]
        )
    title = "Win share % of one (row) against copies of another (column)"
    longest = max(len(names.with_place(bot, width)) for bot in ones)
    table, room = _table(title, [names.label(bot) for bot in fields], cells, width)
    if room < longest:
        title += ", which has its number"
        table, room = _table(title, [names.place(bot) for bot in fields], cells, width)
    for one, row in zip(ones, cells, strict=True):
        table.add_row(plain_text(names.with_place(one, room)), *row)
    return table


def empirical_game_table(report: Report, names: BotNames, width: int) -> "Table":
    """Nash average and alpha-rank, which a cycle of bots makes differ from the ratings."""
    columns = {name: column for name, column in GAME_COLUMNS.items() if name in report.bots[0]}
    cells = [_numbers(report.bots[bot], columns) for bot in report.ranking]
    titles = [title for title, _ in columns.values()]
    table, room = _table("Nash average and alpha-rank: who beats whom", titles, cells, width)
    for bot, row in zip(report.ranking, cells, strict=True):
        table.add_row(plain_text(names.with_place(bot, room)), *row)
    return table


def _table(
    title: str, titles: Sequence[str], cells: Sequence[Sequence["Text"]], width: int
) -> tuple["Table", int]:
    """A table whose first column has the bots, and the width that is left for their names."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    widths = [
        max(len(line) for text in (name, *texts) for line in str(text).split("\n"))
        for name, *texts in zip(titles, *cells, strict=True)
    ]
    room = max(width - sum(widths) - len(widths) - 1, NAME_WIDTH)
    table.add_column("", overflow="fold", max_width=room)
    for name, widest in zip(titles, widths, strict=True):
        table.add_column(plain_text(name), justify="right", overflow="fold", min_width=widest)
    return table, room


def _speed(time: DecisionTime) -> str:
    speed = time.speed
    if speed is None:
        return "-"
    if speed >= 1e6:
        return f"{speed / 1e6:.1f}M"
    return f"{speed / 1e3:,.0f}k" if speed >= 1e4 else f"{speed:,.0f}"


def _numbers(
    measures: Mapping[str, Estimate], columns: Mapping[str, tuple[str, str]]
) -> list["Text"]:
    return [_number(measures[name], form) for name, (_, form) in columns.items()]


def _number(estimate: Estimate, form: str) -> "Text":
    """The value, and its interval in a line below."""
    text = plain_text(form.format(estimate.value), "bold")
    if not math.isnan(estimate.low):
        text.append(f"\n{form.format(estimate.low)}..{form.format(estimate.high)}", "dim")
    return text


def plain_text(text: str, style: str = "") -> "Text":
    """Text without markup: names and reasons may contain brackets."""
    from rich.text import Text  # noqa: PLC0415

    return Text(text, style)
