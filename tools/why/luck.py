"""How much of winning the cards decide: equal players play each complete deal many times.

They differ only in their random bits. Whether a seat wins varies for two reasons: deals and seats
have different chances, and the same deal ends differently when it is played again. The luck of the
deal is the share of the first reason.
"""

from functools import partial
from typing import Any

import numpy as np

from mindup_arena.estimate import Floats, estimate_by_bootstrap, resampled_means
from mindup_arena.match import RotatedDeals
from mindup_env import GameConfig
from mindup_env.agent import make_agent
from mindup_env.envs.opponents import BatchedSeats
from tools.why.study import Entries, percent

CONFIG = GameConfig()
SEED = 20261201
REPEATS = {
    "random": (200, 64),
    "champion-1:temperature=1": (200, 64),
    "search": (100, 16),
    "champion-2": (100, 8),
}
"""The deals of each bot, and how often each of them is played. All of them choose at random."""


def entries() -> Entries:
    return {bot: partial(luck, bot, *sizes) for bot, sizes in REPEATS.items()}


def luck(bot: str, deals: int, repeats: int) -> dict[str, Any]:
    """The share of the variance of a win that the deal and the seat explain."""
    wins = played(bot, deals, repeats)
    parts = [variances(wins[deal]) for deal in range(deals)]
    of_deals = np.array(parts)  # (deals, 2)
    (resampled,) = resampled_means([of_deals], SEED)

    def explained(means: Floats) -> Floats:
        return means[:, :1] / means[:, 1:]

    (share,) = estimate_by_bootstrap(
        explained(of_deals.mean(axis=0)[None])[0], explained(resampled), deals
    )
    return {"deals": deals, "repeats": repeats, "explained": percent(share)}


def played(bot: str, deals: int, repeats: int) -> Floats:
    """The share of the victory (deals, repeats, seats) of copies of a bot."""
    seats = BatchedSeats(make_agent(bot, CONFIG), CONFIG, deals * CONFIG.num_players)
    found = []
    for repeat in range(repeats):
        games = RotatedDeals(CONFIG, SEED, range(deals), agent_seed=repeat, num_rotations=1)
        results = games.play([seats] * CONFIG.num_players)
        found.append(results.by_deal(1).win_shares[:, 0])
    return np.stack(found, axis=1)


def variances(wins: Floats) -> tuple[float, float]:
    """Of one deal (repeats, seats): the variance between seats' chances, and that of all wins.

    A mean of few repeats varies by itself; this part is taken off, so that the first is unbiased.
    """
    equal = 1 / wins.shape[1]
    within = wins.var(axis=0, ddof=1) / len(wins)
    between = (wins.mean(axis=0) - equal) ** 2 - within
    return float(between.mean()), float(((wins - equal) ** 2).mean())
