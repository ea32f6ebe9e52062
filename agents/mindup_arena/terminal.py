"""The report on the terminal."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.monitored_agent import DecisionTime
from mindup_arena.report import RATING, ForfeitedGames, Report
from mindup_arena.schedule import schedule_text

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

NAME_WIDTH, CELL_WIDTH = 8, 12
MOST_FORFEITS = 3  # of a bot that are printed
COLUMNS = {
    "win_share": ("win\nshare %", "{:.1f}"),
    "mean_score": ("score", "{:.1f}"),
    "mean_rank": ("rank", "{:.2f}"),
    "margin": ("margin", "{:+.1f}"),
    RATING: ("rating", "{:+.0f}"),
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
    if settings.agent_seed is not None:
        seeds += f", agent seed {settings.agent_seed}"
    console.print(
        f"{settings.deals} deals, {settings.config.num_players} players, {report.num_games} games, "
        f"{seeds}. {schedule_text(settings)}",
        style="dim",
        highlight=False,
    )
    console.print(_ranking(report))
    wide = console.width >= NAME_WIDTH + CELL_WIDTH * len(settings.bots)
    console.print(_cross_table(report, with_intervals=wide))
    for label, bot in zip(labels(settings.bots), settings.bots, strict=True):
        if label != bot:
            console.print(_text(f"{label} is {bot}", "dim"))
    for name, usage in zip(labels(settings.bots), report.usage, strict=True):
        if usage:
            used = ", ".join(f"{what} {_amount(usage[what])}" for what in usage)
            console.print(_text(f"{name} used: {used}"))
    _print_forfeits(report, console)
    if None in report.fingerprints:
        warning = "It is not known with which versions of the bots this arena was begun."
        console.print(_text(warning, "yellow"))
    elif len(report.fingerprints) > 1:
        warning = "Bots or libraries changed during this arena: it mixes results of both versions."
        console.print(_text(warning, "yellow"))
    if settings.time_limit is not None:
        warning = "With a time limit, results can differ between runs."
        console.print(_text(warning, "yellow"))


def _print_forfeits(report: Report, console: "Console") -> None:
    """The first forfeits of each bot, each with the bot's traceback."""
    for bot in report.ranking:
        found = [lost for lost in report.forfeits if lost.bot == bot]
        for lost in found[:MOST_FORFEITS]:
            console.print(_text(forfeit_line(report, lost), "red"))
            if lost.forfeit.traceback:
                console.print(_text(lost.forfeit.traceback, "dim"))
        if len(found) > MOST_FORFEITS:
            left = sum(len(lost.forfeit.games) for lost in found[MOST_FORFEITS:])
            name = labels(report.settings.bots)[bot]
            more = f"{name} forfeited {left} more; the report has them (--json, or --out)"
            console.print(_text(more, "red"))


def forfeit_line(report: Report, lost: ForfeitedGames) -> str:
    names, (chunk, forfeit) = labels(report.settings.bots), lost
    match = " ".join(names[bot] for bot in report.matches[chunk.match])
    (deal, rotation), *others = report.games_of(lost)
    games = f"deal {deal}, rotation {rotation}" + f" and {len(others)} more games" * bool(others)
    return (
        f"{names[lost.bot]} forfeited {games} of the match {match} from decision "
        f"{forfeit.decision + 1} on: {forfeit.reason}"
    )


def _ranking(report: Report) -> "Table":
    rows, names = [], labels(report.settings.bots)
    for bot in report.ranking:
        name = _text(names[bot])
        forfeited = report.games_forfeited(bot)
        if forfeited:
            name.append(f"\n{forfeited} game{'s' * (forfeited > 1)} forfeited", "red")
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


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or float(value).is_integer() else f"{value:.4g}"


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
