"""What a leaderboard shows: results of the benchmark, or one run of the arena."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from mindup_agents.labels import labels
from mindup_arena.benchmark import protocol
from mindup_arena.benchmark.protocol import NAME, BenchmarkGame
from mindup_arena.benchmark.result import BEST, BenchmarkResult, lowest
from mindup_arena.benchmark.result_file import read_result
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.report import RATING, Report
from mindup_arena.report_files import COLUMNS, speed_text
from mindup_env.report import Column

ALL_GAMES = "All games"
_NONE = "\N{EN DASH}"


class View(NamedTuple):
    """The results of some games."""

    title: str
    scores: Sequence[Estimate]  # (bots,)
    duels: Sequence[Sequence[Estimate | None]]  # (bots, rivals) None if it was not played
    bounds: tuple[float, float, float]  # of a duel: lowest possible, equal play, highest

    def heading(self, text: str) -> str:
        """A heading of these games; that of all games is the text alone."""
        return text if self.title == ALL_GAMES else f"{text}: {self.title}"

    @property
    def ranking(self) -> list[int]:
        """The bots by score, the best first."""
        return sorted(range(len(self.scores)), key=lambda bot: -self.scores[bot].value)


class BoardBot(NamedTuple):
    """A bot of the board."""

    name: str
    speed: float | None  # decisions per second
    games_forfeited: int
    facts: Sequence[tuple[str, str]]  # titles and texts


@dataclass(frozen=True)
class Board:
    """A leaderboard."""

    title: str
    note: str  # what was played
    score: Column  # of a bot; its hint says how it is read
    against: Column  # what the cross table shows
    bots: Sequence[BoardBot]
    rivals: Sequence[str]  # the columns of the cross table
    views: Sequence[View]  # first that of all games, then of some


def numbers(form: str) -> Callable[[float], str]:
    """Writes numbers with a minus sign in place of the hyphen, which is hard to see."""

    def text(number: float) -> str:
        found = form.format(number)
        is_zero = not found.strip("-+0.")  # maybe rounded
        return found.lstrip("-+") if is_zero else found.replace("-", "\N{MINUS SIGN}")

    return text


def read_board(paths: Sequence[Path]) -> Board:
    """The board of some files with results of the benchmark.

    Raises:
        ValueError: One cannot be read, they do not belong together, or two have the same name.
    """
    results = {path: read_result(path) for path in paths}
    (first, wanted), *_ = ((path, result.settings) for path, result in results.items())
    owners: dict[str, Path] = {}
    for path, result in results.items():
        own = result.settings
        if (own.size, own.players) != (wanted.size, wanted.players):
            raise ValueError(
                f"{path} and {first} cannot be compared: one has the size {own.size} and games of "
                f"{own.players or 'all'} players, the other {wanted.size} and "
                f"{wanted.players or 'all'}"
            )
        if own.name in owners:
            raise ValueError(
                f"{owners[own.name]} and {path} both have the name {own.name!r}: give one of them "
                "another name in its file"
            )
        owners[own.name] = path
    return benchmark_board(list(results.values()))


def benchmark_board(results: Sequence[BenchmarkResult]) -> Board:
    """The board of some results of the same games and size."""
    settings = results[0].settings
    # The code of a bot can change while its play stays: such results are shown together.
    changed = [
        name
        for name, spec in protocol.PANEL.items()
        if len({each.fingerprints[spec] for each in results if spec in each.fingerprints}) > 1
    ]
    note = f" The code of {', '.join(changed)} was not the same in all results." if changed else ""
    # Speeds are compared on the machine of most results.
    ((machine, _),) = Counter(tuple(each.machine.items()) for each in results).most_common(1)
    views = {ALL_GAMES: settings.games}
    for what in ("players", "objectives"):
        for number in sorted({getattr(game, what) for game in settings.games}):
            games = tuple(game for game in settings.games if getattr(game, what) == number)
            views[f"{number} {what}"] = games
    return Board(
        title="Mind Up! leaderboard",
        note=f"{NAME}, size {settings.size}: {len(settings.games)} kinds of game, each with "
        f"{settings.deals} deals in all seat rotations against copies of each rival; up to "
        f"{max(each.settings.num_games for each in results):,} games of a bot.{note}",
        score=Column(
            "score",
            "score",
            numbers("{:.1f}"),
            css="score",
            hint=f"0 is equal play, 100 wins every game; with {COVERAGE} % intervals over deals",
        ),
        against=_against("Score against copies of each rival", "{:.0f}"),
        bots=[_bot_of_result(result, dict(machine)) for result in results],
        rivals=list(protocol.PANEL),
        views=[_view(title, games, results) for title, games in views.items()],
    )


def _against(title: str, form: str) -> Column:
    return Column("against", title, numbers(form), missing=_NONE)


def _view(title: str, games: Sequence[BenchmarkGame], results: Sequence[BenchmarkResult]) -> View:
    duels = [
        [
            result.score_in(games, rival) if rival in result.settings.rivals else None
            for rival in protocol.PANEL
        ]
        for result in results
    ]
    bounds = sum(lowest(game.players) for game in games) / len(games), 0.0, BEST
    return View(title, [result.score_in(games) for result in results], duels, bounds)


def _bot_of_result(result: BenchmarkResult, machine: Mapping[str, str]) -> BoardBot:
    settings, speed = result.settings, result.decisions_per_second
    return BoardBot(
        settings.name,
        speed if result.machine == machine else None,
        result.games_forfeited,
        [
            ("bot", settings.bot),
            ("games", f"{settings.num_games:,}"),
            *([] if speed is None else [("decisions/s", speed_text(speed))]),
            *result.machine.items(),
        ],
    )


def arena_board(report: Report) -> Board:
    """The board of an arena: ratings, and the win shares of one bot against copies of another."""
    settings, config = report.settings, report.settings.config
    names, equal = labels(settings.bots), 100 / config.num_players
    found: Mapping[tuple[int, int], Estimate]
    found = {(duel.one, duel.field): duel.win_share for duel in report.cross_table}
    rivals = [bot for bot in report.ranking if any(field == bot for _, field in found)]
    duels = [[found.get((bot, rival)) for rival in rivals] for bot in range(len(names))]
    title = f"Win share in % against copies of each rival, {equal:.3g} for equal play"
    columns = [
        replace(column, form=numbers(str(column.form)))
        for column in COLUMNS
        if column.key != RATING
    ]
    return Board(
        title="Mind Up! arena",
        note=f"{config.num_players} players, {config.num_objectives} objectives: "
        f"{settings.deals:,} deals in all seat rotations, {report.num_games:,} games.",
        score=Column(
            RATING,
            RATING,
            numbers("{:+.0f}"),
            css="score",
            hint="400 points more mean ten times the strength; "
            f"with {COVERAGE} % intervals over deals",
        ),
        against=_against(title, "{:.1f}"),
        bots=[
            BoardBot(
                name,
                report.times[bot].speed,
                report.games_forfeited(bot),
                [
                    ("bot", settings.bots[bot]),
                    *((each.heading, each.with_interval(measures[each.key])) for each in columns),
                ],
            )
            for bot, (name, measures) in enumerate(zip(names, report.bots, strict=True))
        ],
        rivals=[names[bot] for bot in rivals],
        views=[View(ALL_GAMES, [each[RATING] for each in report.bots], duels, (0, equal, 100))],
    )
