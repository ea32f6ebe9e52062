"""How far learners get after how many decisions, with the hyperparameters that a search chose."""

from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from mindup_training import RunSettings
from tools.why.hyperparameters import best
from tools.why.learners import LEARNERS, RUNS, trained, win_shares
from tools.why.study import Entries

DEALS = {"random": 100, "greedy": 100, "planner": 100}
CHAMPION_DEALS = {"champion-2": 20}
DECISIONS = 600, 2_000, 20_000, 200_000, 2_000_000
"""The policies nearest to these, and the last, play against the champion too, which is slow."""


def entries() -> Entries:
    return {
        f"{name}, seed {seed}": partial(learned, name, seed)
        for seed in range(max(each.seeds for each in LEARNERS.values()))
        for name, each in LEARNERS.items()
        if seed < each.seeds
    }


def learned(name: str, seed: int) -> dict[str, Any]:
    """The win shares of the policies of a training, and its CPU time unless it was resumed."""
    resumed, started = folder_of(name, seed).exists(), process_time()
    settings, kept = settings_of(name, seed), policies(name, seed)
    minutes = None if resumed else round((process_time() - started) / 60, 2)
    curve = []
    for decisions, path in kept.items():
        deals = DEALS | CHAMPION_DEALS if decisions in compared([*kept]) else DEALS
        curve.append({"decisions": decisions, **win_shares(settings, path, deals)})
    return {"hyperparameters": best(name), "cpu_minutes": minutes, "curve": curve}


def compared(kept: list[int]) -> set[int]:
    """Those of the decisions of kept policies at which learners are compared."""
    _, *trained = kept
    near = (min(trained, key=lambda each: abs(each - decisions)) for decisions in DECISIONS)
    return {*near, kept[-1]}


def policies(name: str, seed: int) -> dict[int, Path]:
    """The policies of a learner, by decisions."""
    return trained(settings_of(name, seed), folder_of(name, seed))


def settings_of(name: str, seed: int) -> RunSettings:
    compared = LEARNERS[name]
    return compared.run(compared.decisions, seed, **best(name))


def folder_of(name: str, seed: int) -> Path:
    return RUNS / f"{name}-seed{seed}"
