"""From win shares to the score: 0 is equal play, 100 wins every game.

The win share w of one bot among P players counts as (w - 1/P) / (1 - 1/P), so that tables of every
size weigh the same. The score is the mean over all games and rivals.
"""

from collections.abc import Sequence

import numpy as np

from mindup_arena.estimate import COVERAGE, Estimate, Floats

BEST = 100.0


def normalise(win_shares: Floats, num_players: int) -> Floats:
    """The scores of win shares from 0 to 1."""
    return np.asarray(BEST * (win_shares * num_players - 1) / (num_players - 1))


def lowest(num_players: int) -> float:
    """The score without any victory."""
    return -BEST / (num_players - 1)


def estimate_score(win_shares: Sequence[Floats], players: Sequence[int]) -> Estimate:
    """The mean score over some games, with its 95 % interval.

    The unit is the deal: all rivals of a game are met with the same deals, so that their results
    are no independent samples. The score of a deal is its mean over the rivals; each game has a
    variance of its own, and the variance of the mean over the games is estimated from
    games * (deals - 1) degrees of freedom, which makes Student's t the distribution of its error.

    No spread between few deals does not prove that there is none: the deals of a game count as
    if at least one of their results had been another.

    Args:
        win_shares: For each game, the win shares (rivals, deals), each a mean over all rotations.
        players: The number of players of each game.
    """
    from scipy.special import stdtrit  # noqa: PLC0415  # an extra

    means, variances, freedom = [], [], 0
    for shares, num_players in zip(win_shares, players, strict=True):
        num_rivals, num_deals = shares.shape
        scores = normalise(shares.mean(axis=0), num_players)  # (deals,)
        # One victory more in one rotation against one rival.
        step = BEST / (num_players - 1) / num_rivals
        means.append(scores.mean())
        variances.append(max(scores.var(ddof=1) / num_deals, (step / num_deals) ** 2))
        freedom += num_deals - 1
    value = float(np.mean(means))
    quantile = stdtrit(freedom, 1 - (100 - COVERAGE) / 200)
    half = float(quantile * np.sqrt(np.sum(variances)) / len(means))
    least = float(np.mean([lowest(number) for number in players]))
    return Estimate(value, max(value - half, least), min(value + half, BEST))
