"""Plackett-Luce ratings of all bots, from all games at once.

Each bot has a strength. The places of a game are taken one after the other, each by one of those
left, with chances in proportion to their strengths; copies of a bot have its strength each.

The likelihood asks only how often a place was taken from which set of bots, and how often by
whom. So the games are summed up by set, and SciPy finds the maximum: libraries for rankings know
neither weights, which ties and resamples need, nor copies.
"""

import math
from typing import NamedTuple

import numpy as np

from mindup_arena.choices import Choices
from mindup_arena.extras import library
from mindup_arena.measures import Floats
from mindup_env.engine.state import Int64Array

POINTS_PER_LOG = 400 / math.log(10)
"""As in chess: 400 points more are ten times the strength."""
SPREAD = 5.0
"""The standard deviation of the prior of a log strength. It is so wide that it matters only to a
bot that always came first or last, whose rating it keeps finite."""


def fit(choices: Choices) -> Floats:
    """The ratings (bots,), with mean 0, that make the choices (sets,) likeliest."""
    return _fit(choices, np.zeros(choices.copies.shape[1]))


def fit_each(choices: Choices) -> Floats:
    """The ratings (n, bots) of n samples of choices (n, sets)."""
    start = np.zeros(choices.copies.shape[1])
    found = []
    for made, taken in zip(choices.made, choices.taken, strict=True):
        found.append(_fit(Choices(choices.copies, made, taken), start))
        start = found[-1] / POINTS_PER_LOG  # the next sample has much the same ratings
    return np.array(found)


def _fit(choices: Choices, start: Floats) -> Floats:
    surprise = _Surprise(*choices)
    found = library("scipy.optimize").minimize(
        surprise.value, start, jac=True, hess=surprise.curvature, method="trust-exact"
    )
    return np.asarray(POINTS_PER_LOG * (found.x - found.x.mean()))


class _Surprise(NamedTuple):
    """What is minimised: minus the log likelihood and log prior of the log strengths (bots,)."""

    copies: Int64Array  # (sets, bots)
    made: Floats  # (sets,)
    taken: Floats  # (bots,)

    def value(self, logs: Floats) -> tuple[float, Floats]:
        """With its gradient."""
        copies, made, taken = self
        weights = copies * np.exp(logs)  # (sets, bots)
        totals = weights.sum(axis=1)  # (sets,)
        value = made @ np.log(totals) - taken @ logs + (logs @ logs) / (2 * SPREAD**2)
        gradient = (made / totals) @ weights - taken + logs / SPREAD**2
        return float(value), gradient

    def curvature(self, logs: Floats) -> Floats:
        copies, made, _ = self
        weights = copies * np.exp(logs)
        chances = weights / weights.sum(axis=1, keepdims=True)  # (sets, bots)
        expected = made @ chances
        spread = np.diag(expected + SPREAD**-2) - chances.T @ (made[:, None] * chances)
        return np.asarray(spread)
