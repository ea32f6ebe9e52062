"""The tables of measured results, from the reports in docs/results."""

import json
import shlex
from pathlib import Path
from typing import Any

from mindup_env.batch_env.game_threads import LEAST_GAMES
from mindup_env.report import Column, markdown_table

RESULTS = Path(__file__).parents[2] / "docs" / "results"
LADDER = [(4, 0), (4, 5), (3, 0), (3, 5), (6, 0), (6, 5)]
"""Numbers of players and of objectives."""
BOTS = ["predictor", "planner", "greedy", "random"]
BENCHMARKS = ["engine", "env", "train"]
ENVIRONMENTS = {
    "BatchEnv": "`BatchEnv`, all seats",
    "copy": "copying the same number of bytes",
    "make_vec": "`make_vec`, one learner among random bots",
    "parallel_env": "`parallel_env`",
    "leduc_holdem": "leduc_holdem of PettingZoo, 2 players",
    "goofspiel": "goofspiel of OpenSpiel (C++), called from Python",
}
LEARNERS = {
    "sb3": "MaskablePPO of sb3-contrib, one seat against `greedy`, 3 epochs",
    "ppo": "`mindup_training.ppo`, all seats, 1 epoch",
}
WIN_SHARE = Column("win_share", form="{:.1f}")
OF_RUNS = Column("value", form="{:.1f}", scale=100, ends=("low", "high"))
"""Win shares as experiments and best responses have them."""
THREADED_ENVIRONMENTS = ["BatchEnv", "copy", "make_vec"]


def names(folder: str = "") -> list[str]:
    """The names of the reports in a folder of docs/results and in the folders of it."""
    found = sorted((RESULTS / folder).rglob("*.json"))
    return [path.relative_to(RESULTS).with_suffix("").as_posix() for path in found]


