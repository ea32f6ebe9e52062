"""Plackett-Luce ratings of all bots, from all games at once.

The ranks of a game are taken one after the other, each by one of the bots left, with probabilities
in proportion to their strengths; each copy of a bot has the bot's strength.

The likelihood depends only on how often a rank was taken from each set of bots, and by each bot.
So the games are counted by set. SciPy finds the maximum: libraries for rankings support neither
weights, which ties and resamples need, nor copies.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import Floats
from mindup_arena.settings import Match
from mindup_env.engine.state import Int64Array

POINTS_PER_LOG = 400 / math.log(10)
"""As in chess: 400 points more are ten times the strength."""
PRIOR_DEVIATION = 5.0
"""The standard deviation of the prior of a log strength. It matters only for a bot that is always
first or last: its rating stays finite."""

Copies = tuple[int, ...]
"""How many copies of each bot are left."""


class Choices(NamedTuple):
    """How often a rank was taken from each set of bots, and by each bot.

    A set of copies of one bot leaves no choice and is not counted.
    """

    copies: Int64Array  # (sets, bots) the copies in each set
    made: Floats  # (deals, sets)
    taken: Floats  # (deals, bots)


def count_choices(matches: Sequence[Match], ranks: Sequence[Int64Array], num_bots: int) -> Choices:
    """The choices of each deal, from the ranks (deals, rotations, places) of each match."""
    deals = len(ranks[0])
    made: dict[Copies, Floats] = defaultdict(lambda: np.zeros(deals))
    taken = np.zeros((deals, num_bots))
    for match, match_ranks in zip(matches, ranks, strict=True):
        # Games end in few different ways: each way is counted once.
        ends, which = np.unique(match_ranks.reshape(-1, len(match)), axis=0, return_inverse=True)
        by_deal = which.reshape(match_ranks.shape[:2])  # (deals, rotations)
        for end, row in enumerate(ends.tolist()):
            games = (by_deal == end).sum(axis=1)  # (deals,)
            for weight, left, bot in ranks_taken(match, row, num_bots):
                if np.count_nonzero(left) > 1:
                    made[left] += weight * games
                    taken[:, bot] += weight * games
    sets = sorted(made)
    by_set = np.stack([made[each] for each in sets], axis=1)
    return Choices(np.array(sets, np.int64), by_set, taken)


def ranks_taken(
    match: Match, ranks: list[int], num_bots: int
) -> Iterator[tuple[float, Copies, int]]:
    """The choices of one game: weights, the sets, and the bots that were chosen.

    Every order of places that tie has an equal weight.
    """
    for rank in sorted(set(ranks)):
        tied = [bot for bot, own in zip(match, ranks, strict=True) if own == rank]
        worse = [bot for bot, own in zip(match, ranks, strict=True) if own > rank]
        for size in range(1, len(tied) + 1):
            groups = list(combinations(tied, size))
            for group in groups:
                left = [*group, *worse]
                copies = tuple(left.count(bot) for bot in range(num_bots))
                for bot in group:
                    yield 1 / (len(groups) * size), copies, bot


def fit(copies: Int64Array, all_made: Floats, all_taken: Floats) -> Floats:
    """The ratings (n, bots), with mean 0, of n samples of choices."""
    logs = np.zeros(copies.shape[1])
    found = []
    for made, taken in zip(all_made, all_taken, strict=True):
        # The next sample has similar ratings: it starts from these.
        logs = _fit_one(copies, made, taken, logs)
        found.append(POINTS_PER_LOG * logs)
    return np.array(found)


def _fit_one(copies: Int64Array, made: Floats, taken: Floats, start: Floats) -> Floats:
    """The logarithms of the strengths (bots,) with the highest posterior."""
    from scipy.optimize import minimize  # noqa: PLC0415  # an extra

    def loss(logs: Floats) -> tuple[float, Floats]:
        """The negative logarithm of the posterior, up to a constant, and its gradient."""
        weights = copies * np.exp(logs)  # (sets, bots)
        totals = weights.sum(axis=1)  # (sets,)
        prior = (logs @ logs) / (2 * PRIOR_DEVIATION**2)
        value = made @ np.log(totals) - taken @ logs + prior
        gradient = (made / totals) @ weights - taken + logs / PRIOR_DEVIATION**2
        return float(value), gradient

    def hessian(logs: Floats) -> Floats:
        weights = copies * np.exp(logs)
        chances = weights / weights.sum(axis=1, keepdims=True)  # (sets, bots)
        diagonal = np.diag(made @ chances + PRIOR_DEVIATION**-2)
        return np.asarray(diagonal - chances.T @ (made[:, None] * chances))

    logs = minimize(loss, start, jac=True, hess=hessian, method="trust-exact").x
    return np.asarray(logs - logs.mean())
