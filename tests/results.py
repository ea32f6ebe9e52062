"""The tables of results, from the reports that ``mindup arena --json`` wrote to docs/results."""

import json
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "docs" / "results"
LADDER = [(4, 0), (4, 5), (3, 0), (3, 5), (6, 0), (6, 5)]
"""Numbers of players and of objectives."""
BOTS = ["predictor", "planner", "greedy", "random"]
PLAYERS = [3, 4, 5, 6]
SEEDS = [0, 1, 2]


def report(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


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
    rows = []
    for path in sorted(RESULTS.glob("*.json")):
        settings = report(path.stem)["settings"]
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


def table(titles: list[str], rows: Iterable[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
