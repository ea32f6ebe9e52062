"""The result on the terminal."""

from typing import TYPE_CHECKING

from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.estimate import COVERAGE, Estimate

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console


def print_result(result: BenchmarkResult, console: "Console | None" = None) -> None:
    """Prints the score and its parts: a row for each game, and a column for each rival."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = console or Console()
    settings, score = result.settings, result.score
    games, panel = settings.rules.games, settings.rules.panel
    line = Text.assemble(
        (f"{settings.name}: score {score.value:.1f}", "bold"),
        f" ({score.low:.1f} to {score.high:.1f}), {settings.protocol}, {settings.size}",
    )
    console.print(line)
    console.print(
        f"{result.num_games:,} games. 0 is equal play, 100 wins every game; {COVERAGE} % interval "
        "over deals.",
        style="dim",
        highlight=False,
    )
    table = Table(title="Score against copies of each rival", title_justify="left", box=None)
    for column in ("players", "objectives", *panel, "all"):
        table.add_column(Text(column), justify="right", overflow="fold")
    for game in games:
        cells = [result.score_against(rival, [game]) for rival in panel]
        numbers = [str(game.players), str(game.objectives), *map(_value, cells)]
        table.add_row(*numbers, Text(_value(result.score_in([game])), "bold"))
    totals = [_value(result.score_against(rival, games)) for rival in panel]
    table.add_row("all", "", *totals, _value(score), style="bold")
    console.print(table)
    if result.decisions_per_second is not None:
        console.print(f"{result.decisions_per_second:,.3g} decisions per second", highlight=False)
    if result.games_forfeited:
        console.print(Text(f"{result.games_forfeited} games forfeited", "red"))


def _value(estimate: Estimate) -> str:
    return f"{estimate.value:.0f}"
