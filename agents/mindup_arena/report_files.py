"""The tables of a report, and the report as files: JSON and CSV."""

import json
from pathlib import Path
from typing import Any

from mindup_arena.estimate import INTERVALS
from mindup_arena.report import RATING, ForfeitedGames, Report
from mindup_arena.schedule import schedule_text
from mindup_env.report import Column, Table, csv_text
from mindup_env.runs.files import write_text


def speed_text(speed: float) -> str:
    """Decisions per second, short."""
    for least, unit in ((1e6, "M"), (1e3, "k")):
        if speed >= least:
            return f"{speed / least:.3g}{unit}"
    return f"{speed:.3g}"


BOT = Column("name")
SPEED = Column("decisions_per_second", "cards\nper s", speed_text, missing="\N{EN DASH}")
COLUMNS = [
    Column("win_share", "win\nshare %", "{:.1f}"),
    Column("mean_score", "score", "{:.1f}"),
    Column("mean_rank", "rank", "{:.2f}"),
    Column("margin", "margin", "{:+.1f}"),
    Column(RATING, "rating", "{:+.0f}"),
]
"""What is known of every bot over all games."""
GAME_COLUMNS = [
    Column("nash_average", "Nash\naverage", "{:+.1f}"),
    Column("nash_weight", "Nash\nweight %", "{:.0f}"),
    Column("alpha_rank", "alpha-\nrank %", "{:.0f}"),
]
"""What is known of the bots of a complete cross table."""


def bots_table(report: Report) -> Table:
    """All measures of the bots, in the order of the settings."""
    columns = [each for each in (*COLUMNS, *GAME_COLUMNS) if each.key in report.bots[0]]
    return Table(
        "Bots over all games",
        [BOT, *columns],
        [
            [name, *(measures[column.key] for column in columns)]
            for name, measures in zip(report.settings.display_names, report.bots, strict=True)
        ],
    )


def duels_table(report: Report) -> Table:
    """The win shares of one bot against copies of another."""
    names = report.settings.display_names
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
        timings: Include the speed of the bots, and what they used; without them the file is the
            same in every run.
    """
    plain = to_dict(report)
    if timings:
        for bot, time, usage in zip(plain["bots"], report.times, report.usage, strict=True):
            bot["decisions_per_second"] = None if time.speed is None else round(time.speed)
            if usage:
                bot["usage"] = usage
    write_text(path, json.dumps(plain, indent=2) + "\n")


def to_dict(report: Report) -> dict[str, Any]:
    """The report as plain data, without the timings."""
    settings = report.settings
    names = settings.display_names
    return {
        "settings": settings.to_dict(),
        **({"merged": [run.to_dict() for run in report.runs]} if report.runs else {}),
        "schedule": schedule_text(settings),
        "line_ups": [[names[bot] for bot in match] for match in report.matches],
        "games": report.num_games,
        "interval": INTERVALS,
        "reproducible": settings.time_limit is None,
        "bots": [
            {
                "name": names[bot],
                "spec": settings.bots[bot],
                **record,
                "games_forfeited": report.games_forfeited(bot),
            }
            for bot, record in enumerate(bots_table(report).records())
        ],
        "cross_table": duels_table(report).records(),
        **played_to_dict(report),
    }


def played_to_dict(report: Report) -> dict[str, Any]:
    """The forfeits, and a hash of each bot in each version that played, as plain data."""
    return {
        "forfeits": [_forfeit(report, lost) for lost in report.forfeits],
        "fingerprints": [
            {"versions": dict(each.versions), "bots": each.digests()}
            for each in report.fingerprints
        ],
    }


def write_csv(path: Path, report: Report) -> None:
    """Writes the report as CSV, with a line for each number.

    A line is about a bot over all games or, with the column ``against``, against copies of
    another bot.

    Args:
        path: The file to write.
        report: The report of an arena.
    """
    head = ["bot", "against", "measure", "value", "low", "high"]
    lines = [*bots_table(report).lines(2), *duels_table(report).lines(2)]
    write_text(path, csv_text([head, *lines]))


def _forfeit(report: Report, lost: ForfeitedGames) -> dict[str, Any]:
    names, (chunk, forfeit) = report.settings.display_names, lost
    return {
        "bot": names[forfeit.bot],
        "line_up": [names[bot] for bot in report.matches[chunk.match]],
        "games": [{"deal": deal, "rotation": rotation} for deal, rotation in report.games_of(lost)],
        "decision": forfeit.decision + 1,
        "reason": forfeit.reason,
        "traceback": forfeit.traceback,
    }
