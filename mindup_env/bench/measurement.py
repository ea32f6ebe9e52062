"""What a benchmark measures: a row for the table on the terminal and for the JSON file."""

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from mindup_env.files import write_text


@dataclass(frozen=True)
class Measurement:
    """One measured setting."""

    bench: str
    players: int
    num_envs: int
    observations: bool
    decisions_per_second: float
    threads: int = 1


HEADER = f"{'bench':<14}{'players':>8}{'games':>8}{'observations':>14}{'decisions per second':>22}"


def line(row: Measurement) -> str:
    observations = "yes" if row.observations else "no"
    return (
        f"{row.bench:<14}{row.players:>8}{row.num_envs:>8}{observations:>14}"
        f"{row.decisions_per_second:>22,.0f}"
    )


def write_json(path: Path, rows: list[Measurement]) -> None:
    write_text(path, json.dumps([asdict(row) for row in rows], indent=2) + "\n")


def calls_per_second(call: Callable[[], object], seconds: float) -> float:
    """How often ``call`` can be called, the best of a few stretches of time.

    Whatever else the machine does can only slow it down, so the best is the nearest to the truth.
    """
    if not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a number above 0, not {seconds}")
    call()
    return max(_one_stretch(call, seconds / _STRETCHES) for _ in range(_STRETCHES))


_STRETCHES = 5


def _one_stretch(call: Callable[[], object], seconds: float) -> float:
    calls, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        call()
        calls += 1
    return calls / elapsed
