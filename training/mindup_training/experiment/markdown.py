"""The report as Markdown."""

import math
from collections.abc import Iterable, Iterator, Sequence

from mindup_arena.estimate import Estimate
from mindup_training.experiment.report import METHODS, ExperimentReport


def markdown(report: ExperimentReport) -> str:
    """The tables of the report, its pictures, and the commands of all runs."""
    return "\n".join(_lines(report))


def _lines(report: ExperimentReport) -> Iterator[str]:
    yield "# Experiment\n"
    yield _console(report.commands)
    yield f"Final policies, {report.settings.evaluation_deals} deals per bot. {METHODS}\n"
    yield "## Final win share in %\n"
    yield from _table(
        ["entry", "runs", "all", *report.bots],
        (
            [
                result.entry.name,
                str(len(result.runs)),
                *map(_share, [result.iqm, *result.iqm_against.values()]),
            ]
            for result in report.entries
        ),
    )
    if report.equal_share:
        yield f"\nEqual play is {100 * report.equal_share:.3g} %."
    yield from (f"\n{warning}" for warning in report.warnings)
    yield "\n![Interquartile means and probabilities of improvement](scores.png)\n"
    if report.improvements:
        yield "## Probability of improvement\n"
        names = [result.entry.name for result in report.entries]
        yield from _table(
            ["P(row > column)", *names],
            ([name, *_improvements(report, row)] for row, name in enumerate(names)),
        )
        yield ""
    yield "## Learning curves\n"
    yield "![Learning curves](curves.png)\n"
    yield "## Commands\n"
    yield _console(command for result in report.entries for command in result.commands)


def _improvements(report: ExperimentReport, row: int) -> Iterator[str]:
    for column in range(len(report.entries)):
        found = report.improvements.get((row, column))
        yield "" if found is None else _number(found, "{:.2f}")


def _share(estimate: Estimate) -> str:
    return _number(estimate.times(100), "{:.1f}")


def _number(estimate: Estimate, form: str) -> str:
    value, low, high = map(form.format, estimate)
    return value if math.isnan(estimate.low) else f"{value} ({low} to {high})"


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for cells in (titles, ["---"] * len(titles), *rows):
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _console(commands: Iterable[str]) -> str:
    return "```console\n" + "\n".join(commands) + "\n```\n"
