"""The report as files: JSON and CSV."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

from mindup_arena.estimate import INTERVALS, Estimate
from mindup_arena.report import ForfeitedGames, Report
from mindup_arena.schedule import schedule_text
from mindup_env.runs.files import write_text

DIGITS = 4


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
                "name": name,
                "spec": settings.bots[bot],
                **_measures(report, bot),
                "games_forfeited": report.games_forfeited(bot),
            }
            for bot, name in enumerate(names)
        ],
        "cross_table": [
            {
                "one": names[duel.one],
                "field": names[duel.field],
                **plain_estimate("win_share", duel.win_share),
            }
            for duel in report.cross_table
        ],
        "forfeits": forfeits_to_dict(report),
        "fingerprints": fingerprints_to_list(report),
    }


def write_csv(path: Path, report: Report) -> None:
    """Writes the report as CSV, with a line for each number.

    A line is about a bot over all games or, with the column ``against``, against copies of
    another bot.

    Args:
        path: The file to write.
        report: The report of an arena.
    """
    names = report.settings.display_names
    lines: list[tuple[str, str, str, Estimate]] = [
        (names[bot], "", measure, estimate)
        for bot, measures in enumerate(report.bots)
        for measure, estimate in measures.items()
    ]
    lines += [
        (names[duel.one], names[duel.field], "win_share", duel.win_share)
        for duel in report.cross_table
    ]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["bot", "against", "measure", "value", "low", "high"])
    for bot, against, measure, estimate in lines:
        writer.writerow([bot, against, measure, *plain_estimate(measure, estimate).values()])
    write_text(path, text.getvalue())


def _measures(report: Report, bot: int) -> dict[str, float | None]:
    plain: dict[str, float | None] = {}
    for name, estimate in report.bots[bot].items():
        plain |= plain_estimate(name, estimate)
    return plain


def plain_estimate(name: str, estimate: Estimate) -> dict[str, float | None]:
    rounded = [None if math.isnan(value) else round(value, DIGITS) for value in estimate]
    return dict(zip((name, f"{name}_low", f"{name}_high"), rounded, strict=True))


def forfeits_to_dict(report: Report) -> list[dict[str, Any]]:
    """The forfeits as plain data."""
    return [_forfeit(report, lost) for lost in report.forfeits]


def fingerprints_to_list(report: Report) -> list[dict[str, Any] | None]:
    """One hash for each bot, of each version that played, as plain data."""
    return [
        each and {"versions": dict(each.versions), "bots": each.digests()}
        for each in report.fingerprints
    ]


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
