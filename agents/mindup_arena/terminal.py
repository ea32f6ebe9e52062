"""The report on the terminal."""

import math
from collections.abc import Sequence
from typing import Any

from mindup_agents.labels import labels
from mindup_arena.estimate import Estimate
from mindup_arena.extras import library
from mindup_arena.report import RATING, Loss, Report, best_bots_first
from mindup_arena.resampling import COVERAGE
from mindup_arena.schedule import schedule_text
from mindup_arena.worker import Spent

NAME_WIDTH, CELL_WIDTH = 8, 12
COLUMNS = {
    "win_share": ("win\nshare %", "{:.1f}"),
    "mean_score": ("score", "{:.1f}"),
    "mean_rank": ("rank", "{:.2f}"),
    "margin": ("margin", "{:+.1f}"),
    RATING: ("rating", "{:+.0f}"),
}


def print_report(report: Report, console: Any) -> None:
    settings = report.settings
    console.print(
        f"{settings.deals} deals, {settings.config.num_players} players, {report.num_games} games, "
        f"seed {settings.seed}. {schedule_text(settings)}",
        style="dim",
        highlight=False,
    )
    console.print(_bots(report))
    roomy = console.width >= NAME_WIDTH + CELL_WIDTH * len(settings.bots)
    console.print(_cross_table(report, with_intervals=roomy))
    for label, bot in zip(labels(settings.bots), settings.bots, strict=True):
        if label != bot:
            console.print(_text(f"{label} is {bot}", "dim"))
    for loss in report.losses:
        console.print(_text(loss_line(report, loss), "red"))
    if settings.time_limit is not None:
        warning = "With a time limit, the results of another run may differ."
        console.print(_text(warning, "yellow"))


def loss_line(report: Report, loss: Loss) -> str:
    names, (chunk, forfeit) = report.settings.bots, loss
    line_up = " ".join(names[bot] for bot in report.line_ups[chunk.line_up])
    return (
        f"{names[forfeit.bot]} forfeited deals {chunk.deals[0]} to {chunk.deals[-1]} of the "
        f"line-up {line_up} from decision {forfeit.decision + 1} on: {forfeit.reason}"
    )


def _bots(report: Report) -> Any:
    rows, names = [], labels(report.settings.bots)
    for bot in best_bots_first(report):
        name = _text(names[bot])
        if report.games_forfeited(bot):
            name.append(f"\n{report.games_forfeited(bot)} games forfeited", "red")
        measures = report.bots[bot]
        numbers = [_number(measures[measure], form) for measure, (_, form) in COLUMNS.items()]
        rows.append([name, *numbers, _text(_speed(report.spent[bot]))])
    titles = ["bot", *(title for title, _ in COLUMNS.values()), "cards\nper s"]
    return _table(f"Bots over all games, with {COVERAGE} % intervals", titles, rows)


def _cross_table(report: Report, *, with_intervals: bool) -> Any:
    names = labels(report.settings.bots)
    cells = {(cell.one, cell.field): cell.win_share for cell in report.cross_table}
    order = best_bots_first(report)
    ones = [bot for bot in order if any(one == bot for one, _ in cells)]
    fields = [bot for bot in order if any(field == bot for _, field in cells)]
    rows = []
    for one in ones:
        row = [cells.get((one, field)) for field in fields]
        if not with_intervals:
            row = [cell and Estimate(cell.value, math.nan, math.nan) for cell in row]
        numbers = [_text("") if cell is None else _number(cell, "{:.1f}") for cell in row]
        rows.append([_text(names[one]), *numbers])
    title = "Win share % of one (row) against copies of another (column)"
    return _table(title, ["", *(names[field] for field in fields)], rows)


def _table(title: str, titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> Any:
    """Names give way where the terminal is narrow, numbers do not."""
    table = library("rich.table").Table(
        title=title, title_justify="left", box=None, padding=(0, 1, 0, 0)
    )
    table.add_column(_text(titles[0]), overflow="fold", min_width=NAME_WIDTH)
    for column, name in enumerate(titles[1:], start=1):
        widest = max(len(line) for row in rows for line in row[column].plain.split("\n"))
        table.add_column(_text(name), justify="right", overflow="fold", min_width=widest)
    for row in rows:
        table.add_row(*row)
    return table


def _speed(spent: Spent) -> str:
    if not spent.decisions:
        return "-"
    speed = spent.decisions / spent.seconds
    if speed >= 1e6:
        return f"{speed / 1e6:.1f}M"
    return f"{speed / 1e3:,.0f}k" if speed >= 1e4 else f"{speed:,.0f}"


def _number(estimate: Estimate, form: str) -> Any:
    """The value, and its interval in a line below."""
    text = _text(form.format(estimate.value), "bold")
    if not math.isnan(estimate.low):
        text.append(f"\n{form.format(estimate.low)}..{form.format(estimate.high)}", "dim")
    return text


def _text(text: str, style: str = "") -> Any:
    """Text as it is: names and reasons may look like markup."""
    return library("rich.text").Text(text, style)
