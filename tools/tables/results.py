"""The tables of speeds, studies and the benchmark."""

import json
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from typing import Any

from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_file import read_result
from mindup_env.agent import AGENTS
from mindup_env.batch_env.game_threads import LEAST_GAMES
from mindup_env.report import Column
from tools.tables import Row, table
from tools.tables.reports import benchmark_results, report, some

ENVIRONMENTS = {
    "BatchEnv": "`BatchEnv`, all seats",
    "copy": "copying the same number of bytes",
    "make_vec": "`make_vec`, one learner among random bots",
    "parallel_env": "`parallel_env`",
    "leduc_holdem": "leduc_holdem of PettingZoo, 2 players",
    "goofspiel": "goofspiel of OpenSpiel (C++), called from Python",
}
THREADED_ENVIRONMENTS = ["BatchEnv", "copy", "make_vec"]
DEVICE = {"cuda engine": "without observations", "cuda BatchEnv": "`BatchEnv`"}
LEARNERS = {
    "sb3": "MaskablePPO of sb3-contrib, one seat against `greedy`, 3 epochs",
    "ppo": "`mindup_training.ppo`, all seats, 1 epoch",
}
SCORE = Column("score", form="{:.1f}")


# Speeds


@table
def engine_speed() -> Iterator[Row]:
    return _speeds("players", "num_envs", ((row["players"], row) for row in report("bench-engine")))


@table
def env_speed() -> Iterator[Row]:
    rows = report("bench-env")
    return _speeds("4 players", "num_envs", _titled(ENVIRONMENTS, rows))


@table
def cuda_speed() -> Iterator[Row]:
    rows = report("bench-env-cuda")
    lines = ((f"{DEVICE[row['bench']]}, {row['players']} players", row) for row in rows)
    return _speeds("decisions per second", "num_envs", lines)


@table
def train_speed() -> Iterator[Row]:
    yield "256 tables of four", "decisions per second, played and learned from"
    for title, row in _titled(LEARNERS, report("bench-train")):
        yield title, _rate(row)


@table
def thread_speed() -> Iterator[Row]:
    """Environments and learners with each number of threads that was measured."""
    rows = sorted(report("bench-env-threads"), key=lambda row: row["num_envs"])
    titles = {bench: ENVIRONMENTS[bench] for bench in THREADED_ENVIRONMENTS}
    lines = [
        (f"{title}; {row['num_envs']} games", row)
        for title, row in _titled(titles, rows)
        if row["num_envs"] >= 2 * LEAST_GAMES
    ]
    return _speeds(
        "threads", "threads", [*lines, *_titled(LEARNERS, report("bench-train-threads"))]
    )


def _titled(titles: dict[str, str], rows: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """The rows of each benchmark with its title."""
    return [(title, row) for bench, title in titles.items() for row in some(rows, bench=bench)]


def _speeds(head: str, key: str, rows: Iterable[tuple[object, dict[str, Any]]]) -> Iterator[Row]:
    """A line for each title of rows, and a column for each value of ``key``."""
    lines: dict[object, dict[int, str]] = {}
    for title, row in rows:
        lines.setdefault(title, {})[row[key]] = _rate(row)
    values = sorted({value for rates in lines.values() for value in rates})
    unit = {"num_envs": " games"}.get(key, "")
    yield head, *(f"{value}{unit.rstrip('s') if value == 1 else unit}" for value in values)
    for title, rates in lines.items():
        yield title, *map(rates.get, values)


def _rate(row: dict[str, Any]) -> str:
    return f"{row['decisions_per_second']:,.0f}"


# Studies


@table
def interval_coverage() -> Iterator[Row]:
    """The lowest coverage and the largest width of each group of distributions."""
    rows = report("interval-coverage")
    deals = sorted({row["deals"] for row in rows})
    yield "coverage in % (width)", *(f"{n} deals" for n in deals), "bootstrap, the same deals"
    for group in dict.fromkeys(row["group"] for row in rows):
        cells, bootstrap = [], []
        for number in deals:
            found = some(rows, group=group, deals=number)
            covered, low = (
                min(100 * row[key] for row in found) for key in ("coverage", "bootstrap_coverage")
            )
            cells.append(f"{covered:.1f} ({max(row['relative_width'] for row in found):.2f})")
            bootstrap.append(f"{low:.0f}")
        yield group, *cells, " / ".join(bootstrap)


# The benchmark


@table
def leaderboard() -> Iterator[Row]:
    """The scores of bots and policies, the best first."""
    full, small = _ranked("full"), _ranked("small")
    yield "bot", "score, size `full`", "score, size `small`", "decisions/s"
    for name in full | small:
        found = [full.get(name), small.get(name)]
        scores = (each and SCORE.with_interval(each.score) for each in found)
        speed = next((each.decisions_per_second for each in reversed(found) if each), None)
        cell = None if speed is None else f"{speed:,.3g}" if speed < 10 else f"{speed:,.0f}"
        yield f"`{name}`", *scores, cell


NOT_OFFERED = {"self-play-1"}
"""It plays with 0 or 3 objectives; the screen only knows which numbers of players a bot plays."""


def bot_scores() -> str:
    """The scores that the new-game screen of ``mindup play`` shows: those of registered bots."""
    scores = {name: round(each.score.value, 1) for name, each in _ranked("full").items()}
    registered = entry_points(group=AGENTS).names - NOT_OFFERED
    kept = {name: score for name, score in scores.items() if name in registered}
    return json.dumps(kept, indent=2) + "\n"


def _ranked(size: str) -> dict[str, BenchmarkResult]:
    """The results of a size of the benchmark by the names of the bots, the best first."""
    results = map(read_result, benchmark_results(size))
    ranked = sorted(results, key=lambda result: -result.score.value)
    return {each.settings.name: each for each in ranked}
