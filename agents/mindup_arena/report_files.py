"""The tables of a report, and the report as files: JSON and CSV."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mindup_arena.estimate import INTERVALS
from mindup_arena.report import RATING, WIN_SHARE, Report
from mindup_arena.schedule import schedule_text
from mindup_env.report import Cell, Column, Table, csv_text
from mindup_env.runs.files import write_text


def speed_text(speed: float) -> str:
    """Decisions per second, short."""
    for least, unit in ((1e6, "M"), (1e3, "k")):
        if speed >= least:
            return f"{speed / least:.3g}{unit}"
    return f"{speed:.3g}"


SPEED = Column("decisions_per_second", "cards\nper s", speed_text, missing="\N{EN DASH}")
COLUMNS = [
    Column(WIN_SHARE, "win\nshare %", "{:.1f}"),
    Column("mean_score", "score", "{:.1f}"),
    Column("mean_rank", "rank", "{:.2f}"),
    Column("margin", "margin", "{:+.1f}"),
    Column(RATING, "rating", "{:+.0f}"),
]
"""What is known of every bot over all games."""
_GAME_COLUMNS = [
    Column("nash_average", "Nash\naverage", "{:+.1f}"),
    Column("nash_weight", "Nash\nweight %", "{:.0f}"),
    Column("alpha_rank", "alpha-\nrank %", "{:.0f}"),
]


def game_columns(report: Report) -> list[Column]:
    """What is known of the bots of a complete cross table; none without one."""
    return [column for column in _GAME_COLUMNS if column.key in report.bots[0]]


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
    write_text(path, json.dumps(to_dict(report, timings=timings), indent=2) + "\n")


def write_csv(path: Path, report: Report) -> None:
    """Writes the report as CSV, with a line for each number.

    A line is about a bot over all games or, with the column ``against``, against copies of
    another bot.

    Args:
        path: The file to write.
        report: The report of an arena.
    """
    head = ["bot", "against", "measure", "value", "low", "high"]
    lines = [*_all_measures(report).lines(2), *duels_table(report).lines(2)]
    write_text(path, csv_text([head, *lines]))


def to_dict(report: Report, *, timings: bool = False) -> dict[str, Any]:
    """The report as plain data; with the timings it differs between runs."""
    settings, bots = report.settings, []
    for bot, record in enumerate(_all_measures(report).records()):
        plain = {"name": record.pop("name"), "spec": settings.bots[bot], **record}
        plain["games_forfeited"] = report.games_forfeited(bot)
        if timings:
            speed = report.times[bot].speed
            plain[SPEED.key] = None if speed is None else round(speed)
            if report.usage[bot]:
                plain["usage"] = report.usage[bot]
        bots.append(plain)
    return {
        "settings": settings.to_dict(),
        **({"merged": [run.to_dict() for run in report.runs]} if report.runs else {}),
        "schedule": schedule_text(settings),
        "line_ups": [[settings.display_names[bot] for bot in match] for match in report.matches],
        "games": report.num_games,
        "interval": INTERVALS,
        "reproducible": settings.time_limit is None,
        "bots": bots,
        "cross_table": duels_table(report).records(),
        **played_to_dict(report),
    }


def played_to_dict(report: Report) -> dict[str, Any]:
    """The forfeits, and a hash of each bot in each version that played, as plain data."""
    names = report.settings.display_names
    return {
        "forfeits": [
            {
                "bot": names[lost.bot],
                "line_up": [names[bot] for bot in lost.match],
                "games": [{"deal": deal, "rotation": rotation} for deal, rotation in lost.games],
                "decision": lost.decision + 1,
                "reason": lost.reason,
                "traceback": lost.traceback,
            }
            for lost in report.forfeits
        ],
        "fingerprints": [
            {"versions": dict(each.versions), "bots": each.digests()}
            for each in report.fingerprints
        ],
    }


def _all_measures(report: Report) -> Table:
    names = dict(enumerate(report.settings.display_names))
    return bots_table(report, [*COLUMNS, *game_columns(report)], names)
