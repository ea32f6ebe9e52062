"""The report on the terminal and as files: JSON, CSV, Markdown, pictures, and for marl-eval."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindup_arena.estimate import Estimate
from mindup_env.report import Column, Table, csv_text
from mindup_env.report.terminal import plain_text, print_table
from mindup_env.runs.files import write_text
from mindup_training.experiment.picture import draw_curves, draw_scores
from mindup_training.experiment.plan import folder_name
from mindup_training.experiment.report import METHODS, EntryResult, ExperimentReport
from mindup_training.loggers.csv_files import read_csv_log

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

REPORT = "report.json"
_ALL = "all"
"""Stands for all bots together."""
_DIGITS = 6
_ENDS = "low", "high"
_SHARES = [
    Column("entry"),
    Column("against"),
    Column("iqm_win_share", form="{:.1f}", scale=100, digits=_DIGITS, ends=_ENDS),
]
_IMPROVEMENTS = [
    Column("entry", "P(row > column)"),
    Column("over"),
    Column("probability_of_improvement", form="{:.2f}", digits=_DIGITS, ends=_ENDS),
]


def write_report(folder: Path, report: ExperimentReport) -> None:
    """Writes all files of the report; the same runs give the same bytes."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    for result in report.entries:
        write_text(data / f"{folder_name(result.entry.name)}.csv", csv_text(_evaluations(result)))
    write_text(folder / "scores.csv", _scores_csv(report))
    write_text(folder / "marl_eval.json", _json(marl_eval_data(report)))
    draw_curves(folder / "curves.png", report)
    draw_scores(folder / "scores.png", report)
    write_text(folder / "report.md", "\n".join(_markdown(report)))
    write_text(folder / REPORT, _json(report_to_dict(report)))


def print_experiment(report: ExperimentReport, console: "Console | None" = None) -> None:
    """Prints the interquartile means and the probabilities of improvement."""
    if console is None:
        from rich.console import Console  # noqa: PLC0415

        console = Console()
    console.print(plain_text(_about(report), "dim"))
    for table in _tables(report):
        console.print()
        print_table(table, console)
    for warning in report.warnings:
        console.print(plain_text(warning, "yellow"))


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
            {"entry": one, "over": other, **_plain(estimate)}
            for one, other, estimate in _improvements(report)
        ],
        "unfinished": [
            {"entry": run.entry.name, "seed": run.seed, "log": str(run.log)}
            for run in report.unfinished
        ],
    }


def marl_eval_data(report: ExperimentReport) -> dict[str, Any]:
    """The runs in the raw data format of marl-eval (github.com/instadeepai/marl-eval).

    Environment, task, algorithm, run and step are nested in this order. A task is a bot that the
    policies are evaluated against, in lower case. A metric is a list; ``absolute_metrics`` are
    those of the final policy. marl-eval itself needs equally many runs and steps of every
    algorithm.
    """
    tasks = {
        bot.lower(): {
            result.entry.name: {
                f"seed_{run.seed}": {
                    **_steps(result, bot, place),
                    "absolute_metrics": {"win_share": [float(result.scores[place, at])]},
                }
                for place, run in enumerate(result.runs)
            }
            for result in report.entries
        }
        for at, bot in enumerate(report.bots)
    }
    return {"mindup": tasks}


def _steps(result: EntryResult, bot: str, place: int) -> dict[str, Any]:
    """The evaluations of a run during the training."""
    if bot not in result.curves:
        return {}
    points = result.curves[bot].points
    return {
        f"step_{number}": {"step_count": int(timesteps), "win_share": [float(share)]}
        for number, (timesteps, share) in enumerate(
            zip(points.timesteps, points.scores[place], strict=True)
        )
    }


def _about(report: ExperimentReport) -> str:
    return f"Final policies, {report.settings.evaluation_deals} deals per bot. {METHODS}"


def _shares(report: ExperimentReport) -> Iterator[tuple[str, str, Estimate]]:
    for result in report.entries:
        for bot, estimate in {_ALL: result.iqm, **result.iqm_against}.items():
            yield result.entry.name, bot, estimate


def _improvements(report: ExperimentReport) -> Iterator[tuple[str, str, Estimate]]:
    names = [result.entry.name for result in report.entries]
    for (one, other), estimate in report.improvements.items():
        yield names[one], names[other], estimate


def _tables(report: ExperimentReport) -> Iterator[Table]:
    """The tables that people read: entries down."""
    title = "Final win share in % (number of runs)"
    if report.equal_share:
        title += f"; equal play is {100 * report.equal_share:.3g}"
    rows = {each.entry.name: f"{each.entry.name} ({len(each.runs)})" for each in report.entries}
    bots = {bot: bot for bot in (_ALL, *report.bots)}
    yield Table("", _SHARES, list(_shares(report))).crossed(title, rows, bots)
    if report.improvements:
        title = "Probability that the row is better than the column"
        names = {name: name for name in rows}
        improvements = list(_improvements(report))
        yield Table("", _IMPROVEMENTS, improvements).crossed(title, names, names)


def _markdown(report: ExperimentReport) -> Iterator[str]:
    """The tables of the report, its pictures, and the commands of all runs."""
    yield "# Experiment\n"
    yield _console(report.commands)
    yield f"{_about(report)}\n"
    shares, *improvements = _tables(report)
    yield f"## {shares.title}\n"
    yield shares.markdown()
    yield from (f"\n{warning}" for warning in report.warnings)
    yield "\n![Interquartile means and probabilities of improvement](scores.png)\n"
    for table in improvements:
        yield f"## {table.title}\n"
        yield f"{table.markdown()}\n"
    yield "## Learning curves\n"
    yield "![Learning curves](curves.png)\n"
    yield "## Commands\n"
    yield _console(command for result in report.entries for command in result.commands)


def _console(commands: Iterable[str]) -> str:
    return "```console\n" + "\n".join(commands) + "\n```\n"


def _entry(result: EntryResult, bots: Sequence[str]) -> dict[str, Any]:
    return {
        "name": result.entry.name,
        **result.entry.to_dict(),
        "seeds": [run.seed for run in result.runs],
        "commands": list(result.commands),
        "scores": {
            bot: [_round(share) for share in result.scores[:, at]] for at, bot in enumerate(bots)
        },
        "iqm": {_ALL: _plain(result.iqm)}
        | {bot: _plain(estimate) for bot, estimate in result.iqm_against.items()},
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
    shares = Table("", _SHARES, list(_shares(report)))
    improvements = Table("", _IMPROVEMENTS, list(_improvements(report)))
    titles = ["entry", "against", "measure", "value", "low", "high"]
    return csv_text([titles, *shares.lines(2), *improvements.lines(2)])


def _evaluations(result: EntryResult) -> Iterator[Sequence[str]]:
    """All evaluations of the runs of an entry, as lines of CSV."""
    titles = ["timesteps", "opponent", "value", "low", "high"]
    yield ["seed", *titles]
    for run in result.runs:
        for row in read_csv_log(run.paths.evaluations):
            yield [str(run.seed), *(row[title] for title in titles)]


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {name: _round(value) for name, value in estimate._asdict().items()}


def _round(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), _DIGITS)


def _json(plain: dict[str, Any]) -> str:
    return json.dumps(plain, indent=2) + "\n"