def report(name: str) -> Any:
    """The report ``docs/results/NAME.json``."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def headline() -> str:
    """A few figures for the README."""
    engine = only(report("bench-engine"), players=4, num_envs=1024)
    env, of_two = (
        only(report("bench-env"), bench="BatchEnv", num_envs=1024, threads=count)
        for count in (1, 2)
    )
    learner = only(report("bench-train"), bench="sb3", threads=1)
    cells = report("champion-2-4p")["cross_table"]
    rows = [
        ["engine, random legal play, 1024 games of four", f"{_rate(engine)} decisions/s"],
        ["`BatchEnv`, observations and masks of all seats", f"{_rate(env)} decisions/s"],
        ["`BatchEnv` with two threads", f"{_rate(of_two)} decisions/s"],
        ["MaskablePPO at 256 tables, played and learned from", f"{_rate(learner)} decisions/s"],
        *(
            [f"`champion-2` against 3 `{bot}`", f"{duel(cells, 'champion-2', bot)} % win share"]
            for bot in ["search", "predictor", "planner"]
        ),
        ["equal play of four", "25.0 % win share"],
    ]
    return markdown_table(["measured", ""], rows)


def engine_speed() -> str:
    rows = report("bench-engine")
    return _speed("players", {str(row["players"]): row["players"] for row in rows}, "players", rows)


def env_speed() -> str:
    titles = {title: bench for bench, title in ENVIRONMENTS.items()}
    return _speed("4 players", titles, "bench", _in_one_thread(report("bench-env")))


def train_speed() -> str:
    rows = [
        [title, _rate(only(report("bench-train"), bench=bench, threads=1))]
        for bench, title in LEARNERS.items()
    ]
    return markdown_table(
        ["256 tables of four", "decisions per second, played and learned from"], rows
    )


def thread_speed() -> str:
    """Environments and learners with each number of threads that was measured."""
    environments, learners = report("bench-env"), report("bench-train")
    sizes = sorted({row["num_envs"] for row in environments if row["num_envs"] >= 2 * LEAST_GAMES})
    lines = {
        f"{ENVIRONMENTS[bench]}; {size} games": [
            row for row in environments if (row["bench"], row["num_envs"]) == (bench, size)
        ]
        for bench in THREADED_ENVIRONMENTS
        for size in sizes
    }
    for bench, title in LEARNERS.items():
        lines[title] = [row for row in learners if row["bench"] == bench]
    counts = _thread_counts([row for rows in lines.values() for row in rows])
    cells = []
    for title, rows in lines.items():
        speeds = {row["threads"]: _rate(row) for row in rows}
        cells.append([title, *(speeds.get(count, "") for count in counts)])
    return markdown_table(["threads", *map(str, counts)], cells)


def exploitability() -> str:
    games = report("exploitability")
    policies = sorted(games["two turns"], key=games["two turns"].get, reverse=True)
    rows = [[game, *(f"{shares[name]:.5f}" for name in policies)] for game, shares in games.items()]
    return markdown_table(["exploitability", *policies], rows)


def interval_coverage() -> str:
    """The lowest coverage and the largest width of each group of distributions."""
    rows = report("interval-coverage")
    deals = sorted({row["deals"] for row in rows})
    cells = []
    for group in dict.fromkeys(row["group"] for row in rows):
        found = [[row for row in rows if (row["group"], row["deals"]) == (group, n)] for n in deals]
        covered = [min(row["coverage"] for row in each) for each in found]
        widths = [max(row["relative_width"] for row in each) for each in found]
        bootstrap = [min(row["bootstrap_coverage"] for row in each) for each in found]
        ours = [f"{100 * low:.1f} ({wide:.2f})" for low, wide in zip(covered, widths, strict=True)]
        cells.append([group, *ours, " / ".join(f"{100 * low:.0f}" for low in bootstrap)])
    titles = [f"{n} deals" for n in deals]
    return markdown_table(["coverage in % (width)", *titles, "bootstrap, the same deals"], cells)


def _speed(head: str, lines: dict[str, Any], key: str, rows: list[dict[str, Any]]) -> str:
    """A row for each value of ``key``, and a column for each number of games."""
    sizes = sorted({row["num_envs"] for row in rows})
    cells = {(row[key], row["num_envs"]): _rate(row) for row in rows}
    return markdown_table(
        [head, *(f"{size} game{'s' * (size > 1)}" for size in sizes)],
        [
            [title, *(cells.get((value, size), "") for size in sizes)]
            for title, value in lines.items()
        ],
    )


def _in_one_thread(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["threads"] == 1]


def _thread_counts(rows: list[dict[str, Any]]) -> list[int]:
    return sorted({row["threads"] for row in rows})


def _rate(row: dict[str, Any]) -> str:
    return f"{row['decisions_per_second']:,.0f}"


def ladder() -> str:
    """The win share of every bot over all games, at several tables."""
    reports = [
        report(f"ladder-{players}p" + (f"-{objectives}-objectives" if objectives else ""))
        for players, objectives in LADDER
    ]
    titles = [
        f"{players} players" + (f", {objectives} objectives" if objectives else "")
        for players, objectives in LADDER
    ]
    rows = [
        [f"`{name}`", *(interval(only(each["bots"], name=name)) for each in reports)]
        for name in BOTS
    ]
    rows.append(["equal play", *(f"{100 / players:.1f}" for players, _ in LADDER)])
    return markdown_table(["win share in %", *titles], rows)


def duels() -> str:
    """One bot against copies of another, four players."""
    reports = ["ladder-4p", *(f"search-4p-{bot}" for bot in BOTS), "champion-2-4p"]
    cells = [cell for name in reports for cell in report(name)["cross_table"]]
    cells += champion_1_cells("champion-4p", "champion-4p-search")
    fields = ["search", "champion-1", *BOTS]
    rows = [
        [f"`{one}`", *(duel(cells, one, field) for field in fields)]
        for one in ["champion-2", "champion-1", "search", *BOTS]
    ]
    return markdown_table(
        ["win share in % of one against 3 copies of", *(f"`{field}`" for field in fields)], rows
    )


def champion_1_cells(*names: str) -> list[dict[str, Any]]:
    """The cross tables of reports in which champion-1 has its first name."""
    cells = [cell for name in names for cell in report(name)["cross_table"]]
    return [{**cell, "one": "champion-1"} for cell in cells if cell["one"] == "champion"]


def commands() -> str:
    """The command that wrote each report."""
    rows = [[f"`bench-{name}.json`", f"`{_bench_command(name)}`"] for name in BENCHMARKS]
    for name in names():
        found = report(name)
        if "cross_table" not in found:
            continue  # not a report of the arena
        settings = found["settings"]
        words = ["mindup", "arena", *(["--one-vs-field"] if settings["one_vs_field"] else [])]
        words += settings["bots"]
        config = settings["config"]
        words += ["--players", config["num_players"], "--objectives", config["num_objectives"]]
        words += ["--deals", settings["deals"], "--seed", settings["seed"]]
        rows.append([f"`{name}.json`", f"`{shlex.join(map(str, words))}`"])
    rows.append(["`exploitability.json`", "`python examples/studies/exploitability.py`"])
    rows.append(["`interval-coverage.json`", "`python examples/studies/interval_coverage.py`"])
    return markdown_table(["report", "command"], sorted(rows))


def _bench_command(name: str) -> str:
    words = ["mindup", "bench", name]
    counts = _thread_counts(report(f"bench-{name}"))
    if counts != [1]:
        words += ["--threads", *map(str, counts)]
    return shlex.join([*words, "--json", "FILE"])


def duel(cells: list[dict[str, Any]], one: str, field: str) -> str:
    """The win share of one bot against copies of another, or nothing if they did not play."""
    found = [each for each in cells if (each["one"], each["field"]) == (one, field)]
    return interval(found[0]) if found else ""


def only(rows: list[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    """The one row with these entries."""
    (found,) = [row for row in rows if wanted.items() <= row.items()]
    return found


def interval(row: dict[str, Any]) -> str:
    """The win share of a row in percent, with its interval."""
    return WIN_SHARE.with_interval(WIN_SHARE.read(row))
