"""A measured speed: a line on the terminal and an entry of the JSON file."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from mindup_env.runs.files import write_text


@dataclass(frozen=True)
class Measurement:
    """The speed of one benchmark in one setting."""

    bench: str
    players: int
    num_envs: int
    observations: bool
    decisions_per_second: float
    threads: int = 1


HEADER = (
    f"{'bench':<14}{'players':>8}{'games':>8}{'threads':>8}{'observations':>14}"
    f"{'decisions per second':>22}"
)


def line(measured: Measurement) -> str:
    observations = "yes" if measured.observations else "no"
    return (
        f"{measured.bench:<14}{measured.players:>8}{measured.num_envs:>8}{measured.threads:>8}"
        f"{observations:>14}{measured.decisions_per_second:>22,.0f}"
    )


def write_json(path: Path, measurements: list[Measurement]) -> None:
    write_text(path, json.dumps([asdict(measured) for measured in measurements], indent=2) + "\n")


def calls_per_second(call: Callable[[], object], seconds: float) -> float:
    """How often ``call`` can be called per second: the best of several periods.

    Other load on the machine can only slow it down, so the best period is the most accurate.
    """
    if not 0 < seconds <= _MAX_SECONDS:
        raise ValueError(
            f"seconds must be a finite number above 0 and at most {_MAX_SECONDS}, not {seconds}"
        )
    call()
    return max(_one_period(call, seconds / _PERIODS) for _ in range(_PERIODS))


_PERIODS = 5
_MAX_SECONDS = 60 * 60


def _one_period(call: Callable[[], object], seconds: float) -> float:
    calls, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        call()
        calls += 1
    return calls / elapsed
