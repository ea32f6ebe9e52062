"""The reports in docs/results, and the tables of speeds, studies and the benchmark from them."""

import json
import shlex
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_file import read_result
from mindup_env.agent import AGENTS
from mindup_env.batch_env.game_threads import LEAST_GAMES
from mindup_env.report import Column
from tools.tables import Row, table

RESULTS = Path(__file__).parents[2] / "docs" / "results"
BENCHMARKS = ["engine", "env", "env-threads", "train", "train-threads"]
ENVIRONMENTS = {
    "BatchEnv": "`BatchEnv`, all seats",
    "copy": "copying the same number of bytes",
    "make_vec": "`make_vec`, one learner among random bots",
    "parallel_env": "`parallel_env`",
    "leduc_holdem": "leduc_holdem of PettingZoo, 2 players",
    "goofspiel": "goofspiel of OpenSpiel (C++), called from Python",
}
THREADED_ENVIRONMENTS = ["BatchEnv", "copy", "make_vec"]
LEARNERS = {
    "sb3": "MaskablePPO of sb3-contrib, one seat against `greedy`, 3 epochs",
    "ppo": "`mindup_training.ppo`, all seats, 1 epoch",
}
WIN_SHARE = Column("win_share", form="{:.1f}")
OF_RUNS = Column("value", form="{:.1f}", scale=100, ends=("low", "high"))
"""Win shares as experiments and best responses have them."""


def names(folder: str = "") -> list[str]:
    """The names of the reports in a folder of docs/results and in the folders of it."""
    found = sorted((RESULTS / folder).rglob("*.json"))
    return [path.relative_to(RESULTS).with_suffix("").as_posix() for path in found]


def report(name: str) -> Any:
    """The report ``docs/results/NAME.json``."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def benchmark_results() -> list[Path]:
    """The results of the project's leaderboard."""
    return sorted((RESULTS / "benchmark").glob("*.json"))


def some(rows: list[dict[str, Any]], **wanted: Any) -> list[dict[str, Any]]:
    """The rows with these entries."""
    return [row for row in rows if wanted.items() <= row.items()]


