"""The result of a benchmark: the win shares of all deals, and the score that follows from them.

0 is equal play, 100 wins every game. The win share w of one bot among P players counts as
(w - 1/P) / (1 - 1/P), so that tables of every size weigh the same. The score is the mean over all
games and rivals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mindup_arena.benchmark import protocol
from mindup_arena.benchmark.protocol import NAME, BenchmarkGame, BenchmarkSettings
from mindup_arena.estimate import COVERAGE, Estimate, Floats, student_quantile
from mindup_env.report import Cell, Column, Table, Value
from mindup_env.report.terminal import open_console, plain_text, print_table

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

BEST = 100.0


def normalise(win_shares: Floats, num_players: int) -> Floats:
    """The scores of win shares from 0 to 1."""
    return np.asarray(BEST * (win_shares * num_players - 1) / (num_players - 1))


def lowest(num_players: int) -> float:
    """The score without any victory."""
    return -BEST / (num_players - 1)


def estimate_score(win_shares: Sequence[Floats], players: Sequence[int]) -> Estimate:
    """The mean score over some games, with its 95 % interval.

    The unit is the deal: all rivals of a game are met with the same deals, so that their results
    are no independent samples. The score of a deal is its mean over the rivals; each game has a
    variance of its own, and the variance of the mean over the games is estimated from
    games * (deals - 1) degrees of freedom, which makes Student's t the distribution of its error.

    No spread between few deals does not prove that there is none: the deals of a game count as
    if at least one of their results had been another.

    Args:
        win_shares: For each game, the win shares (rivals, deals), each a mean over all rotations.
        players: The number of players of each game.
    """
    means, variances, freedom = [], [], 0
    for shares, num_players in zip(win_shares, players, strict=True):
        num_rivals, num_deals = shares.shape
        scores = normalise(shares.mean(axis=0), num_players)  # (deals,)
        # One victory more in one rotation against one rival.
        step = BEST / (num_players - 1) / num_rivals
        means.append(scores.mean())
        variances.append(max(scores.var(ddof=1) / num_deals, (step / num_deals) ** 2))
        freedom += num_deals - 1
    value = float(np.mean(means))
    half = float(student_quantile(freedom) * np.sqrt(np.sum(variances)) / len(means))
    least = float(np.mean([lowest(number) for number in players]))
    return Estimate(value, max(value - half, least), min(value + half, BEST))


@dataclass(frozen=True, eq=False)
class BenchmarkResult:
    """The result of a bot."""

    settings: BenchmarkSettings
    win_shares: Floats  # (games, rivals, deals) from 0 to 1, each a mean over all rotations
    games_forfeited: int
    decisions_per_second: float | None  # None if it was not measured
    machine: Mapping[str, str]  # the machine and the versions, by title
    fingerprints: Mapping[str, str] = field(default_factory=dict)  # of the bots, by their specs

    @property
    def score(self) -> Estimate:
        """The mean over all games and rivals."""
        return self.score_in(self.settings.games)

    def score_in(self, games: Sequence[BenchmarkGame], rival: str | None = None) -> Estimate:
        """The mean over some games and all rivals, or one; copies of the bot itself count 0."""
        if rival is not None and rival == self.settings.in_panel:
            return Estimate(0.0, 0.0, 0.0)  # known, not estimated
        columns = [at for at, name in enumerate(protocol.PANEL) if rival in (None, name)]
        own = self.settings.games
        return estimate_score(
            [self.win_shares[own.index(game), columns] for game in games],
            [game.players for game in games],
        )


def print_result(result: BenchmarkResult, console: "Console | None" = None) -> None:
    """Prints the score and its parts: a row for each rival, and a column for each game."""
    console = open_console(console)
    settings, score, speed = result.settings, result.score, result.decisions_per_second
    line = plain_text(f"{settings.name}: score {score.value:.1f}", "bold")
    line.append(f" ({score.low:.1f} to {score.high:.1f}), {NAME}, {settings.size}", "not bold")
    console.print(line)
    about = f"{settings.num_games:,} games. 0 is equal play, 100 wins every game; {COVERAGE} % "
    console.print(plain_text(f"{about}interval over deals.", "dim"))
    print_table(_result_table(result), console)
    if speed is not None:
        text = f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"
        console.print(plain_text(f"{text} decisions per second"))
    if result.games_forfeited:
        console.print(plain_text(f"{result.games_forfeited} games forfeited", "red"))


def _result_table(result: BenchmarkResult) -> Table:
    """The parts of the score, without intervals; the last row and column have the means."""
    games = result.settings.games
    columns = [*((f"{game.players}/{game.objectives}", [game]) for game in games), ("all", games)]
    rows: list[list[Value | Cell]] = []
    for rival in (*protocol.PANEL, None):
        parts = [result.score_in(some, rival).value for _, some in columns]
        is_total = [rival is None or title == "all" for title, _ in columns]
        cells = [Cell(part, bold=bold) for part, bold in zip(parts, is_total, strict=True)]
        rows.append([rival or Cell("all", bold=True), *cells])
    return Table(
        "Score by rival, and by players/objectives",
        [Column("rival", "rival"), *(Column(title, title, "{:.0f}") for title, _ in columns)],
        rows,
    )
