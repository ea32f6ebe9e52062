"""What the games of an arena show about the bots, with confidence intervals."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from mindup_arena import estimate, ratings
from mindup_arena.estimate import Difference, Estimate, Floats
from mindup_arena.match import MatchResults
from mindup_arena.play import Forfeits, PlayedChunk
from mindup_arena.settings import ArenaSettings
from mindup_env.engine.state import Int64Array

WIN_SHARE = "win_share"
RATING = "rating"


class Report:
    """The results of an arena; statistics are computed when they are first asked for.

    Attributes:
        settings: The settings; a bot is named by its index in ``settings.names``.
        header: The settings, the versions of libraries, and a hash of each bot's files.
        results: The results of each match.
        forfeits: For each bot that forfeited games, how many and why.
    """

    def __init__(
        self, settings: ArenaSettings, played: Sequence[PlayedChunk], header: Mapping[str, Any]
    ) -> None:
        """``played`` has all chunks in their order."""
        self.settings = settings
        self.header = header
        self.results = []
        for match in range(len(settings.matches)):
            parts = [each.results for each in played if each.chunk.match == match]
            self.results.append(MatchResults.concatenate(parts))
        self.forfeits: dict[int, Forfeits] = {}
        for each in played:
            for bot, (games, first) in each.forfeits.items():
                lost = self.forfeits.get(bot, Forfeits(0, first))
                self.forfeits[bot] = Forfeits(lost.games + games, lost.first)

    @property
    def num_games(self) -> int:
        """Games of all matches."""
        return len(self.results) * self.settings.deals * self.settings.config.num_players

    @property
    def ranking(self) -> list[int]:
        """The bots, the best first: by rating, or those that met rivals by their mean win share.

        Equal ones are in the order of the settings.
        """
        values = [bot[RATING].value for bot in self.bots]
        if self.settings.against:
            values = [float(shares.mean()) for shares in self._shares_from_rivals]
        return sorted(range(len(values)), key=lambda bot: -values[bot])

    @cached_property
    def bots(self) -> list[dict[str, Estimate]]:
        """For each bot, its estimates over all games by measure.

        They are ``win_share`` (per cent), ``mean_score``, ``mean_rank`` (1 is the best) and
        ``rating`` (400 points are ten times the strength). There are none with rivals: these play
        only against the others, who do not meet each other.
        """
        if self.settings.against:
            return []
        seats, win_shares = self._bot_means("win_shares")
        shares = estimate.estimate_shares(win_shares, seats)
        measures = {WIN_SHARE: [share.times(100) for share in shares]}
        measures["mean_score"] = estimate.estimate_means(self._bot_means("scores")[1])
        _, ranks = self._bot_means("mean_ranks")
        measures["mean_rank"] = estimate.estimate_means(ranks, 1, self.settings.config.num_players)
        measures[RATING] = self._ratings()
        of_bots = zip(*measures.values(), strict=True)
        return [dict(zip(measures, each, strict=True)) for each in of_bots]

    def _bot_means(self, attribute: str) -> tuple[Int64Array, Floats]:
        """The seats of each bot in a deal (bots,), and the mean over them (deals, bots)."""
        values = [getattr(each, attribute) for each in self.results]  # (deals, rotations, places)
        bots = np.arange(len(self.settings.names))
        is_at = np.array(self.settings.matches)[..., None] == bots  # (matches, places, bots)
        seats = is_at.shape[1] * is_at.sum(axis=(0, 1))  # there is a rotation for each place
        return seats, np.einsum("mdrp,mpb->db", values, is_at) / seats

    def _ratings(self) -> list[Estimate]:
        """Fitted to the choices of all deals together, not to those of a mean deal."""
        settings = self.settings
        deals = settings.deals
        ranks = [each.ranks for each in self.results]
        sets, *parts = ratings.count_choices(settings.matches, ranks, len(settings.names))
        (rated,) = ratings.fit(sets, *(part.sum(axis=0)[None] for part in parts))
        made, taken = estimate.resampled_means(parts, settings.seed)
        resampled = ratings.fit(sets, made * deals, taken * deals)
        return estimate.estimate_by_bootstrap(rated, resampled, deals)

    @cached_property
    def duel_shares(self) -> dict[tuple[int, int], Floats]:
        """The win shares (deals,), from 0 to 1, of one bot against copies of another.

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
        """The win shares, in per cent, of the same duels."""
        per_deal = np.stack([*self.duel_shares.values()], axis=-1)  # (deals, duels)
        found = estimate.estimate_shares(per_deal, self.settings.config.num_players)
        shares = (share.times(100) for share in found)
        return dict(zip(self.duel_shares, shares, strict=True))

    @cached_property
    def _shares_from_rivals(self) -> list[Floats]:
        """For each of ``settings.bots``, its mean win share (deals,) over the rivals.

        A bot that is a rival itself wins its equal share from its copies, without a game.
        """
        settings = self.settings
        rivals = [settings.names.index(bot) for bot in settings.against]
        equal = np.full(settings.deals, 1 / settings.config.num_players)
        means = []
        for bot in range(len(settings.bots)):
            shares = [self.duel_shares.get((bot, rival), equal) for rival in rivals]
            means.append(np.mean(shares, axis=0))
        return means

    @cached_property
    def differences(self) -> dict[tuple[int, int], Difference]:
        """How much more, in points of win share, one bot wins from the rivals than another."""
        settings = self.settings
        if not settings.against:
            return {}
        means = self._shares_from_rivals
        # One victory more in one rotation against one rival.
        step = 100 / settings.config.num_players / len(settings.against)
        return {
            (one, other): estimate.estimate_difference(100 * (means[one] - means[other]), step)
            for one, other in combinations(range(len(means)), 2)
        }

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        names = self.settings.names
        bots = zip(names, self.bots, strict=not self.settings.against)
        return {
            "settings": self.header,
            "games": self.num_games,
            "bots": [{"name": name, **_plain(measures)} for name, measures in bots],
            "cross_table": [
                {"one": names[one], "field": names[other], **_plain({WIN_SHARE: share})}
                for (one, other), share in self.cross_table.items()
            ],
            "differences": [
                {
                    "one": names[one],
                    "other": names[other],
                    **_plain({"difference": found.estimate}),
                    "more_deals": found.more_deals,
                }
                for (one, other), found in self.differences.items()
            ],
            "forfeits": [
                {"bot": names[bot], **lost._asdict()} for bot, lost in self.forfeits.items()
            ],
        }


def _plain(estimates: Mapping[str, Estimate]) -> dict[str, float]:
    return {
        name + end: round(each, 4)
        for name, found in estimates.items()
        for end, each in zip(("", "_low", "_high"), found, strict=True)
    }
