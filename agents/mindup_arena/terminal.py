"""The report on the terminal."""

from typing import TYPE_CHECKING

from mindup_agents.labels import labels
from mindup_arena.report import ForfeitedGames, Report
from mindup_arena.report_tables import BotNames, cross_table, plain_text, ranking_table
from mindup_arena.schedule import schedule_text
from mindup_env import GameConfig

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

MOST_FORFEITS = 3  # of a bot that are printed


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
        f"{settings.deals} deals, {_game(settings.config)}, {report.num_games} games, {seeds}. "
        f"{schedule_text(settings)}",
        style="dim",
        highlight=False,
    )
    names = BotNames(report)
    console.print(ranking_table(report, names, console.width))
    console.print(cross_table(report, names, console.width))
    for line in names.explained():
        console.print(plain_text(line, "dim"))
    for name, usage in zip(labels(settings.display_names), report.usage, strict=True):
        if usage:
            used = ", ".join(f"{what} {_amount(usage[what])}" for what in usage)
            console.print(plain_text(f"{name} used: {used}"))
    _print_forfeits(report, console)
    if None in report.fingerprints:
        warning = "It is not known with which versions of the bots this arena was begun."
        console.print(plain_text(warning, "yellow"))
    elif len(report.fingerprints) > 1:
        warning = "Bots or libraries changed during this arena: it mixes results of both versions."
        console.print(plain_text(warning, "yellow"))
    if settings.time_limit is not None:
        warning = "With a time limit, results can differ between runs."
        console.print(plain_text(warning, "yellow"))


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


def _print_forfeits(report: Report, console: "Console") -> None:
    """The first forfeits of each bot, each with the bot's traceback."""
    for bot in report.ranking:
        found = [lost for lost in report.forfeits if lost.bot == bot]
        for lost in found[:MOST_FORFEITS]:
            console.print(plain_text(forfeit_line(report, lost), "red"))
            if lost.forfeit.traceback:
                console.print(plain_text(lost.forfeit.traceback, "dim"))
        if len(found) > MOST_FORFEITS:
            left = sum(len(lost.forfeit.games) for lost in found[MOST_FORFEITS:])
            name = labels(report.settings.display_names)[bot]
            more = f"{name} forfeited {left} more; the report has them (--json, or --out)"
            console.print(plain_text(more, "red"))


def forfeit_line(report: Report, lost: ForfeitedGames) -> str:
    names, (chunk, forfeit) = labels(report.settings.display_names), lost
    match = " ".join(names[bot] for bot in report.matches[chunk.match])
    (deal, rotation), *others = report.games_of(lost)
    games = f"deal {deal}, rotation {rotation}"
    if others:
        games += f" and {_count(len(others), 'more game')}"
    return (
        f"{names[lost.bot]} forfeited {games} of the match {match} from decision "
        f"{forfeit.decision + 1} on: {forfeit.reason}"
    )


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or float(value).is_integer() else f"{value:.4g}"