def only(rows: list[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    """The one row with these entries."""
    (found,) = some(rows, **wanted)
    return found


def cells(*reports: str) -> list[dict[str, Any]]:
    """The cross tables of reports, in which champion-1 can have its first name."""
    found = [cell for name in reports for cell in report(name)["cross_table"]]
    return [{**cell, "one": "champion-1"} if cell["one"] == "champion" else cell for cell in found]


def duel(played: list[dict[str, Any]], one: str, field: str) -> str | None:
    """The win share of one bot against copies of another; None if they did not play."""
    found = some(played, one=one, field=field)
    return interval(found[0]) if found else None


def interval(row: dict[str, Any]) -> str:
    """The win share of a row in percent, with its interval."""
    return WIN_SHARE.with_interval(WIN_SHARE.read(row))


# Speeds


@table
def headline() -> Iterator[Row]:
    """A few figures for the README."""
    speeds = {
        "engine, random legal play, 1024 games of four": only(
            report("bench-engine"), players=4, num_envs=1024
        ),
        "`BatchEnv`, observations and masks of all seats": only(
            report("bench-env"), bench="BatchEnv", num_envs=1024
        ),
        "MaskablePPO at 256 tables, played and learned from": only(
            report("bench-train"), bench="sb3"
        ),
    }
    yield "measured", ""
    for title, row in speeds.items():
        yield title, f"{_rate(row)} decisions/s"
    for bot in ("search", "predictor", "planner"):
        share = duel(cells("champion-2-4p"), "champion-2", bot)
        yield f"`champion-2` against 3 `{bot}`", f"{share} % win share"
    yield "equal play of four", "25.0 % win share"


@table
def engine_speed() -> Iterator[Row]:
    rows = report("bench-engine")
    lines = {str(each["players"]): some(rows, players=each["players"]) for each in rows}
    return _speeds("players", lines, "num_envs")


@table
def env_speed() -> Iterator[Row]:
    rows = report("bench-env")
    lines = {title: some(rows, bench=bench) for bench, title in ENVIRONMENTS.items()}
    return _speeds("4 players", lines, "num_envs")


@table
def train_speed() -> Iterator[Row]:
    yield "256 tables of four", "decisions per second, played and learned from"
    for bench, title in LEARNERS.items():
        yield title, _rate(only(report("bench-train"), bench=bench))


@table
def thread_speed() -> Iterator[Row]:
    """Environments and learners with each number of threads that was measured."""
    environments, learners = report("bench-env-threads"), report("bench-train-threads")
    sizes = sorted({row["num_envs"] for row in environments if row["num_envs"] >= 2 * LEAST_GAMES})
    lines = {
        f"{ENVIRONMENTS[bench]}; {size} games": some(environments, bench=bench, num_envs=size)
        for bench in THREADED_ENVIRONMENTS
        for size in sizes
    }
    lines |= {title: some(learners, bench=bench) for bench, title in LEARNERS.items()}
    return _speeds("threads", lines, "threads")


def _speeds(head: str, lines: dict[str, list[dict[str, Any]]], key: str) -> Iterator[Row]:
    """A line for each title with its rows, and a column for each value of ``key``."""
    values = sorted({row[key] for rows in lines.values() for row in rows})
    unit = {"num_envs": " games"}.get(key, "")
    yield head, *(f"{value}{unit.rstrip('s') if value == 1 else unit}" for value in values)
    for title, rows in lines.items():
        rates = {row[key]: _rate(row) for row in rows}
        yield title, *map(rates.get, values)


def _rate(row: dict[str, Any]) -> str:
    return f"{row['decisions_per_second']:,.0f}"


# Studies


@table
def exploitability() -> Iterator[Row]:
    games = report("exploitability")
    policies = sorted(games["two turns"], key=games["two turns"].get, reverse=True)
    yield "exploitability", *policies
    for game, shares in games.items():
        yield game, *(f"{shares[name]:.5f}" for name in policies)


@table
def interval_coverage() -> Iterator[Row]:
    """The lowest coverage and the largest width of each group of distributions."""
    rows = report("interval-coverage")
    deals = sorted({row["deals"] for row in rows})
    yield "coverage in % (width)", *(f"{n} deals" for n in deals), "bootstrap, the same deals"
    for group in dict.fromkeys(row["group"] for row in rows):
        ours, bootstrap = [], []
        for number in deals:
            found = some(rows, group=group, deals=number)
            covered, low = (
                min(100 * row[key] for row in found) for key in ("coverage", "bootstrap_coverage")
            )
            ours.append(f"{covered:.1f} ({max(row['relative_width'] for row in found):.2f})")
            bootstrap.append(f"{low:.0f}")
        yield group, *ours, " / ".join(bootstrap)


# The benchmark


@table
def leaderboard() -> Iterator[Row]:
    """The scores of the project's bots and policies, the best first."""
    yield "bot", "score", "size", "decisions/s"
    for result in _ranked():
        value, low, high = result.score
        speed = result.decisions_per_second
        cell = None if speed is None else f"{speed:,.3g}" if speed < 10 else f"{speed:,.0f}"
        settings = result.settings
        yield f"`{settings.name}`", f"{value:.1f} ({low:.1f} to {high:.1f})", settings.size, cell


def bot_scores() -> str:
    """The scores that the new-game screen of ``mindup play`` shows: those of registered bots."""
    registered = entry_points(group=AGENTS).names
    scores = {
        result.settings.name: round(result.score.value, 1)
        for result in _ranked()
        if result.settings.name in registered
    }
    return json.dumps(scores, indent=2) + "\n"


def _ranked() -> list[BenchmarkResult]:
    """The results of the project's leaderboard, the best first."""
    return sorted(map(read_result, benchmark_results()), key=lambda result: -result.score.value)


# The reports themselves


@table
def commands() -> Iterator[Row]:
    """The command that wrote each report."""
    yield "report", "command"
    found = {f"bench-{name}": _bench_command(name) for name in BENCHMARKS}
    found |= {name: _arena_command(name) for name in names() if "cross_table" in report(name)}
    for study in ("exploitability", "interval-coverage"):
        found[study] = f"python examples/studies/{study.replace('-', '_')}.py"
    yield from sorted((f"`{name}.json`", f"`{command}`") for name, command in found.items())


def _bench_command(name: str) -> str:
    counts = sorted({row["threads"] for row in report(f"bench-{name}")})
    threads = ["--threads", *map(str, counts)] if counts != [1] else []
    command = name.removesuffix("-threads")
    return shlex.join(["mindup", "bench", command, *threads, "--json", "FILE"])


def _arena_command(name: str) -> str:
    settings = report(name)["settings"]
    words = ["mindup", "arena", *(["--one-vs-field"] if settings["one_vs_field"] else [])]
    words += settings["bots"]
    config = settings["config"]
    words += ["--players", config["num_players"], "--objectives", config["num_objectives"]]
    words += ["--deals", settings["deals"], "--seed", settings["seed"]]
    return shlex.join(map(str, words))
