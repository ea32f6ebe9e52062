"""What the benchmarks share: options, measurements, and the report.

Each benchmark is a command that adds its options and what it measures with ``add_benchmark``. Each
measurement is a line on the terminal, and an entry of a JSON file.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.files import write_plain
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.declaration import option, settings

_PERIODS = 5


@settings
class BenchSettings:
    """The options that the benchmarks share."""

    players: tuple[int, ...] = option(
        "players per game", default=(4,), low=MIN_PLAYERS, high=MAX_PLAYERS
    )
    num_envs: tuple[int, ...] = option(
        "games at once",
        default=(1, 64, 1024, 8192),
        low=1,
        high=2**20,  # observations of that many games fill gigabytes
    )
    seconds: float = option("time for each measurement", default=1.0, above=0, high=3600)
    json: Path | None = option("also write the results to FILE", default=None)


Settings = TypeVar("Settings", bound=BenchSettings)


class Measurement(NamedTuple):
    """The speed of a benchmark; the fields are those of an entry of the JSON file."""

    bench: str
    players: int
    num_envs: int
    observations: bool
    decisions_per_second: float


def add_benchmark(
    parser: argparse.ArgumentParser,
    cls: type[Settings],
    measure: Callable[[Settings], Iterable[Measurement]],
    names: Iterable[str] | None = None,
) -> None:
    """Lets a command measure with the options in ``names``, or with all."""

    def run(arguments: argparse.Namespace) -> int:
        chosen = cls(**given_options(arguments, cls))
        report(measure(chosen), chosen.json)
        return 0

    add_options(parser, cls, names=names)
    parser.set_defaults(run=run)


def report(measured: Iterable[Measurement], file: Path | None) -> None:
    """Prints each measurement as soon as it is made, and writes all of them to the file."""
    form = "{:<14}{:>8}{:>8}{:>14}{:>22}"
    rows: list[dict[str, Any]] = []
    for row in measured:
        if not rows:
            heads = "bench", "players", "games", "observations", "decisions per second"
            print(form.format(*heads))
        seen, speed = "yes" if row.observations else "no", f"{row.decisions_per_second:,.0f}"
        size = row.bench, row.players, row.num_envs
        print(form.format(*size, seen, speed), flush=True)
        rows.append(row._asdict())
    if file is not None:
        write_plain(file, rows)


def measured(
    call: Callable[[], object],
    decisions: int,
    seconds: float,
    bench: str,
    players: int,
    num_envs: int,
    *,
    observations: bool = True,
) -> Measurement:
    """Measures calls of so many decisions each."""
    speed = calls_per_second(call, seconds) * decisions
    return Measurement(bench, players, num_envs, observations, speed)


def calls_per_second(call: Callable[[], object], seconds: float) -> float:
    """How often ``call`` can be called per second: the best of several periods.

    Other load on the machine can only slow it down, so the best period is the most accurate.
    """
    call()
    return max(_one_period(call, seconds / _PERIODS) for _ in range(_PERIODS))


def _one_period(call: Callable[[], object], seconds: float) -> float:
    calls, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        call()
        calls += 1
    return calls / elapsed
