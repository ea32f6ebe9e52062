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
    title = "Score against copies of each rival, by players and objectives"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    for column in ("players", "obj.", *panel, "all"):
        # Names are broken so that all columns fit in a terminal of 80 characters.
        table.add_column(Text(column.replace("-", "-\n")), justify="right", overflow="fold")
    for game in games:
        cells = [result.score_against(rival, [game]) for rival in panel]
        numbers = [str(game.players), str(game.objectives), *map(_value, cells)]
        table.add_row(*numbers, Text(_value(result.score_in([game])), "bold"))
    totals = [_value(result.score_against(rival, games)) for rival in panel]
    table.add_row("all", "", *totals, _value(score), style="bold")
    console.print(table)
    speed = result.decisions_per_second
    if speed is not None:
        text = f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"
        console.print(f"{text} decisions per second", highlight=False)
    if result.games_forfeited:
        console.print(Text(f"{result.games_forfeited} games forfeited", "red"))


def _value(estimate: Estimate) -> str:
    return f"{estimate.value:.0f}"
