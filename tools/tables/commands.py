"""The commands behind the reports, one in a line: docs/results/commands.txt."""

import shlex
from collections.abc import Iterator

from tools.tables.baselines import BEST_RESPONSES, STUDIES
from tools.tables.reports import names, report

BENCHMARKS = ["engine", "env", "env-threads", "train", "train-threads"]
SCRIPTS = ["bidding-ablation", "interval-coverage"]


def commands() -> str:
    found = {f"bench-{name}": _bench_command(name) for name in BENCHMARKS}
    found |= {name: _arena_command(name) for name in names() if "cross_table" in report(name)}
    found |= {name: f"python examples/studies/{name.replace('-', '_')}.py" for name in SCRIPTS}
    lines = sorted(f"{name}.json: {command}\n" for name, command in found.items())
    of_folders = [
        "why: python -m tools.why",
        *(f"baselines: {command}" for command in baseline_commands()),
    ]
    return "".join([*lines, *(f"{line}\n" for line in of_folders)])


def _bench_command(name: str) -> str:
    counts = sorted({row["threads"] for row in report(f"bench-{name}")})
    threads = ["--threads", *map(str, counts)] if counts != [1] else []
    bench = ["mindup", "doctor", "speed", name.removesuffix("-threads")]
    return shlex.join([*bench, *threads, "--json", "FILE"])


def _arena_command(name: str) -> str:
    settings = report(name)["settings"]
    config = settings["config"]
    options = {
        "players": config["num_players"],
        "objectives": config["num_objectives"],
        **{name: settings[name] for name in ("deals", "seed")},
    }
    kind = ["--one-vs-field"] if settings["one_vs_field"] else []
    given = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return shlex.join(["mindup", "arena", "rank", *kind, *settings["bots"], *given])


def baseline_commands() -> Iterator[str]:
    """The command of the first run of each entry, and of each best response."""
    runs = report("baselines/runs")
    yield runs["dataset"]["command"]
    yield from (own[0]["command"] for study in STUDIES for own in runs[study].values())
    yield from (run["command"] for run in runs[BEST_RESPONSES].values())
