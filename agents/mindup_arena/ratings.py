"""Plackett-Luce ratings of all bots, from all games at once.

Each bot has a strength. The ranks of a game are taken one after the other, each by one of the
bots left, with probabilities in proportion to their strengths; each copy of a bot has the bot's
strength.

The likelihood depends only on how often a rank was taken from each set of bots, and how often by
each bot. So the games are counted by set, and SciPy finds the maximum: libraries for rankings
support neither weights, which ties and resamples need, nor copies.
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
"""The standard deviation of the prior of a log strength. It is so wide that it matters only for a
bot that is always first or last: it keeps its rating finite."""

Copies = tuple[int, ...]
"""How many copies of each bot are left."""


class Choices(NamedTuple):
    """How often a rank was taken from each set of bots, and by each bot.

    A set of copies of one bot leaves no choice and is not counted.
    """

    copies: Int64Array  # (sets, bots) the copies in each set
    made: Floats  # (n, sets)
    taken: Floats  # (n, bots)


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
    return Choices(np.array(sets, np.int64), np.stack([made[each] for each in sets], 1), taken)


def ranks_taken(
    match: Match, ranks: list[int], num_bots: int
) -> Iterator[tuple[float, Copies, int]]:
    """The choices of one game: their weights, the sets, and the bots that were chosen.

    Places that tie could have finished in any order, and each order has an equal weight.
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


def fit(choices: Choices) -> Floats:
    """The ratings (n, bots), each with mean 0, of the highest posterior of n samples of choices."""
    from scipy.optimize import minimize  # noqa: PLC0415  # an extra

    copies, found = choices.copies, []
    logs = np.zeros(copies.shape[1])  # of the strengths
    for made, taken in zip(choices.made, choices.taken, strict=True):

        def loss(logs: Floats, made: Floats = made, taken: Floats = taken) -> tuple[float, Floats]:
            """The negative logarithm of the posterior, up to a constant, and its gradient."""
            weights = copies * np.exp(logs)  # (sets, bots)
            totals = weights.sum(axis=1)  # (sets,)
            value = made @ np.log(totals) - taken @ logs + (logs @ logs) / (2 * PRIOR_DEVIATION**2)
            gradient = (made / totals) @ weights - taken + logs / PRIOR_DEVIATION**2
            return float(value), gradient

        def hessian(logs: Floats, made: Floats = made) -> Floats:
            weights = copies * np.exp(logs)
            probabilities = weights / weights.sum(axis=1, keepdims=True)  # (sets, bots)
            diagonal = np.diag(made @ probabilities + PRIOR_DEVIATION**-2)
            return np.asarray(diagonal - probabilities.T @ (made[:, None] * probabilities))

        # The next sample has similar ratings: it starts from these.
        logs = minimize(loss, logs, jac=True, hess=hessian, method="trust-exact").x
        logs = logs - logs.mean()
        found.append(POINTS_PER_LOG * logs)
    return np.array(found)
