"""What a leaderboard shows: results of the benchmark, or one run of the arena."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mindup_agents.labels import labels
from mindup_arena.benchmark.protocol import BenchmarkGame
from mindup_arena.benchmark.result import BEST, BenchmarkResult, lowest
from mindup_arena.benchmark.result_file import read_result
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.report import RATING, Report
from mindup_arena.report_files import COLUMNS
from mindup_env.report import Cell, Column
from mindup_play.records import replay_page

ALL_GAMES = "All games"
_SHADES = 6
_NONE = "\N{EN DASH}"


class View(NamedTuple):
    """The results of some games."""

    title: str
    scores: Sequence[Estimate]  # (bots,)
    cells: Sequence[Sequence[Cell]]  # (bots, rivals)

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
    games_forfeited: int = 0
    facts: Sequence[tuple[str, str]] = ()  # titles and texts
    games: Sequence[tuple[str, str]] = ()  # recorded ones: what a link to it says, and its page


@dataclass(frozen=True)
class Board:
    """A leaderboard.

    Attributes:
        title: The title of the page.
        note: What was played.
        score: The score of a bot; its hint says how it is read.
        against: What the cross table shows.
        bots: The bots.
        rivals: The names of the columns of the cross table.
        views: The results: first those of all games, then of some.
    """

    title: str
    note: str
    score: Column
    against: Column
    bots: Sequence[BoardBot]
    rivals: Sequence[str]
    views: Sequence[View]


def numbers(form: str) -> Callable[[float], str]:
    """Writes numbers with a minus sign in place of the hyphen, which is hard to see."""
    return partial(_number_text, form)


def _number_text(form: str, number: float) -> str:
    text = form.format(number)
    if not text.strip("-+0."):
        return text.lstrip("-+")  # it is rounded to 0
    return text.replace("-", "\N{MINUS SIGN}")


Bounds = tuple[float, float, float]
"""The lowest possible result, that of equal play, and the highest one."""


def _cell(column: Column, bot: str, rival: str, found: Estimate | None, bounds: Bounds) -> Cell:
    """The coloured result of one bot against copies of another; None if it was not played."""
    if found is None:
        return Cell(None, hint=f"{bot}: not against {rival}", css="empty")
    (least, equal, most), number = bounds, found.value
    wins = number > equal
    heat = abs(number - equal) / (most - equal if wins else equal - least)
    css = f"{'win' if wins else 'loss'} heat-{min(math.ceil(heat * _SHADES), _SHADES)}"
    return Cell(number, hint=f"{bot} against {rival}: {column.with_interval(found)}", css=css)


def read_board(paths: Sequence[Path]) -> Board:
    """The board of some files with results of the benchmark.

    Raises:
        ValueError: One cannot be read, they do not belong together, or two have the same name.
    """
    results = {path: read_result(path) for path in paths}
    _check_comparable(results)
    return benchmark_board(list(results.values()))


def _check_comparable(results: Mapping[Path, BenchmarkResult]) -> None:
    (first, begun), *_ = results.items()
    owners: dict[str, Path] = {}
    for path, result in results.items():
        own, wanted = result.settings, begun.settings
        if (own.protocol, own.size) != (wanted.protocol, wanted.size):
            raise ValueError(
                f"{path} is a result of {own.protocol}, size {own.size}, and {first} one of "
                f"{wanted.protocol}, size {wanted.size}: they cannot be compared"
            )
        if own.name in owners:
            raise ValueError(
                f"{owners[own.name]} and {path} both have the name {own.name!r}: give one of them "
                "another name in its file"
            )
        owners[own.name] = path


def benchmark_board(results: Sequence[BenchmarkResult]) -> Board:
    """The board of some results of the same protocol and size."""
    settings, rules = results[0].settings, results[0].settings.rules
    deals = rules.sizes[settings.size].deals
    against = Column(
        "against", "Score against copies of each rival", numbers("{:.0f}"), missing=_NONE
    )
    # The code of a bot can change while its play stays: such results are shown together.
    changed = [
        name
        for name, spec in rules.panel.items()
        if len({each for result in results for each in result.fingerprints.get(spec, ())}) > 1
    ]
    note = f" The code of {', '.join(changed)} was not the same in all results." if changed else ""
    views = {ALL_GAMES: list(rules.games)}
    for what in ("players", "objectives"):
        for number in sorted({getattr(game, what) for game in rules.games}):
            games = [game for game in rules.games if getattr(game, what) == number]
            views[f"{number} {what}"] = games
    return Board(
        title="Mind Up! leaderboard",
        note=f"{settings.protocol}, size {settings.size}: {len(rules.games)} games, {deals} deals "
        f"in all seat rotations against copies of each rival.{note}",
        score=Column(
            "score",
            "score",
            numbers("{:.1f}"),
            css="score",
            hint=f"0 is equal play, 100 wins every game; with {COVERAGE} % intervals over deals",
        ),
        against=against,
        bots=[_bot_of_result(result) for result in results],
        rivals=list(rules.panel),
        views=[_view(title, games, results, against) for title, games in views.items()],
    )


def _view(
    title: str, games: Sequence[BenchmarkGame], results: Sequence[BenchmarkResult], against: Column
) -> View:
    bounds = sum(lowest(game.players) for game in games) / len(games), 0.0, BEST
    cells = []
    for result in results:
        settings, rules = result.settings, result.settings.rules
        own = rules.panel_name(settings.bot)
        found = [
            None if rival == own else result.score_against(rival, games) for rival in rules.panel
        ]
        each = zip(rules.panel, found, strict=True)
        cells.append([_cell(against, settings.name, *pair, bounds) for pair in each])
    return View(title, [result.score_in(games) for result in results], cells)


def _bot_of_result(result: BenchmarkResult) -> BoardBot:
    settings = result.settings
    *_, rival = settings.rules.rivals_of(settings.bot)
    recorded = []
    for game, record in zip(settings.rules.games, result.records, strict=False):
        # The bot sits at the first seat of the recorded games.
        names = [settings.name, *(f"{rival} ({number})" for number in range(1, game.players))]
        recorded.append((game.name, replay_page(record, names)))
    return BoardBot(
        settings.name,
        result.decisions_per_second,
        result.games_forfeited,
        [("bot", settings.bot), ("games", f"{result.num_games:,}"), *result.machine.items()],
        recorded,
    )


def arena_board(report: Report) -> Board:
    """The board of an arena: ratings, and the win shares of one bot against copies of another."""
    settings, config = report.settings, report.settings.config
    names, equal = labels(settings.display_names), 100 / config.num_players
    found = {(duel.one, duel.field): duel.win_share for duel in report.cross_table}
    rivals = [bot for bot in report.ranking if any(field == bot for _, field in found)]
    title = f"Win share in % against copies of each rival, {equal:.3g} for equal play"
    against = Column("against", title, numbers("{:.1f}"), missing=_NONE)
    cells = [
        [
            _cell(against, name, names[rival], found.get((bot, rival)), (0, equal, 100))
            for rival in rivals
        ]
        for bot, name in enumerate(names)
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
        against=against,
        bots=[_bot_of_report(report, bot, name) for bot, name in enumerate(names)],
        rivals=[names[bot] for bot in rivals],
        views=[View(ALL_GAMES, [measures[RATING] for measures in report.bots], cells)],
    )


def _bot_of_report(report: Report, bot: int, name: str) -> BoardBot:
    facts = [("bot", report.settings.bots[bot])]
    for column in COLUMNS:
        if column.key != RATING:
            shown = replace(column, form=numbers(str(column.form)))
            facts.append((shown.heading, shown.with_interval(report.bots[bot][column.key])))
    return BoardBot(name, report.times[bot].speed, report.games_forfeited(bot), facts)
