"""The tables of learners compared, from what ``python -m tools.why learning`` measures."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from tools.tables import Row, code, table
from tools.tables.reports import report
from tools.why.hyperparameters import best, entry_name
from tools.why.learners import LEARNERS

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
