"""The tables of a report, and the report as files (JSON and CSV) and on the terminal."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindup_agents.labels import labels
from mindup_arena.estimate import COVERAGE, INTERVALS
from mindup_arena.report import RATING, WIN_SHARE, Report
from mindup_arena.schedule import schedule_text
from mindup_env import GameConfig
from mindup_env.report import Cell, Column, Table, csv_text
from mindup_env.report.terminal import name_room, open_console, plain_text, print_table
from mindup_env.runs.files import write_plain, write_text

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

LEAST_ROOM = 8
"""The least width for names beside a cross table with intervals."""
MOST_FORFEITS = 3  # of a bot that are printed


def speed_text(speed: float) -> str:
    """Decisions per second, short."""
    for least, unit in ((1e6, "M"), (1e3, "k")):
        if speed >= least:
            return f"{speed / least:.3g}{unit}"
    return f"{speed:.3g}"


SPEED = Column("decisions_per_second", "decisions\nper s", speed_text, missing="\N{EN DASH}")
COLUMNS = [
    Column(WIN_SHARE, "win\nshare %", "{:.1f}"),
    Column("mean_score", "mean\nscore", "{:.1f}"),
    Column("mean_rank", "mean\nrank", "{:.2f}"),
    Column("margin", "margin", "{:+.1f}"),
    Column(RATING, "rating", "{:+.0f}"),
]
"""What is known of every bot over all games."""


def bots_table(
    report: Report,
    columns: Sequence[Column],
    names: Mapping[int, str | Cell],
    title: str = "Bots over all games",
) -> Table:
    """Measures and speeds of the bots that have ``names``, in their order."""
    measures = [
        {**found, SPEED.key: time.speed}
        for found, time in zip(report.bots, report.times, strict=True)
    ]
    rows = [[name, *(measures[bot][each.key] for each in columns)] for bot, name in names.items()]
    return Table(title, [Column("name"), *columns], rows)


def duels_table(report: Report) -> Table:
    """The win shares of one bot against copies of another."""
    names = report.settings.bots
    return Table(
        "Win share % of one (row) against copies of another (column)",
        [Column("one"), Column("field"), COLUMNS[0]],
        [[names[duel.one], names[duel.field], duel.win_share] for duel in report.cross_table],
    )


def write_json(path: Path, report: Report, *, timings: bool = True) -> None:
    """Writes the report as JSON.

    Args:
        path: The file to write.
        report: The report of an arena.
        timings: Include the speed of the bots; without them the file is the same in every run.
    """
    write_plain(path, to_dict(report, timings=timings))


def write_csv(path: Path, report: Report) -> None:
    """Writes the report as CSV, with a line for each number.

    A line is about a bot over all games or, with the column ``against``, against copies of
    another bot.

    Args:
        path: The file to write.
        report: The report of an arena.
    """
    head = ["bot", "against", "measure", "value", "low", "high"]
    lines = [*_all_measures(report).lines(), *duels_table(report).lines()]
    write_text(path, csv_text([head, *lines]))


def to_dict(report: Report, *, timings: bool = False) -> dict[str, Any]:
    """The report as plain data; with the timings it differs between runs."""
    settings, names, bots = report.settings, report.settings.bots, []
    for bot, record in enumerate(_all_measures(report).records()):
        plain = {**record, "games_forfeited": report.games_forfeited(bot)}
        if timings:
            speed = report.times[bot].speed
            plain[SPEED.key] = None if speed is None else round(speed)
        bots.append(plain)
    return {
        "settings": settings.to_dict(),
        "schedule": schedule_text(settings),
        "matches": [[names[bot] for bot in match] for match in report.matches],
        "games": report.num_games,
        "interval": INTERVALS,
        "bots": bots,
        "cross_table": duels_table(report).records(),
        "forfeits": [
            {
                "bot": names[lost.bot],
                "match": [names[bot] for bot in lost.match],
                "games": [{"deal": deal, "rotation": rotation} for deal, rotation in lost.games],
                "decision": lost.decision + 1,
                "reason": lost.reason,
                "traceback": lost.traceback,
            }
            for lost in report.forfeits
        ],
        "fingerprints": dict(report.fingerprints),
    }


def _all_measures(report: Report) -> Table:
    names = dict(enumerate(report.settings.bots))
    return bots_table(report, COLUMNS, names)


# On the terminal


def print_report(report: Report, console: "Console | None" = None) -> None:
    """Prints the ranking of the bots, the cross table and the forfeits.

    Args:
        report: The report of an arena.
        console: A console of rich; the terminal if it is None.
    """
    console, settings = open_console(console), report.settings
    seeds = f"seed {settings.seed}"
    if settings.agent_seed is not None:
        seeds += f", agent seed {settings.agent_seed}"
    played = f"{settings.deals} deals, {_game(settings.config)}, {report.num_games} games, {seeds}."
    about = f"{played} {schedule_text(settings)} Intervals: {INTERVALS}."
    console.print(plain_text(about, "dim"))
    _print_tables(report, console)
    print_forfeits(report, console)


def _print_tables(report: Report, console: "Console") -> None:
    """The bots are named by their places and labels; names that are cut are explained below."""
    names = labels(report.settings.bots)
    placed = {bot: f"{place} {names[bot]}" for place, bot in enumerate(report.ranking, start=1)}
    lost = {bot: report.games_forfeited(bot) for bot in placed}
    noted = {
        bot: Cell(name, note=f"! {lost[bot]} forfeited" if lost[bot] else "")
        for bot, name in placed.items()
    }
    title = f"Bots over all games, with {COVERAGE} % intervals"
    tables = [
        bots_table(report, [*COLUMNS, SPEED], noted, title),
        _cross_table(report, names, placed, console.width),
    ]
    cut = {name for table in tables for name in print_table(table, console, cut=True)}
    for bot, name in placed.items():
        spec = report.settings.bots[bot]
        if names[bot] != spec:
            console.print(plain_text(f"{name} is {spec}", "dim"))
        elif name in cut:
            console.print(plain_text(f"{name.partition(' ')[0]} is {spec}", "dim"))


def _cross_table(report: Report, names: Sequence[str], placed: dict[int, str], width: int) -> Table:
    """The win shares; without intervals, and with places as titles, where there is no room."""
    duels, keys = duels_table(report), report.settings.bots
    ones = {duel.one for duel in report.cross_table}
    fields = [bot for bot in placed if bot in {duel.field for duel in report.cross_table}]
    rows = {keys[bot]: name for bot, name in placed.items() if bot in ones}
    table = duels.crossed(duels.title, rows, {keys[bot]: names[bot] for bot in fields})
    places = {keys[bot]: placed[bot].partition(" ")[0] for bot in fields}
    by_place = duels.crossed(f"{duels.title}, which has its number", rows, places)
    if name_room(by_place, width) < LEAST_ROOM:
        table, by_place = table.without_intervals(), by_place.without_intervals()
    return by_place if name_room(table, width) < max(map(len, rows.values())) else table


def _game(config: GameConfig) -> str:
    """The players, and what else differs from the published game."""
    usual = GameConfig(config.num_players)
    parts = [
        (True, f"{config.num_players} players"),
        (config.num_objectives > 0, _count(config.num_objectives, "objective")),
        (config.num_rounds != usual.num_rounds, _count(config.num_rounds, "round")),
        (config.hand_size != usual.hand_size, f"first hands of {config.hand_size}"),
        (config.num_cards != usual.num_cards, f"{config.num_cards} cards"),
        (config.score_order is not None, f"score cards in the order {config.score_order}"),
    ]
    return ", ".join(text for differs, text in parts if differs)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)


def print_forfeits(report: Report, console: "Console") -> None:
    """The first forfeits of each bot, each with the bot's traceback."""
    names = labels(report.settings.bots)
    for bot in report.ranking:
        found = [lost for lost in report.forfeits if lost.bot == bot]
        for lost in found[:MOST_FORFEITS]:
            (deal, rotation), *others = lost.games
            games = f"deal {deal}, rotation {rotation}"
            if others:
                games += f" and {_count(len(others), 'more game')}"
            match = " ".join(names[other] for other in lost.match)
            line = (
                f"{names[bot]} forfeited {games} of the match {match} from decision "
                f"{lost.decision + 1} on: {lost.reason}"
            )
            console.print(plain_text(line, "red"))
            if lost.traceback:
                console.print(plain_text(lost.traceback, "dim"))
        if len(found) > MOST_FORFEITS:
            left = sum(len(lost.games) for lost in found[MOST_FORFEITS:])
            more = f"{names[bot]} forfeited {left} more; the report has them (--json, or --out)"
            console.print(plain_text(more, "red"))
