"""The report on the terminal."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mindup_agents.labels import labels
from mindup_arena.empirical_game import GAME_MEASURES, HOW_TO_GET_ALPHA_RANK, has_alpha_rank
from mindup_arena.estimate import COVERAGE, INTERVALS, Estimate
from mindup_arena.guarded_bot import DecisionTime
from mindup_arena.report import RATING, ForfeitedChunk, Report
from mindup_arena.schedule import schedule_text

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console
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


def print_report(report: Report, console: "Console | None" = None) -> None:
    """Prints the ranking of the bots, the cross table and the forfeits.

    Args:
        report: The report of an arena.
        console: A console of rich; the terminal if it is None.
    """
    if console is None:
        from rich.console import Console  # noqa: PLC0415

        console = Console()
    settings = report.settings
    seeds = f"seed {settings.seed}"
    if report.runs:
        seeds = f"seeds {', '.join(str(run.seed) for run in report.runs)}"
    elif settings.agent_seed is not None:
        seeds += f", agent seed {settings.agent_seed}"
    console.print(
        f"{settings.deals} deals, {settings.config.num_players} players, {report.num_games} games, "
        f"{seeds}. {schedule_text(settings)} Intervals: {INTERVALS}.",
        style="dim",
        highlight=False,
    )
    console.print(_ranking(report))
    wide = console.width >= NAME_WIDTH + CELL_WIDTH * len(settings.bots)
    console.print(_cross_table(report, with_intervals=wide))
    if GAME_MEASURES[0] in report.bots[0]:
        console.print(_game(report))
        if not has_alpha_rank():
            console.print(_text(HOW_TO_GET_ALPHA_RANK, "dim"))
    for label, bot in zip(labels(settings.bots), settings.bots, strict=True):
        if label != bot:
            console.print(_text(f"{label} is {bot}", "dim"))
    for lost in report.forfeits:
        console.print(_text(forfeit_line(report, lost), "red"))
    if settings.time_limit is not None:
        warning = "With a time limit, results can differ between runs."
        console.print(_text(warning, "yellow"))


def forfeit_line(report: Report, lost: ForfeitedChunk) -> str:
    names, (chunk, forfeit) = report.settings.bots, lost
    match = " ".join(names[bot] for bot in report.matches[chunk.match])
    return (
        f"{names[forfeit.bot]} forfeited deals {chunk.deals[0]} to {chunk.deals[-1]} of the match "
        f"{match} from decision {forfeit.decision + 1} on: {forfeit.reason}"
    )


def _ranking(report: Report) -> "Table":
    rows, names = [], labels(report.settings.bots)
    for bot in report.ranking:
        name = _text(names[bot])
        if report.games_forfeited(bot):
            name.append(f"\n{report.games_forfeited(bot)} games forfeited", "red")
        measures = report.bots[bot]
        numbers = [_number(measures[measure], form) for measure, (_, form) in COLUMNS.items()]
        rows.append([name, *numbers, _text(_speed(report.times[bot]))])
    titles = ["bot", *(title for title, _ in COLUMNS.values()), "cards\nper s"]
    return _table(f"Bots over all games, with {COVERAGE} % intervals", titles, rows)


def _cross_table(report: Report, *, with_intervals: bool) -> "Table":
    names = labels(report.settings.bots)
    cells = {(duel.one, duel.field): duel.win_share for duel in report.cross_table}
    ones = [bot for bot in report.ranking if any(one == bot for one, _ in cells)]
    fields = [bot for bot in report.ranking if any(field == bot for _, field in cells)]
    rows = []
    for one in ones:
        row = [cells.get((one, field)) for field in fields]
        if not with_intervals:
            row = [cell and Estimate(cell.value, math.nan, math.nan) for cell in row]
        numbers = [_text("") if cell is None else _number(cell, "{:.1f}") for cell in row]
        rows.append([_text(names[one]), *numbers])
    title = "Win share % of one (row) against copies of another (column)"
    return _table(title, ["", *(names[field] for field in fields)], rows)


def _game(report: Report) -> "Table":
    """Nash average and alpha-rank, of which a cycle of bots makes something else than ratings."""
    names = labels(report.settings.bots)
    columns = {name: form for name, form in GAME_COLUMNS.items() if name in report.bots[0]}
    rows = [
        [
            _text(names[bot]),
            *(_number(report.bots[bot][name], form) for name, (_, form) in columns.items()),
        ]
        for bot in report.ranking
    ]
    titles = ["bot", *(title for title, _ in columns.values())]
    return _table("Nash average and alpha-rank: who beats whom", titles, rows)


def _table(title: str, titles: Sequence[str], rows: Sequence[Sequence["Text"]]) -> "Table":
    """On a narrow terminal names are folded, numbers are not."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column(_text(titles[0]), overflow="fold", min_width=NAME_WIDTH)
    for column, name in enumerate(titles[1:], start=1):
        widest = max(len(line) for row in rows for line in row[column].plain.split("\n"))
        table.add_column(_text(name), justify="right", overflow="fold", min_width=widest)
    for row in rows:
        table.add_row(*row)
    return table


def _speed(time: DecisionTime) -> str:
    speed = time.speed
    if speed is None:
        return "-"
    if speed >= 1e6:
        return f"{speed / 1e6:.1f}M"
    return f"{speed / 1e3:,.0f}k" if speed >= 1e4 else f"{speed:,.0f}"


def _number(estimate: Estimate, form: str) -> "Text":
    """The value, and its interval in a line below."""
    text = _text(form.format(estimate.value), "bold")
    if not math.isnan(estimate.low):
        text.append(f"\n{form.format(estimate.low)}..{form.format(estimate.high)}", "dim")
    return text


def _text(text: str, style: str = "") -> "Text":
    """Text without markup: names and reasons may contain brackets."""
    from rich.text import Text  # noqa: PLC0415

    return Text(text, style)
