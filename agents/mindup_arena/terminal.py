"""The report on the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mindup_agents.labels import labels
from mindup_arena.empirical_game import HOW_TO_GET_ALPHA_RANK, has_alpha_rank
from mindup_arena.estimate import COVERAGE, INTERVALS
from mindup_arena.report import ForfeitedGames, Report
from mindup_arena.report_files import COLUMNS, SPEED, bots_table, duels_table, game_columns
from mindup_arena.schedule import schedule_text
from mindup_env import GameConfig
from mindup_env.report import Cell, Table
from mindup_env.report.terminal import name_room, open_console, plain_text, print_table

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

LEAST_ROOM = 8
"""The least width for names beside a cross table with intervals."""
MOST_FORFEITS = 3  # of a bot that are printed


def print_report(report: Report, console: "Console | None" = None) -> None:
    """Prints the ranking of the bots, the cross table and the forfeits.

    Args:
        report: The report of an arena.
        console: A console of rich; the terminal if it is None.
    """
    console, settings = open_console(console), report.settings
    seeds = f"seed {settings.seed}"
    if report.runs:
        seeds = f"seeds {', '.join(str(run.seed) for run in report.runs)}"
    elif settings.agent_seed is not None:
        seeds += f", agent seed {settings.agent_seed}"
    played = f"{settings.deals} deals, {_game(settings.config)}, {report.num_games} games, {seeds}."
    about = f"{played} {schedule_text(settings)} Intervals: {INTERVALS}."
    console.print(plain_text(about, "dim"))
    _print_tables(report, console)
    for name, usage in zip(labels(settings.display_names), report.usage, strict=True):
        if usage:
            used = ", ".join(f"{what} {_amount(usage[what])}" for what in usage)
            console.print(plain_text(f"{name} used: {used}"))
    print_forfeits(report, console)
    # Why the results may not be what they seem.
    if len(report.fingerprints) > 1:
        versions = "Bots or libraries changed during this arena: it mixes results of both versions."
        console.print(plain_text(versions, "yellow"))
    if settings.time_limit is not None:
        limited = "With a time limit, results can differ between runs."
        console.print(plain_text(limited, "yellow"))


def _print_tables(report: Report, console: "Console") -> None:
    """The bots are named by their places and labels; names that are cut are explained below."""
    names = labels(report.settings.display_names)
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
    if columns := game_columns(report):
        title = "Nash average and alpha-rank: who beats whom"
        tables.append(bots_table(report, columns, placed, title))
    cut = {name for table in tables for name in print_table(table, console, cut=True)}
    if columns and not has_alpha_rank():
        console.print(plain_text(HOW_TO_GET_ALPHA_RANK, "dim"))
    for bot, name in placed.items():
        spec = report.settings.bots[bot]
        if names[bot] != spec:
            console.print(plain_text(f"{name} is {spec}", "dim"))
        elif name in cut:
            console.print(plain_text(f"{name.partition(' ')[0]} is {spec}", "dim"))


def _cross_table(report: Report, names: Sequence[str], placed: dict[int, str], width: int) -> Table:
    """The win shares; without intervals, and with places as titles, where there is no room."""
    duels, keys = duels_table(report), report.settings.display_names
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
        (config.deck != usual.deck, f"another deck, of {config.num_cards} cards"),
    ]
    return ", ".join(text for differs, text in parts if differs)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)


def print_forfeits(report: Report, console: "Console") -> None:
    """The first forfeits of each bot, each with the bot's traceback."""
    for bot in report.ranking:
        found = [lost for lost in report.forfeits if lost.bot == bot]
        for lost in found[:MOST_FORFEITS]:
            console.print(plain_text(_forfeit_line(report, lost), "red"))
            if lost.traceback:
                console.print(plain_text(lost.traceback, "dim"))
        if len(found) > MOST_FORFEITS:
            left = sum(len(lost.games) for lost in found[MOST_FORFEITS:])
            name = labels(report.settings.display_names)[bot]
            more = f"{name} forfeited {left} more; the report has them (--json, or --out)"
            console.print(plain_text(more, "red"))


def _forfeit_line(report: Report, lost: ForfeitedGames) -> str:
    names = labels(report.settings.display_names)
    (deal, rotation), *others = lost.games
    games = f"deal {deal}, rotation {rotation}"
    if others:
        games += f" and {_count(len(others), 'more game')}"
    return (
        f"{names[lost.bot]} forfeited {games} of the match "
        f"{' '.join(names[bot] for bot in lost.match)} from decision {lost.decision + 1} on: "
        f"{lost.reason}"
    )


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or float(value).is_integer() else f"{value:.4g}"
