"""The report on the terminal and as files: JSON, CSV, Markdown, pictures, and for marl-eval."""

import math
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mindup_arena.estimate import COVERAGE, Estimate
from mindup_env.report import Column, Table, csv_text
from mindup_env.report.picture import (
    GREY,
    draw_cross_table,
    draw_intervals,
    open_figure,
    save_figure,
)
from mindup_env.report.terminal import open_console, plain_text, print_table
from mindup_env.runs.files import write_plain, write_text
from mindup_env.settings.checks import shortened
from mindup_training.experiment.plan import folder_name
from mindup_training.experiment.report import (
    ALL,
    DIGITS,
    ESTIMATE,
    METHODS,
    EntryResult,
    ExperimentReport,
    improvements_table,
    shares_table,
)
from mindup_training.loggers.csv_files import OPPONENT, TIMESTEPS, read_csv_log

if TYPE_CHECKING:  # extras, and matplotlib is slow to load
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.console import Console

REPORT = "report.json"
_EVALUATION = [TIMESTEPS, OPPONENT, *Estimate._fields]
"""The columns of the evaluations of a run."""
_LONGEST_NAME = 40  # in pictures
_PANELS = 3  # in a row


def write_report(folder: Path, report: ExperimentReport) -> None:
    """Writes all files of the report; the same runs give the same bytes."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    for result in report.entries:
        lines = [["seed", *_EVALUATION]]
        for run in result.runs:
            rows = read_csv_log(run.paths.evaluations)
            lines += [[str(run.seed), *(row[name] for name in _EVALUATION)] for row in rows]
        write_text(data / f"{folder_name(result.name)}.csv", csv_text(lines))
    titles = ["entry", "against", "measure", *Estimate._fields]
    numbers = [*shares_table(report).lines(), *improvements_table(report).lines()]
    write_text(folder / "scores.csv", csv_text([titles, *numbers]))
    write_plain(folder / "marl_eval.json", marl_eval_data(report))
    save_figure(folder / "curves.png", make_curves(report))
    save_figure(folder / "scores.png", make_scores(report))
    write_text(folder / "report.md", "\n".join(_markdown(report)))
    write_plain(folder / REPORT, report_to_dict(report))


def print_experiment(report: ExperimentReport, console: "Console | None" = None) -> None:
    """Prints the interquartile means and the probabilities of improvement."""
    console = open_console(console)
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
        "entries": [_entry(result) for result in report.entries],
        "probability_of_improvement": [
            {"entry": one, "over": other, **ESTIMATE.plain(estimate)}
            for (one, other), estimate in report.improvements.items()
        ],
        "unfinished": [
            {"entry": run.entry.name, "seed": run.seed, "log": str(run.log)}
            for run in report.unfinished
        ],
    }


def _entry(result: EntryResult) -> dict[str, Any]:
    curves = {}
    for bot, curve in result.curves.items():
        points = [ESTIMATE.plain(each) for each in curve.estimates]
        iqm, low, high = ([each[key] for each in points] for key in Estimate._fields)
        timesteps = [int(at) for at in curve.timesteps]
        curves[bot] = {"timesteps": timesteps, "iqm": iqm, "low": low, "high": high}
    return {
        "name": result.name,
        **result.entry.to_dict(),
        "seeds": [run.seed for run in result.runs],
        "commands": [record.command for record in result.records],
        "scores": {
            bot: [round(float(share), DIGITS) for share in shares]
            for bot, shares in zip([*result.iqm][1:], result.scores.T, strict=True)
        },
        "iqm": {bot: ESTIMATE.plain(estimate) for bot, estimate in result.iqm.items()},
        "curves": curves,
    }


def marl_eval_data(report: ExperimentReport) -> dict[str, Any]:
    """The runs in the raw data format of marl-eval (github.com/instadeepai/marl-eval).

    Environment, task, algorithm, run and step are nested in this order. A task is a bot that the
    policies are evaluated against, in lower case. A metric is a list; ``absolute_metrics`` are
    those of the final policy. marl-eval itself needs equally many runs and steps of every
    algorithm.
    """
    tasks: dict[str, Any] = {}
    for at, bot in enumerate(report.bots):
        task: dict[str, Any] = tasks.setdefault(bot.lower(), {})
        for result in report.entries:
            runs = task[result.name] = {}
            curve = result.curves.get(bot)
            for place, run in enumerate(result.runs):
                points = zip(curve.timesteps, curve.scores[place], strict=True) if curve else ()
                runs[f"seed_{run.seed}"] = {
                    f"step_{number}": {"step_count": int(steps), "win_share": [float(share)]}
                    for number, (steps, share) in enumerate(points)
                } | {"absolute_metrics": {"win_share": [float(result.scores[place, at])]}}
    return {"mindup": tasks}


def _about(report: ExperimentReport) -> str:
    return f"Final policies, {report.settings.evaluation_deals} deals per bot. {METHODS}"


def _tables(report: ExperimentReport) -> Iterator[Table]:
    """The tables that people read: entries down."""
    title = "Final win share in % (number of runs)"
    if report.equal_share:
        title += f"; equal play is {100 * report.equal_share:.3g}"
    rows = {each.name: f"{each.name} ({len(each.runs)})" for each in report.entries}
    yield shares_table(report).crossed(title, rows, {bot: bot for bot in (ALL, *report.bots)})
    if report.improvements:
        title = "Probability that the row is better than the column"
        names = {name: name for name in rows}
        yield improvements_table(report).crossed(title, names, names)


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


# The pictures


def make_curves(report: ExperimentReport) -> "Figure":
    """A panel for each bot that has curves, with a curve and a band for each entry."""
    bots = [bot for bot in report.bots if any(bot in each.curves for each in report.entries)]
    bots = bots or list(report.bots)  # of learners without evaluations: empty panels
    columns = min(_PANELS, len(bots))
    rows = math.ceil(len(bots) / columns)
    note = f"Win share in %: interquartile mean over runs, with {COVERAGE} % intervals"
    figure = open_figure(1 + 4 * columns, 1.2 + 3 * rows, note)
    panels = figure.subplots(rows, columns, sharex=True, squeeze=False).flatten()
    for axes, bot in zip(panels, bots, strict=False):
        _draw_curves_against(axes, report, bot)
    for axes in panels[len(bots) :]:
        axes.remove()
    lines = [line for axes in panels[: len(bots)] for line in axes.get_lines()]
    legend = {line.get_label(): line for line in lines}
    figure.legend(handles=legend.values(), loc="outside lower center", ncols=2, frameon=False)
    return figure


def make_scores(report: ExperimentReport) -> "Figure":
    """The final interquartile means, and the probabilities of improvement."""
    from matplotlib.colors import Normalize  # noqa: PLC0415

    names = {result.name: _short(result.name) for result in report.entries}
    count = len(names)
    # A single entry improves on no other.
    widths = [4.5, 1.1 * count] if count > 1 else [4.5]
    figure = open_figure(
        2.8 + sum(widths),
        1.7 + 0.62 * count,
        f"{report.settings.evaluation_deals} deals against each of {', '.join(report.bots)}; "
        f"{COVERAGE} % intervals over runs",
    )
    scores, *more = figure.subplots(
        1, len(widths), width_ratios=widths, sharey=True, squeeze=False
    )[0]
    column = Column("iqm", "Final win share in %, all bots", "{:.1f}")
    values = [result.iqm[ALL].times(100) for result in report.entries]
    draw_intervals(scores, column, values, [f"C{row}" for row in range(count)])
    scores.set_yticks(range(count), names.values())
    scores.set_ylim(count - 0.5, -0.5)
    for axes in more:
        title = "Probability that the row\nis better than the column"
        table = improvements_table(report).crossed(title, names, names)
        draw_cross_table(axes, table, Normalize(0, 1))
        axes.tick_params(labelleft=False)
    return figure


def _draw_curves_against(axes: "Axes", report: ExperimentReport, bot: str) -> None:
    from matplotlib.ticker import EngFormatter  # noqa: PLC0415

    if report.equal_share:
        equal = 100 * report.equal_share
        axes.axhline(equal, color=GREY, linestyle=":", linewidth=1, label="equal")
    for place, result in enumerate(report.entries):
        if bot not in result.curves:
            continue
        curve, colour = result.curves[bot], f"C{place}"
        value, low, high = 100 * np.array(curve.estimates).T
        runs = f"{_short(result.name)} ({len(result.runs)} runs)"
        axes.plot(curve.timesteps, value, color=colour, marker="o", markersize=2.5, label=runs)
        axes.fill_between(curve.timesteps, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.set_title(f"against {_short(bot)}", fontsize="medium")
    axes.set_xlabel("decisions learned from")
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlim(left=0)
    axes.spines[["top", "right"]].set_visible(False)


def _short(name: str) -> str:
    return shortened(name, _LONGEST_NAME)
