"""The report on the terminal, in 80 columns."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mindup_arena.estimate import Estimate
from mindup_env.report.terminal import plain_text
from mindup_training.experiment.report import METHODS, ExperimentReport

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console
    from rich.text import Text

_NAME_WIDTH, _CELL_WIDTH = 20, 12
"""The least width of names, and the most of a cell such as 100.0..100.0, with the space after."""


def print_experiment(report: ExperimentReport, console: "Console | None" = None) -> None:
    """Prints the interquartile means and the probabilities of improvement."""
    if console is None:
        from rich.console import Console  # noqa: PLC0415

        console = Console()
    deals = report.settings.evaluation_deals
    console.print(plain_text(f"Final policies, {deals} deals per bot. {METHODS}", "dim"))
    names = [
        f"{place} {each.entry.name} ({len(each.runs)})"
        for place, each in enumerate(report.entries, start=1)
    ]
    equal = f", equal play is {100 * report.equal_share:.3g}" if report.equal_share else ""
    shares = {"all": [_share(result.iqm) for result in report.entries]}
    shares |= {
        bot: [_share(each.iqm_against[bot]) for each in report.entries] for bot in report.bots
    }
    _print_tables(console, f"Final win share in % (number of runs){equal}", names, shares)
    if report.improvements:
        places = range(len(names))
        chances = {
            str(column + 1): [_improvement(report, row, column) for row in places]
            for column in places
        }
        title = "Probability that the row is better than the column"
        _print_tables(console, title, names, chances)
    for warning in report.warnings:
        console.print(plain_text(warning, "yellow"))


def _print_tables(
    console: "Console", title: str, names: Sequence[str], columns: Mapping[str, Sequence["Text"]]
) -> None:
    """Prints as many tables as the columns need in the width of the console."""
    from rich.table import Table  # noqa: PLC0415

    per_table = max(1, (console.width - _NAME_WIDTH) // (_CELL_WIDTH + 1))
    console.print(plain_text(f"\n{title}", "italic"))
    for first in range(0, len(columns), per_table):
        shown = list(columns)[first : first + per_table]
        table = Table(box=None, padding=(0, 1, 0, 0))
        table.add_column("", overflow="fold")
        for column in shown:
            table.add_column(
                plain_text(column), justify="right", overflow="fold", max_width=_CELL_WIDTH
            )
        for row, name in enumerate(names):
            table.add_row(plain_text(name), *(columns[column][row] for column in shown))
        console.print(table)


def _improvement(report: ExperimentReport, row: int, column: int) -> "Text":
    found = report.improvements.get((row, column))
    return plain_text("") if found is None else _number(found, "{:.2f}")


def _share(estimate: Estimate) -> "Text":
    return _number(estimate.times(100), "{:.1f}")


def _number(estimate: Estimate, form: str) -> "Text":
    """The value, and its interval in a line below."""
    text = plain_text(form.format(estimate.value), "bold")
    if not math.isnan(estimate.low):
        text.append(f"\n{form.format(estimate.low)}..{form.format(estimate.high)}", "dim")
    return text
