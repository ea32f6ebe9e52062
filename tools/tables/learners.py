"""The tables of learners compared, from what ``python -m tools.why learning`` measures."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from mindup_env.report import Column
from mindup_training.experiment.statistics import estimate_improvement, resample_runs
from tools.tables import Row, code, table
from tools.tables.reports import interval_of_runs, names, report
from tools.why.hyperparameters import best, entry_name
from tools.why.learners import LEARNERS

PROBABILITY = Column("value", form="{:.2f}")
QUESTIONS = {
    "Does a central critic help?": ("mappo", "ppo"),
    "Values or a policy gradient?": ("dqn", "ppo_5M"),
    "Fictitious play?": ("nfsp", "ppo"),
    "Magnetic mirror descent?": ("mmd", "ppo_5M"),
    "Self-play or bots?": ("ppo_5M", "bots"),
    "Snapshots among the bots?": ("bots_and_self_play", "bots"),
    "Imitation or self-play?": ("imitation", "ppo_5M"),
    "A memory?": ("gru", "ppo"),
    "The shape of the game?": ("bidding-1", "ppo"),
}
"""Pairs of learners that answer a question."""
NEAR = 0.05
"""How far apart numbers of decisions are that count as equal."""
Point = dict[str, Any]
Curves = dict[str, list[list[Point]]]


def learning_curves() -> Curves:
    """By learner, the curve of each seed: what each of its policies reached."""
    curves: Curves = {}
    for name, each in report("why/learning").items():
        curves.setdefault(name.partition(", ")[0], []).append(each["curve"])
    return curves


def bots_of(curves: Curves) -> list[str]:
    """The bots that the last policies played against."""
    _, *bots = next(iter(curves.values()))[0][-1]
    return bots


def over_seeds(values: Sequence[float]) -> str:
    """The mean of the seeds, with the lowest and the highest."""
    return f"{fmean(values):.1f} ({min(values):.1f} to {max(values):.1f})"


@table
def learners() -> Iterator[Row]:
    """The policies at the end of each training, and what it cost."""
    curves = learning_curves()
    bots = bots_of(curves)
    head = "win share in %", *code(bots), "gain in the second half"
    yield *head, "seeds", "decisions", "CPU minutes", "decisions/s"
    for learner, seeds in curves.items():
        last = [curve[-1] for curve in seeds]
        shares = [over_seeds([point[bot] for point in last]) for bot in bots]
        gain = fmean(_gain(curve) for curve in seeds)
        decisions, minutes = last[0]["decisions"], _minutes(learner)
        cost = f"{decisions:,}", f"{minutes:.1f}", f"{decisions / minutes / 60:,.0f}"
        yield f"`{learner}`", *shares, f"{gain:+.1f}", len(seeds), *cost


def _gain(curve: list[Point]) -> float:
    """How much more the last policy wins from greedy and planner than that after half of it."""
    half = min(curve, key=lambda point: abs(2 * point["decisions"] - curve[-1]["decisions"]))
    return fmean(curve[-1][bot] - half[bot] for bot in ("greedy", "planner"))


def _minutes(learner: str) -> float:
    """The mean of the runs that were not interrupted."""
    runs = report("why/learning").items()
    found = [each["cpu_minutes"] for name, each in runs if name.startswith(f"{learner}, ")]
    return fmean(minutes for minutes in found if minutes is not None)


@table
def learner_answers() -> Iterator[Row]:
    """How probably one learner is better than another after equally many decisions."""
    yield "question", "learners", "decisions", "probability of improvement"
    curves = learning_curves()
    bots = bots_of(curves)
    for question, pair in QUESTIONS.items():
        decisions = min(curves[name][0][-1]["decisions"] for name in pair)
        scores = [
            np.array([[point_at(decisions, curve)[bot] for bot in bots] for curve in curves[name]])
            for name in pair
        ]
        runs = [resample_runs(len(each), stratum) for stratum, each in enumerate(scores)]
        found = PROBABILITY.with_interval(estimate_improvement(*scores, *runs))
        one, other = code(pair)
        yield question, f"{one} over {other}", f"{decisions:,}", found


def point_at(decisions: int, curve: list[Point]) -> Point:
    """What the policy of a curve after about so many decisions reached."""
    found = min(curve, key=lambda point: abs(point["decisions"] - decisions))
    if abs(found["decisions"] / decisions - 1) > NEAR:
        raise ValueError(f"no policy after about {decisions:,} decisions was kept")
    return found


@table
def learner_search() -> Iterator[Row]:
    """What the search of hyperparameters measured, with the chosen values in bold."""
    cells: dict[str, list[str]] = {}
    chosen = {learner: entry_name(learner, best(learner)) for learner in LEARNERS}
    for name, shares in report("why/hyperparameters").items():
        learner, *values = name.split(", ")
        cell = f"{', '.join(values)}: {fmean(shares.values()):.1f}"
        cells.setdefault(learner, []).append(f"**{cell}**" if name in chosen.values() else cell)
    yield "learner", *(f"setting {number}" for number in range(1, 5))
    for learner, tried in cells.items():
        yield f"`{learner}`", *tried


@table
def one_policy() -> Iterator[Row]:
    """One policy for several numbers of players against a policy for each, at each number."""
    yield "win share in %", "policy", "all three", "`random`", "`greedy`", "`planner`", "runs"
    for name in names("one-policy/"):
        found = report(name)
        for entry in found["entries"]:
            shares = [interval_of_runs(entry["iqm"][bot]) for bot in ("all", *entry["scores"])]
            runs = len(entry["seeds"])
            yield f"{found['players']} players", f"`{entry['name']}`", *shares, runs
