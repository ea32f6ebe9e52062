"""The tables of results, from what ``mindup arena`` and ``mindup bench`` wrote to docs/results."""

import json
import shlex
from pathlib import Path
from typing import Any

from tools.tables.markdown import table

RESULTS = Path(__file__).parents[2] / "docs" / "results"
LADDER = [(4, 0), (4, 5), (3, 0), (3, 5), (6, 0), (6, 5)]
"""Numbers of players and of objectives."""
BOTS = ["predictor", "planner", "greedy", "random"]
PLAYERS = [3, 4, 5, 6]
SEEDS = [0, 1, 2]
BENCHMARKS = ["engine", "env", "train"]
FORMS = {
    "BatchEnv": "`BatchEnv`, all seats",
    "copy": "copying as many bytes",
    "make_vec": "`make_vec`, learners among random bots",
    "parallel_env": "`parallel_env`",
    "leduc_holdem": "PettingZoo's own leduc_holdem, 2 players",
    "goofspiel": "OpenSpiel's goofspiel, in C++, from Python",
}
LEARNERS = {
    "sb3": "MaskablePPO of SB3, against `greedy`, 3 epochs",
    "ppo": "the single file, all seats, 1 epoch",
}


def report(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def engine_speed() -> str:
    rows = report("bench-engine")
    return _speed("players", {str(row["players"]): row["players"] for row in rows}, "players", rows)


def env_speed() -> str:
    titles = {title: bench for bench, title in FORMS.items()}
    return _speed("4 players", titles, "bench", report("bench-env"))


def train_speed() -> str:
    rows = [
        [title, _rate(_only(report("bench-train"), bench=bench))]
        for bench, title in LEARNERS.items()
    ]
    return table(["256 tables of four", "learned from, decisions per second"], rows)


def exploitability() -> str:
    games = report("exploitability")
    policies = sorted(games["two turns"], key=games["two turns"].get, reverse=True)
    rows = [[game, *(f"{shares[name]:.5f}" for name in policies)] for game, shares in games.items()]
    return table(["exploitability", *policies], rows)


def _speed(head: str, lines: dict[str, Any], key: str, rows: list[dict[str, Any]]) -> str:
    """A line for each value of ``key``, and a column for each number of games."""
    sizes = sorted({row["num_envs"] for row in rows})
    cells = {(row[key], row["num_envs"]): _rate(row) for row in rows}
    return table(
        [head, *(f"{size} game{'s' * (size > 1)}" for size in sizes)],
        [
            [title, *(cells.get((value, size), "") for size in sizes)]
            for title, value in lines.items()
        ],
    )


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
        [f"`{name}`", *(_share(_only(each["bots"], name=name)) for each in reports)]
        for name in BOTS
    ]
    rows.append(["equal play", *(f"{100 / players:.1f}" for players, _ in LADDER)])
    return table(["win share in %", *titles], rows)


def duels() -> str:
    """One bot against copies of another, four players."""
    cells = report("ladder-4p")["cross_table"] + report("champion-4p")["cross_table"]
    for name in [*(f"search-4p-{bot}" for bot in BOTS), "champion-4p-search"]:
        cells += report(name)["cross_table"]
    fields = ["search", *BOTS]
    rows = [
        [f"`{one}`", *(_cell(cells, one, field) for field in fields)]
        for one in ["champion", "search", *BOTS]
    ]
    return table(["one against 3 copies of", *(f"`{field}`" for field in fields)], rows)


def champions() -> str:
    """The champions, and what other seeds make, against copies of each bot."""
    rows = []
    for players in PLAYERS:
        cells = report(f"champion-{players}p")["cross_table"]
        cells += report(f"champion-{players}p-search")["cross_table"]
        title = f"{players} players, equal {100 / players:.1f}"
        shares = [_cell(cells, "champion", bot) for bot in ["search", *BOTS]]
        rows.append([title, "0", *shares])
        for seed in SEEDS[1:]:
            cells = report(f"champion-{players}p-seed{seed}")["cross_table"]
            one = cells[0]["one"]
            rows.append(["", f"{seed}", "", *(_cell(cells, one, bot) for bot in BOTS)])
    return table(["win share in %", "seed", "`search`", *(f"`{bot}`" for bot in BOTS)], rows)


def commands() -> str:
    """By which command each report was made."""
    rows = [[f"`bench-{name}.json`", f"`mindup bench {name} --json FILE`"] for name in BENCHMARKS]
    for path in sorted(RESULTS.glob("*.json")):
        found = report(path.stem)
        if "settings" not in found:
            continue  # no arena wrote it
        settings = found["settings"]
        words = ["mindup", "arena", *(["--one-vs-field"] if settings["one_vs_field"] else [])]
        words += settings["bots"]
        config = settings["config"]
        words += ["--players", config["num_players"], "--objectives", config["num_objectives"]]
        words += ["--deals", settings["deals"], "--seed", settings["seed"]]
        rows.append([f"`{path.name}`", f"`{shlex.join(map(str, words))}`"])
    return table(["report", "command"], rows)


def _cell(cells: list[dict[str, Any]], one: str, field: str) -> str:
    found = [each for each in cells if (each["one"], each["field"]) == (one, field)]
    return _share(found[0]) if found else ""


def _only(rows: list[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    (found,) = [row for row in rows if wanted.items() <= row.items()]
    return found


def _share(row: dict[str, Any]) -> str:
    share, low, high = (row[f"win_share{end}"] for end in ("", "_low", "_high"))
    return f"{share:.1f} ({low:.1f} to {high:.1f})"
