"""The report as files: JSON and CSV."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

from mindup_arena.estimate import Estimate
from mindup_arena.report import Loss, Report
from mindup_arena.resampling import COVERAGE, RESAMPLES
from mindup_arena.schedule import schedule_text
from mindup_env.files import write_text

DIGITS = 4


def write_json(path: Path, report: Report, *, timings: bool = True) -> None:
    """Without the timings the file is the same in every run."""
    plain = to_dict(report)
    if timings:
        for bot, spent in zip(plain["bots"], report.spent, strict=True):
            speed = spent.decisions / spent.seconds if spent.decisions else None
            bot["decisions_per_second"] = None if speed is None else round(speed)
    write_text(path, json.dumps(plain, indent=2) + "\n")


def to_dict(report: Report) -> dict[str, Any]:
    """The report as plain data, without the timings."""
    settings = report.settings
    names = settings.bots
    return {
        "settings": settings.to_dict(),
        "schedule": schedule_text(settings),
        "line_ups": [[names[bot] for bot in line_up] for line_up in report.line_ups],
        "games": report.num_games,
        "interval": f"{COVERAGE} %, from {RESAMPLES} bootstrap resamples of the deals",
        "reproducible": settings.time_limit is None,
        "bots": [
            {"name": name, **_measures(report, bot), "games_forfeited": report.games_forfeited(bot)}
            for bot, name in enumerate(names)
        ],
        "cross_table": [
            {"one": names[cell.one], "field": names[cell.field], **_plain("win_share", cell[2])}
            for cell in report.cross_table
        ],
        "forfeits": [_forfeit(report, loss) for loss in report.losses],
    }


def write_csv(path: Path, report: Report) -> None:
    """A line for each number: of a bot over all games, or against copies of another."""
    names = report.settings.bots
    lines: list[tuple[str, str, str, Estimate]] = [
        (names[bot], "", measure, estimate)
        for bot, measures in enumerate(report.bots)
        for measure, estimate in measures.items()
    ]
    lines += [
        (names[cell.one], names[cell.field], "win_share", cell.win_share)
        for cell in report.cross_table
    ]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["bot", "against", "measure", "value", "low", "high"])
    for bot, against, measure, estimate in lines:
        writer.writerow([bot, against, measure, *_plain(measure, estimate).values()])
    write_text(path, text.getvalue())


def _measures(report: Report, bot: int) -> dict[str, float | None]:
    plain: dict[str, float | None] = {}
    for name, estimate in report.bots[bot].items():
        plain |= _plain(name, estimate)
    return plain


def _plain(name: str, estimate: Estimate) -> dict[str, float | None]:
    rounded = [None if math.isnan(value) else round(value, DIGITS) for value in estimate]
    return dict(zip((name, f"{name}_low", f"{name}_high"), rounded, strict=True))


def _forfeit(report: Report, loss: Loss) -> dict[str, Any]:
    names, chunk = report.settings.bots, loss.chunk
    return {
        "bot": names[loss.forfeit.bot],
        "line_up": [names[bot] for bot in report.line_ups[chunk.line_up]],
        "deals": [chunk.deals[0], chunk.deals[-1]],
        "decision": loss.forfeit.decision + 1,
        "reason": loss.forfeit.reason,
    }
