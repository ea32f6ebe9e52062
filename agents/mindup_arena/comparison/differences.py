"""Differences between two bots that played the same deals in the same seats.

A lucky deal helps both bots, so the difference of each deal tells more than two separate win
shares. The deal is the unit, as everywhere in the arena.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import COVERAGE, Estimate, Floats, estimate_shares

SIGNIFICANCE = 1 - COVERAGE / 100
POWER = 0.8
"""The probability with which the deals that are named as necessary show the difference."""
SIGN_FLIPS = 20_000


class Difference(NamedTuple):
    """The win shares of two bots against the same opponents, and what they differ by.

    Attributes:
        first: The win share of the first bot, from 0 to 1.
        second: That of the second bot.
        difference: The first minus the second, of the same deals.
        p_value: How probable at least this difference is if both bots are equally good.
        corrected_p_value: The p-value after the correction for the number of comparisons.
        more_deals: How many more deals would show this difference with a probability of 80 %; None
            if it is significant, or if there is no difference at all.
    """

    first: Estimate
    second: Estimate
    difference: Estimate
    p_value: float
    corrected_p_value: float
    more_deals: int | None

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below 5 %."""
        return self.corrected_p_value < SIGNIFICANCE


def compare_deals(first: Floats, second: Floats, games: int, seed: int) -> list[Difference]:
    """The differences of several comparisons, from the win shares of each deal (deals, n).

    Args:
        first: The win shares of the first bot in each deal, from 0 to 1.
        second: Those of the second bot.
        games: Number of games of a deal, of each bot.
        seed: Random seed of the tests.
    """
    p_values = [sign_flip_test(column, seed) for column in (first - second).T]
    corrected = holm(p_values)
    parts = estimate_shares(first, games), estimate_shares(second, games)
    found = []
    for index, (one, other) in enumerate(zip(*parts, strict=True)):
        each = first[:, index], second[:, index]
        more = None
        if corrected[index] >= SIGNIFICANCE:
            more = more_deals(each[0] - each[1], SIGNIFICANCE / len(p_values))
        difference = paired_difference(one, other, correlation(*each))
        found.append(Difference(one, other, difference, p_values[index], corrected[index], more))
    return found


def paired_difference(first: Estimate, second: Estimate, correlation: float) -> Estimate:
    """The difference of two estimates that are correlated.

    Its interval is put together from theirs (Zou and Donner, 2008). So it has a length also where
    both bots win nearly always and all deals show the same difference.
    """

    def length(one: float, other: float) -> float:
        return math.sqrt(max(one**2 + other**2 - 2 * correlation * one * other, 0))

    value = first.value - second.value
    return Estimate(
        value,
        value - length(first.value - first.low, second.high - second.value),
        value + length(first.high - first.value, second.value - second.low),
    )


def correlation(first: Floats, second: Floats) -> float:
    """Of the deals (deals,); 0 if one of the bots has the same share in all of them."""
    if len(first) == 1 or first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def sign_flip_test(differences: Floats, seed: int) -> float:
    """The two-sided p-value of differences (deals,) that have a mean of 0 if bots are equal.

    If the bots are equally good, each deal could as well have had the opposite difference. The test
    needs no normal distribution, and so is right for few deals and for rare wins.
    """
    sizes, counts = np.unique(np.abs(differences), return_counts=True)
    positive = np.random.default_rng(seed).binomial(counts, 0.5, (SIGN_FLIPS, len(counts)))
    flipped = np.abs((2 * positive - counts) @ sizes)
    seen = abs(differences.sum()) - 1e-9  # sums that are equal but for rounding count as equal
    return float((1 + np.count_nonzero(flipped >= seen)) / (1 + SIGN_FLIPS))


def holm(p_values: list[float]) -> list[float]:
    """The p-values, corrected so that one false finding among all has a probability of 5 %."""
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, (len(p_values) - rank) * p_values[index])
        corrected[index] = min(largest, 1.0)
    return corrected


def more_deals(differences: Floats, significance: float) -> int | None:
    """How many more deals show the mean of ``differences`` (deals,), if it is the true one."""
    if len(differences) == 1 or math.isclose(differences.mean(), 0, abs_tol=1e-12):
        return None
    normal = NormalDist()
    quantiles = normal.inv_cdf(1 - significance / 2) + normal.inv_cdf(POWER)
    needed = (quantiles * differences.std(ddof=1) / differences.mean()) ** 2
    return max(1, math.ceil(needed) - len(differences))
