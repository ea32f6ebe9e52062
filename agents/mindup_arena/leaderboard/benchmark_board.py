"""A board of results of the benchmark."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mindup_arena.benchmark.protocol import BenchmarkGame
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_file import read_result
from mindup_arena.benchmark.score import BEST, lowest
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.leaderboard.board import ALL_GAMES, Board, BoardBot, Cell, RecordedGame, View
from mindup_play.records import replay_page


def read_board(paths: Sequence[Path]) -> Board:
    """The board of some result files.

    Raises:
        ValueError: one cannot be read, they do not belong together, or two have the same name.
    """
    results = {path: read_result(path) for path in paths}
    _check_comparable(results)
    return benchmark_board(list(results.values()))


def benchmark_board(results: Sequence[BenchmarkResult]) -> Board:
    """The board of some results of the same protocol and size."""
    settings, rules = results[0].settings, results[0].settings.rules
    deals = rules.sizes[settings.size].deals
    played = f"{deals} deals in all seat rotations against copies of each rival"
    return Board(
        title="Mind Up! leaderboard",
        note=f"{settings.protocol}, size {settings.size}: {len(rules.games)} games, {played}."
        + _note_on_versions(results),
        measure=(
            "score",
            f"0 is equal play, 100 wins every game; with {COVERAGE} % intervals over deals",
        ),
        score_format="{:.1f}",
        cell_title="Score against copies of each rival",
        cell_format="{:.0f}",
        bots=[_bot(result) for result in results],
        rivals=list(rules.panel),
        views=[_view(title, games, results) for title, games in _views(rules.games)],
    )


def _check_comparable(results: Mapping[Path, BenchmarkResult]) -> None:
    (first, begun), *others = results.items()
    owners = {begun.settings.name: first}
    for path, result in others:
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


def _note_on_versions(results: Sequence[BenchmarkResult]) -> str:
    """Names the bots of the panel whose code was not the same in all results.

    Such results are shown together: the code of a bot can change while its play stays as it was.
    """
    panel = results[0].settings.rules.panel
    versions = {
        name: {each for result in results for each in result.fingerprints.get(spec, ())}
        for name, spec in panel.items()
    }
    changed = [name for name, found in versions.items() if len(found) > 1]
    return f" The code of {', '.join(changed)} was not the same in all results." if changed else ""


def _views(games: Sequence[BenchmarkGame]) -> list[tuple[str, list[BenchmarkGame]]]:
    """All games, those of each number of players, and those of each number of objectives."""
    views = [(ALL_GAMES, list(games))]
    views += [
        (f"{players} players", [each for each in games if each.players == players])
        for players in sorted({game.players for game in games})
    ]
    views += [
        (f"{number} objectives", [each for each in games if each.objectives == number])
        for number in sorted({game.objectives for game in games})
    ]
    return views


def _view(title: str, games: Sequence[BenchmarkGame], results: Sequence[BenchmarkResult]) -> View:
    least = sum(lowest(game.players) for game in games) / len(games)
    return View(
        title,
        [result.score_in(games) for result in results],
        [
            [_cell(result, rival, games, least) for rival in result.settings.rules.panel]
            for result in results
        ],
    )


def _cell(
    result: BenchmarkResult, rival: str, games: Sequence[BenchmarkGame], least: float
) -> Cell | None:
    if rival == result.settings.rules.panel_name(result.settings.bot):
        return None
    estimate: Estimate = result.score_against(rival, games)
    return Cell(estimate, estimate.value / (BEST if estimate.value > 0 else -least))


def _bot(result: BenchmarkResult) -> BoardBot:
    settings = result.settings
    return BoardBot(
        settings.name,
        result.decisions_per_second,
        result.games_forfeited,
        [("bot", settings.bot), ("games", f"{result.num_games:,}"), *result.machine.items()],
        [
            RecordedGame(game.name, replay_page(record, _names(result, game)))
            for game, record in zip(settings.rules.games, result.records, strict=False)
        ],
    )


def _names(result: BenchmarkResult, game: BenchmarkGame) -> list[str]:
    """The names of the players: the bot sits at the first seat of the recorded games."""
    settings = result.settings
    *_, rival = settings.rules.rivals_of(settings.bot)
    return [settings.name, *(f"{rival} ({number})" for number in range(1, game.players))]
