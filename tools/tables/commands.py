"""The commands behind the reports, one in a line: docs/results/commands.txt."""

import shlex

from tools.tables.reports import names, report

BENCHMARKS = ["engine", "env", "env-threads", "train", "train-threads"]
ON_GPU = {"bench-env-cuda": "mindup doctor speed env --device cuda --players 4 6 --json FILE"}
FOLDERS = {
    "why": "python -m tools.why",
}
SCRIPTS = ["bidding-ablation", "interval-coverage"]


def commands() -> str:
    found = {f"bench-{name}": _bench_command(name) for name in BENCHMARKS}
    found |= {name: _arena_command(name) for name in names() if "cross_table" in report(name)}
    found |= {name: f"python examples/studies/{name.replace('-', '_')}.py" for name in SCRIPTS}
    found |= {name: _exploit_command(name) for name in names("exploit/")}
    found |= {name: _benchmark_command(name) for name in names("benchmark/")} | ON_GPU
    lines = sorted(f"{name}.json: {command}\n" for name, command in found.items())
    return "".join([*lines, *(f"{name}: {command}\n" for name, command in FOLDERS.items())])


def _bench_command(name: str) -> str:
    counts = sorted({row["threads"] for row in report(f"bench-{name}")})
    threads = ["--threads", *map(str, counts)] if counts != [1] else []
    bench = ["mindup", "doctor", "speed", name.removesuffix("-threads")]
    return shlex.join([*bench, *threads, "--json", "FILE"])


def _exploit_command(name: str) -> str:
    found, preset = report(name), "docs/results/exploit/preset.toml"
    numbers = [word for key in ("timesteps", "deals") for word in (f"--{key}", str(found[key]))]
    options = ["--preset", preset, "--minutes", "0", *numbers]
    return shlex.join(["mindup", "train", "exploit", found["bot"], *options])


def _benchmark_command(name: str) -> str:
    found = report(name)
    options = [word for key in ("size", "protocol", "name") for word in (f"--{key}", found[key])]
    return shlex.join(["mindup", "benchmark", "run", found["bot"], *options])


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
