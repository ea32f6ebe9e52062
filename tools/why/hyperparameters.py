"""An equal search of hyperparameters for each learner, by short trainings.

It tries two learning rates with two values of another hyperparameter, which is the weight of the
entropy bonus where there is one.
"""

from functools import partial
from itertools import product
from statistics import fmean
from typing import Any

from tools.tables.reports import report
from tools.why.learners import LEARNERS, RUNS, trained, win_shares
from tools.why.study import Entries

DECISIONS, SEED = 500_000, 100
"""Of each training; the seeds of the comparison are others."""
LEARNING_RATES = 0.001, 0.004
SECOND = {"ent_coef": (0.02, 0.1), "final_epsilon": (0.05, 0.2), "batch_size": (512, 2048)}
DEALS = {"greedy": 100, "planner": 100}


def entries() -> Entries:
    return {
        entry_name(learner, values): partial(measured, learner, values)
        for learner, compared in LEARNERS.items()
        if not compared.like
        for values in grid(learner)
    }


def grid(learner: str) -> list[dict[str, Any]]:
    """The values that are tried."""
    second = LEARNERS[learner].second
    found = product(LEARNING_RATES, SECOND[second])
    return [{"learning_rate": rate, second: value} for rate, value in found]


def entry_name(learner: str, values: dict[str, Any]) -> str:
    return ", ".join([learner, *(f"{name} {value}" for name, value in values.items())])


def measured(learner: str, values: dict[str, Any]) -> dict[str, Any]:
    settings = LEARNERS[learner].run(DECISIONS, SEED, **values)
    folder = "-".join([learner, *map(str, values.values())])
    *_, last = trained(settings, RUNS / "hyperparameters" / folder).values()
    return win_shares(settings, last, DEALS)


def best(learner: str) -> dict[str, Any]:
    """The values with the highest mean win share."""
    found, learner = report("why/hyperparameters"), LEARNERS[learner].like or learner
    return max(grid(learner), key=lambda values: fmean(found[entry_name(learner, values)].values()))
