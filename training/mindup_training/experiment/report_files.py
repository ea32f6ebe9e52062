"""The report on the terminal and as files: JSON, CSV, Markdown, pictures, and for marl-eval."""

import json
import math
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindup_arena.estimate import Estimate
from mindup_env.report import Column, Table, csv_text
from mindup_env.report.picture import save_figure
from mindup_env.report.terminal import plain_text, print_table
from mindup_env.runs.files import write_text
from mindup_training.experiment.picture import make_curves, make_scores
from mindup_training.experiment.plan import folder_name
from mindup_training.experiment.report import METHODS, Curve, EntryResult, ExperimentReport
from mindup_training.loggers.csv_files import read_csv_log

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

REPORT = "report.json"
_ALL = "all"
"""Stands for all bots together."""
_DIGITS = 6
_ENDS = "low", "high"
_EVALUATION = ["timesteps", "opponent", "value", "low", "high"]
"""The columns of the evaluations of a run."""


def write_report(folder: Path, report: ExperimentReport) -> None:
    """Writes all files of the report; the same runs give the same bytes."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    for result in report.entries:
        lines = [["seed", *_EVALUATION]]
        for run in result.runs:
            rows = read_csv_log(run.paths.evaluations)
            lines += [[str(run.seed), *(row[name] for name in _EVALUATION)] for row in rows]
        write_text(data / f"{folder_name(result.entry.name)}.csv", csv_text(lines))
    titles = ["entry", "against", "measure", "value", "low", "high"]
    numbers = [
        line for table in (_shares(report), _improvements(report)) for line in table.lines(2)
    ]
    write_text(folder / "scores.csv", csv_text([titles, *numbers]))
    write_text(folder / "marl_eval.json", _json(marl_eval_data(report)))
    save_figure(folder / "curves.png", make_curves(report))
    save_figure(folder / "scores.png", make_scores(report))
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
    names = [result.entry.name for result in report.entries]
    return {
        "mindup_env": version("mindup-env"),
        "commands": list(report.commands),
        "methods": METHODS,
        "players": report.players[0] if len(report.players) == 1 else list(report.players),
        "evaluate_against": list(report.bots),
        "evaluation_deals": report.settings.evaluation_deals,
        "entries": [_entry(result) for result in report.entries],
        "probability_of_improvement": [
            {"entry": names[one], "over": names[other], **_plain(estimate)}
            for (one, other), estimate in report.improvements.items()
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

    def steps(curve: Curve | None, place: int) -> dict[str, Any]:
        points = zip(curve.timesteps, curve.scores[place], strict=True) if curve else ()
        return {
            f"step_{number}": {"step_count": int(timesteps), "win_share": [float(share)]}
            for number, (timesteps, share) in enumerate(points)
        }

    tasks = {
        bot.lower(): {
            result.entry.name: {
                f"seed_{run.seed}": {
                    **steps(result.curves.get(bot), place),
                    "absolute_metrics": {"win_share": [float(result.scores[place, at])]},
                }
                for place, run in enumerate(result.runs)
            }
            for result in report.entries
        }
        for at, bot in enumerate(report.bots)
    }
    return {"mindup": tasks}


def _about(report: ExperimentReport) -> str:
    return f"Final policies, {report.settings.evaluation_deals} deals per bot. {METHODS}"


def _shares(report: ExperimentReport) -> Table:
    """The interquartile means, one below the other."""
    value = Column("iqm_win_share", form="{:.1f}", scale=100, digits=_DIGITS, ends=_ENDS)
    rows = [
        (result.entry.name, bot, estimate)
        for result in report.entries
        for bot, estimate in {_ALL: result.iqm, **result.iqm_against}.items()
    ]
    return Table("", [Column("entry"), Column("against"), value], rows)


def _improvements(report: ExperimentReport) -> Table:
    """The probabilities of improvement, one below the other."""
    value = Column("probability_of_improvement", form="{:.2f}", digits=_DIGITS, ends=_ENDS)
    names = [result.entry.name for result in report.entries]
    rows = [(names[one], names[other], each) for (one, other), each in report.improvements.items()]
    return Table("", [Column("entry", "P(row > column)"), Column("over"), value], rows)


def _tables(report: ExperimentReport) -> Iterator[Table]:
    """The tables that people read: entries down."""
    title = "Final win share in % (number of runs)"
    if report.equal_share:
        title += f"; equal play is {100 * report.equal_share:.3g}"
    rows = {each.entry.name: f"{each.entry.name} ({len(each.runs)})" for each in report.entries}
    yield _shares(report).crossed(title, rows, {bot: bot for bot in (_ALL, *report.bots)})
    if report.improvements:
        title = "Probability that the row is better than the column"
        names = {name: name for name in rows}
        yield _improvements(report).crossed(title, names, names)


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
    yield _console(record.command for result in report.entries for record in result.records)


def _console(commands: Iterable[str]) -> str:
    return "```console\n" + "\n".join(commands) + "\n```\n"


def _entry(result: EntryResult) -> dict[str, Any]:
    return {
        "name": result.entry.name,
        **result.entry.to_dict(),
        "seeds": [run.seed for run in result.runs],
        "commands": [record.command for record in result.records],
        "scores": {
            bot: [_round(share) for share in shares]
            for bot, shares in zip(result.iqm_against, result.scores.T, strict=True)
        },
        "iqm": {
            bot: _plain(each) for bot, each in {_ALL: result.iqm, **result.iqm_against}.items()
        },
        "curves": {
            bot: {
                "timesteps": [int(at) for at in curve.timesteps],
                "iqm": [_round(each.value) for each in curve.estimates],
                "low": [_round(each.low) for each in curve.estimates],
                "high": [_round(each.high) for each in curve.estimates],
            }
            for bot, curve in result.curves.items()
        },
    }


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {name: _round(value) for name, value in estimate._asdict().items()}


def _round(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), _DIGITS)


def _json(plain: dict[str, Any]) -> str:
    return json.dumps(plain, indent=2) + "\n"
