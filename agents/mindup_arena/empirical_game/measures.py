"""Nash average and alpha-rank of the bots of an arena, with intervals by bootstrap."""

from collections.abc import Sequence

import numpy as np

from mindup_arena.deal_statistics import Duel
from mindup_arena.empirical_game.alpha_rank import alpha_rank, has_alpha_rank
from mindup_arena.empirical_game.nash_average import nash_average
from mindup_arena.estimate import Estimate, Floats, estimate_by_bootstrap

FEWEST_BOTS = 3
"""Two bots cannot beat each other in a circle."""
GAME_MEASURES = "nash_average", "nash_weight", "alpha_rank"


def game_measures(
    duels: Sequence[Duel], shares: Floats, resampled: Floats, num_bots: int, num_deals: int
) -> dict[str, list[Estimate]]:
    """The measures of every bot, by name; none if the cross table is not complete.

    Args:
        duels: The duels of the cross table.
        shares: The win share of each duel, from 0 to 1 (duels,).
        resampled: The same of each resample of the deals (resamples, duels).
        num_bots: Number of bots.
        num_deals: Number of deals.

    Returns:
        ``nash_average``, in points of win share, and in per cent ``nash_weight`` and, where its
        libraries are installed, ``alpha_rank``.
    """
    if num_bots < FEWEST_BOTS or len(duels) < num_bots * (num_bots - 1):
        return {}
    # Half the difference of the win shares of two bots: of all deals, then of the resamples.
    payoffs = np.zeros((len(resampled) + 1, num_bots, num_bots))
    for duel, values in zip(duels, np.vstack([shares, resampled]).T, strict=True):
        payoffs[:, duel.one, duel.field] += values / 2
        payoffs[:, duel.field, duel.one] -= values / 2
    tables, index = np.unique(payoffs, axis=0, return_inverse=True)  # few deals give few tables
    found = [nash_average(each) for each in tables]
    samples = {
        "nash_average": np.array([each.payoffs for each in found])[index],
        "nash_weight": np.array([each.weights for each in found])[index],
    }
    if has_alpha_rank():
        samples["alpha_rank"] = alpha_rank(payoffs)
    return {
        name: [each.times(100) for each in estimate_by_bootstrap(values[0], values[1:], num_deals)]
        for name, values in samples.items()
    }
