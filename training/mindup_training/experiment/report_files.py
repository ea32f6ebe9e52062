"""The report as files: JSON, CSV, Markdown, pictures, and the form of marl-eval."""

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mindup_arena.estimate import Estimate
from mindup_env.runs.files import write_text
from mindup_training.experiment.markdown import markdown
from mindup_training.experiment.marl_eval import marl_eval_data
from mindup_training.experiment.picture import draw_curves, draw_scores
from mindup_training.experiment.plan import folder_name
from mindup_training.experiment.report import METHODS, EntryResult, ExperimentReport
from mindup_training.loggers.csv_files import read_csv_log

REPORT = "report.json"
_ALL = "all"
"""Stands for all bots together."""
_DIGITS = 6


def write_report(folder: Path, report: ExperimentReport) -> None:
    """Writes all files of the report; the same runs give the same bytes."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    for result in report.entries:
        write_text(data / f"{folder_name(result.entry.name)}.csv", _entry_csv(result))
    write_text(folder / "scores.csv", _scores_csv(report))
    write_text(folder / "marl_eval.json", _json(marl_eval_data(report)))
    draw_curves(folder / "curves.png", report)
    draw_scores(folder / "scores.png", report)
    write_text(folder / "report.md", markdown(report))
    write_text(folder / REPORT, _json(report_to_dict(report)))


def report_to_dict(report: ExperimentReport) -> dict[str, Any]:
    """The report as plain data. Win shares and probabilities are from 0 to 1."""
    return {
        "mindup_env": version("mindup-env"),
        "commands": list(report.commands),
        "methods": METHODS,
        "players": report.players[0] if len(report.players) == 1 else list(report.players),
        "evaluate_against": list(report.bots),
        "evaluation_deals": report.settings.evaluation_deals,
        "entries": [_entry(result, report.bots) for result in report.entries],
        "probability_of_improvement": [
            {
                "entry": report.entries[one].entry.name,
                "over": report.entries[other].entry.name,
                **_plain(estimate),
            }
            for (one, other), estimate in report.improvements.items()
        ],
        "unfinished": [
            {"entry": run.entry.name, "seed": run.seed, "log": str(run.log)}
            for run in report.unfinished
        ],
    }


def _entry(result: EntryResult, bots: Sequence[str]) -> dict[str, Any]:
    return {
        "name": result.entry.name,
        **result.entry.to_dict(),
        "seeds": [run.seed for run in result.runs],
        "commands": list(result.commands),
        "scores": {
            bot: [_round(share) for share in result.scores[:, at]] for at, bot in enumerate(bots)
        },
        "iqm": {bot: _plain(estimate) for bot, estimate in _iqms(result)},
        "curves": {
            bot: {
                "timesteps": [int(at) for at in curve.points.timesteps],
                "iqm": [_round(each.value) for each in curve.estimates],
                "low": [_round(each.low) for each in curve.estimates],
                "high": [_round(each.high) for each in curve.estimates],
            }
            for bot, curve in result.curves.items()
        },
    }


def _scores_csv(report: ExperimentReport) -> str:
    """A line for each interquartile mean and each probability of improvement."""
    lines: list[list[Any]] = [["entry", "against", "measure", "value", "low", "high"]]
    for result in report.entries:
        lines += [
            [result.entry.name, bot, "iqm_win_share", *_plain(estimate).values()]
            for bot, estimate in _iqms(result)
        ]
    for (one, other), estimate in report.improvements.items():
        names = [report.entries[each].entry.name for each in (one, other)]
        lines.append([*names, "probability_of_improvement", *_plain(estimate).values()])
    return _csv(lines)


def _entry_csv(result: EntryResult) -> str:
    """All evaluations of the runs of an entry."""
    lines = [["seed", "timesteps", "opponent", "value", "low", "high"]]
    for run in result.runs:
        lines += [
            [str(run.seed), *(row[name] for name in lines[0][1:])]
            for row in read_csv_log(run.paths.evaluations)
        ]
    return _csv(lines)


def _iqms(result: EntryResult) -> Iterable[tuple[str, Estimate]]:
    yield _ALL, result.iqm
    yield from result.iqm_against.items()


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {name: _round(value) for name, value in estimate._asdict().items()}


def _round(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), _DIGITS)


def _csv(lines: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def _json(plain: dict[str, Any]) -> str:
    return json.dumps(plain, indent=2) + "\n"
