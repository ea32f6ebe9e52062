"""The report of an arena: what the games show about the bots, with confidence intervals."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from mindup_arena import estimate, ratings
from mindup_arena.estimate import Difference, Estimate, Floats
from mindup_arena.match import MatchResults
from mindup_arena.play import DecisionTime, Forfeits, PlayedChunk
from mindup_arena.settings import ArenaSettings, Match
from mindup_env.engine.state import Int64Array

WIN_SHARE, RATING = "win_share", "rating"
MEANS: dict[str, Callable[[MatchResults], Floats]] = {
    "mean_score": lambda results: results.scores.astype(np.float64),
    "mean_rank": lambda results: results.mean_ranks,
    "margin": lambda results: results.margins,
}
_DIGITS = 4  # decimal places that files have


class Report:
    """The results of an arena; statistics are computed when they are first asked for.

    Attributes:
        settings: The settings of the arena. A bot is named by its index in ``settings.names``.
        header: The settings, with the versions of libraries and a hash of each bot's files.
        results: The results of each match.
        forfeits: For each bot that forfeited games, how many and why.
        times: For each bot, the time that it took for its decisions.
    """

    def __init__(
        self,
        settings: ArenaSettings,
        played: Sequence[PlayedChunk],
        header: Mapping[str, Any] | None = None,
    ) -> None:
        """``played`` has all chunks in their order."""
        self.settings, self.header = settings, header or {}
        self.results = [
            MatchResults.concatenate([each.results for each in played if each.chunk.match == match])
            for match in range(len(settings.matches))
        ]
        self.forfeits: dict[int, Forfeits] = {}
        self.times = [DecisionTime() for _ in settings.names]
        for each in played:
            for bot, (games, first) in each.forfeits.items():
                lost = self.forfeits.get(bot, Forfeits(0, first))
                self.forfeits[bot] = Forfeits(lost.games + games, lost.first)
            for bot, (decisions, seconds) in each.times.items():
                before = self.times[bot]
                self.times[bot] = DecisionTime(before[0] + decisions, before[1] + seconds)

    @property
    def num_games(self) -> int:
        """Number of games of all matches."""
        return len(self.results) * self.settings.deals * self.settings.config.num_players

    @property
    def ranking(self) -> list[int]:
        """The bots by rating, the best first; equal ones in the order of the settings."""
        return sorted(range(len(self.bots)), key=lambda bot: -self.bots[bot][RATING].value)

    @cached_property
    def bots(self) -> list[dict[str, Estimate]]:
        """For each bot, its estimates over all games by measure.

        They are ``win_share`` (per cent), ``mean_score``, ``mean_rank`` (1 is the best), ``margin``
        (to the mean of the others) and ``rating`` (Plackett-Luce; 400 points are ten times the
        strength).
        """
        num_bots, deals, results = len(self.settings.names), self.settings.deals, self.results
        matches = self.settings.matches
        choices = ratings.count_choices(matches, [each.ranks for each in results], num_bots)
        made, taken = estimate.resampled_means([choices.made, choices.taken], self.settings.seed)
        # Ratings are fitted to the choices of all deals together, not to those of a mean deal.
        totals = choices._replace(made=choices.made.sum(0)[None], taken=choices.taken.sum(0)[None])
        (rated,) = ratings.fit(totals)
        each_rated = ratings.fit(choices._replace(made=made * deals, taken=taken * deals))
        seats, win_shares = bot_means(matches, [each.win_shares for each in results], num_bots)
        measures = {
            WIN_SHARE: [each.times(100) for each in estimate.estimate_shares(win_shares, seats)],
            **{
                name: estimate.estimate_means(
                    bot_means(matches, [*map(measure, results)], num_bots)[1]
                )
                for name, measure in MEANS.items()
            },
            RATING: estimate.estimate_by_bootstrap(rated, each_rated, deals),
        }
        return [{name: each[bot] for name, each in measures.items()} for bot in range(num_bots)]

    @cached_property
    def duel_shares(self) -> dict[tuple[int, int], Floats]:
        """The win shares (deals,), from 0 to 1, of one bot against copies of another, by both.

        One against one is two duels.
        """
        found = {}
        for match, played in zip(self.settings.matches, self.results, strict=True):
            if len({*match}) == 2:
                for place in (0, 1) if len(match) == 2 else (0,):
                    shares = played.win_shares[..., place].mean(axis=1)
                    found[match[place], match[1 - place]] = shares
        return found

    @cached_property
    def cross_table(self) -> dict[tuple[int, int], Estimate]:
        """The win shares, in per cent, of one bot against copies of another, by both."""
        per_deal = np.stack([*self.duel_shares.values()], axis=-1)  # (deals, duels)
        found = estimate.estimate_shares(per_deal, self.settings.config.num_players)
        return {duel: share.times(100) for duel, share in zip(self.duel_shares, found, strict=True)}

    @cached_property
    def differences(self) -> dict[tuple[int, int], Difference]:
        """How much more, in points of win share, one bot wins from the rivals than another.

        For each two bots that played against the same rivals, deal by deal. A bot that is a rival
        itself wins its equal share from its copies, without a game.
        """
        settings, players = self.settings, self.settings.config.num_players
        rivals = [settings.names.index(bot) for bot in settings.against]
        equal = np.full(settings.deals, 1 / players)
        found = {}
        for pair in combinations(range(len(settings.bots)), 2) if rivals else ():
            one, other = (
                np.mean([self.duel_shares.get((bot, rival), equal) for rival in rivals], axis=0)
                for bot in pair
            )
            # One victory more in one rotation against one rival.
            step = 100 / players / len(rivals)
            found[pair] = estimate.estimate_difference(100 * (one - other), step)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data; only ``decisions_per_second`` differs between runs."""
        names = self.settings.names
        return {
            "settings": self.header,
            "games": self.num_games,
            "interval": estimate.INTERVALS,
            "bots": [
                {"name": name, **_plain(measures)}
                for name, measures in zip(names, self.bots, strict=True)
            ],
            "cross_table": [
                {"one": names[one], "field": names[other], **_plain({WIN_SHARE: share})}
                for (one, other), share in self.cross_table.items()
            ],
            "differences": [
                {"one": names[one], "other": names[other], **_plain({"difference": found.estimate})}
                | {"more_deals": found.more_deals}
                for (one, other), found in self.differences.items()
            ],
            "forfeits": [
                {"bot": names[bot], **lost._asdict()} for bot, lost in self.forfeits.items()
            ],
            "decisions_per_second": {
                name: None if time.speed is None else round(time.speed)
                for name, time in zip(names, self.times, strict=True)
            },
        }


def _plain(estimates: Mapping[str, Estimate]) -> dict[str, float | None]:
    """Three entries for each estimate: the value and the ends of its interval."""
    return {
        name + end: None if math.isnan(each) else round(each, _DIGITS)
        for name, found in estimates.items()
        for end, each in zip(("", "_low", "_high"), found, strict=True)
    }


def bot_means(
    matches: Sequence[Match], values: Sequence[Floats], num_bots: int
) -> tuple[Int64Array, Floats]:
    """In how many seats each bot plays a deal (bots,), and its mean over them (deals, bots).

    ``values`` (deals, rotations, places) are those of each match.
    """
    is_at = np.array(matches)[..., None] == np.arange(num_bots)  # (matches, places, bots)
    seats = is_at.shape[1] * is_at.sum(axis=(0, 1))  # there is a rotation for each place
    return seats, np.einsum("mdrp,mpb->db", values, is_at) / seats
