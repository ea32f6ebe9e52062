"""What all studies share: entries that are measured one after another, and kept in one report."""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import monotonic
from typing import Any

from mindup_arena.estimate import Estimate
from mindup_env.runs.files import write_text
from tools import ROOT

REPORTS = ROOT / "docs" / "results" / "why"
Entries = Mapping[str, Callable[[], dict[str, Any]]]
"""By name, what measures an entry; its result is plain data for JSON."""


def measure(study: str, entries: Entries, workers: int = 1) -> None:
    """Measures the entries that the report of a study lacks, and writes it after each of them.

    With several workers, each is a process that measures one entry at a time.
    """
    path = REPORTS / f"{study}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    missing = [name for name in entries if name not in found]
    if not missing:
        print(f"{study}: {path} has all entries; what is deleted there is measured again")
    started = monotonic()
    for done, (name, result) in enumerate(_results(entries, missing, workers), start=1):
        found[name] = result
        kept = {each: found[each] for each in entries if each in found}
        write_text(path, json.dumps(kept, indent=1) + "\n")
        spent = (monotonic() - started) / 60
        left = spent / done * (len(missing) - done)
        print(f"{study}: {name} ({spent:.0f} minutes; about {left:.0f} left)", flush=True)


def _results(
    entries: Entries, names: list[str], workers: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    if workers == 1:
        yield from ((name, entries[name]()) for name in names)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        measured = {pool.submit(entries[name]): name for name in names}
        yield from ((measured[each], each.result()) for each in as_completed(measured))


def percent(estimate: Estimate) -> list[float]:
    """An estimate of a share as a report has it: value and ends of the interval, in per cent."""
    return [round(100 * number, 2) for number in estimate]
