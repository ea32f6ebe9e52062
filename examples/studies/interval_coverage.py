"""Writes docs/results/interval-coverage.json: how often intervals cover the true win share.

python examples/studies/interval_coverage.py

The win shares of each deal come from thousands of deals that bots played, of which a few are drawn
again and again, and from distributions whose share is given. The width is that of Wilson's
interval for the true design effect, which an arena does not know. Beside it: the percentile
bootstrap over deals.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mindup_arena import ArenaSettings, play_match
from mindup_arena.estimate import RESAMPLES, Floats, estimate_shares, wilson_interval
from mindup_arena.report import bot_means, duel_shares
from mindup_arena.schedule import matches
from mindup_env import GameConfig
from mindup_env.runs.files import write_text

RESULTS = Path(__file__).parents[2] / "docs" / "results"
DEALS = [10, 20, 60, 200]
ARENAS = 4000
"""Simulated for each distribution and number of deals."""
BOOTSTRAPS = 1000
"""How many of them also get the bootstrap, which is slow."""
BOTS = "random", "highest", "greedy", "planner"
PLAYED_DEALS = 2000
GIVEN_SHARES = [0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98]
CORRELATIONS = [-0.1, 0.0, 0.1, 0.2]
"""Between the games of a deal."""
LOWEST, HIGHEST = 0.02, 0.98
_NORMAL = 1.959964


class Deals(NamedTuple):
    """A distribution of the win shares of a deal."""

    group: str
    share: float
    variance: float  # of the win share of a deal
    games: int  # of a deal
    draw: Callable[[np.random.Generator, tuple[int, int]], Floats]

    @property
    def design_effect(self) -> float:
        """The variance of a deal over that of independent games."""
        return self.variance * self.games / (self.share * (1 - self.share))


Intervals = Callable[[Floats, int], tuple[Floats, Floats]]
"""The ends of the intervals (n,) of win shares (deals, n), given the number of games of a deal."""


def of_the_arena(per_deal: Floats, games: int) -> tuple[Floats, Floats]:
    _, low, high = np.array(estimate_shares(per_deal, games)).T
    return low, high


def percentile_bootstrap(per_deal: Floats, games: int) -> tuple[Floats, Floats]:  # noqa: ARG001
    random, ends = np.random.default_rng(0), []
    for arena in per_deal.T:
        values, counts = np.unique(arena, return_counts=True)
        drawn = random.multinomial(len(arena), counts / len(arena), size=RESAMPLES)
        ends.append(np.percentile(drawn @ values / len(arena), [2.5, 97.5]))
    low, high = np.array(ends).T
    return low, high


def measure(
    deals: Deals, num_deals: int, arenas: int, intervals: Intervals = of_the_arena
) -> tuple[float, float]:
    """The part of the intervals that cover the true share, and their mean relative width."""
    per_deal = deals.draw(np.random.default_rng(num_deals), (num_deals, arenas))
    low, high = intervals(per_deal, deals.games)
    games = np.full(arenas, num_deals * deals.games / deals.design_effect)
    wilson_low, wilson_high = wilson_interval(per_deal.mean(axis=0), games, _NORMAL)
    covered = (low <= deals.share) & (deals.share <= high)
    return float(covered.mean()), float((high - low).mean() / (wilson_high - wilson_low).mean())


def correlated(share: float, games: int, correlation: float) -> Deals:
    """Games of which each pair in a deal has a correlation; a negative one spreads the wins."""

    def draw(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
        if correlation <= 0:
            # As many wins as the share says, as nearly as possible, in some of the deals.
            spread = np.floor(games * share + random.random(shape))
            wins = random.binomial(games, share, shape)
            return np.where(random.random(shape) < -correlation * (games - 1), spread, wins) / games
        weight = 1 / correlation - 1
        return (
            random.binomial(games, random.beta(share * weight, (1 - share) * weight, shape)) / games
        )

    rest = games * share % 1
    factor = 1 + (games - 1) * correlation
    variance = share * (1 - share) / games * factor
    if correlation < 0:
        variance += (1 - factor) * rest * (1 - rest) / games**2
    sign = f"{correlation:+g}" if correlation else "0"
    return Deals(f"{games} games, correlation {sign}", share, variance, games, draw)


def played(group: str, per_deal: Floats, games: int) -> Deals:
    """Deals drawn from those that were played."""
    return Deals(
        group,
        float(per_deal.mean()),
        float(per_deal.var()),
        games,
        lambda random, shape: per_deal[random.integers(len(per_deal), size=shape)],
    )


def play_arena(num_players: int, deals: int) -> Iterator[Deals]:
    """The duels of the bots, and each bot over all games."""
    settings = ArenaSettings(BOTS, GameConfig(num_players), deals=deals)
    found = matches(settings)
    results = [play_match([BOTS[bot] for bot in match], settings.config, deals) for match in found]
    for duel in duel_shares(found, results).values():
        yield played(f"{num_players} players, one against copies", duel, num_players)
    all_seats, shares = bot_means(found, [each.win_shares for each in results], len(BOTS))
    for seats, share in zip(all_seats.tolist(), shares.T, strict=True):
        yield played(f"{num_players} players, all games", share, seats)


def simulate(distributions: Sequence[Deals], arenas: int) -> Iterator[dict[str, str | float]]:
    for deals in distributions:
        for num_deals in DEALS:
            coverage, width = measure(deals, num_deals, arenas)
            bootstraps = min(arenas, BOOTSTRAPS)
            bootstrap, _ = measure(deals, num_deals, bootstraps, percentile_bootstrap)
            yield {
                "group": deals.group,
                "share": round(deals.share, 4),
                "design_effect": round(deals.design_effect, 3),
                "deals": num_deals,
                "coverage": round(coverage, 4),
                "relative_width": round(width, 3),
                "bootstrap_coverage": round(bootstrap, 4),
            }


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=PLAYED_DEALS, help="deals that bots play")
    parser.add_argument("--arenas", type=int, default=ARENAS, help="simulated for each case")
    parser.add_argument("--json", type=Path, default=RESULTS / "interval-coverage.json")
    given = parser.parse_args(words)
    distributions = [deals for num in (2, 3, 4, 6) for deals in play_arena(num, given.deals)]
    distributions += [
        correlated(share, games, correlation)
        for games in (3, 6)
        for correlation in CORRELATIONS
        for share in GIVEN_SHARES
    ]
    tested = [each for each in distributions if LOWEST <= each.share <= HIGHEST and each.variance]
    rows = [json.dumps(row) for row in simulate(tested, given.arenas)]
    write_text(given.json, "[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
