"""The report of an arena: what the games show about the bots, with confidence intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mindup_arena import ratings
from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import PlayedChunk
from mindup_arena.estimate import (
    Estimate,
    Floats,
    estimate_by_bootstrap,
    estimate_means,
    estimate_shares,
    resampled_means,
)
from mindup_arena.fingerprints import Fingerprints
from mindup_arena.match import MatchResults
from mindup_arena.schedule import Match, matches
from mindup_arena.settings import ArenaSettings
from mindup_env.engine.state import Int64Array

WIN_SHARE, RATING = "win_share", "rating"
MEANS: dict[str, Callable[[MatchResults], Floats]] = {
    "mean_score": lambda results: results.scores.astype(np.float64),
    "mean_rank": lambda results: results.mean_ranks,
    "margin": lambda results: results.margins,
}
FORFEITED = 3
"""The exit status of a command in whose arena a bot forfeited."""


class DuelResult(NamedTuple):
    """The win share, in per cent, of one bot against copies of another."""

    one: int
    field: int
    win_share: Estimate


class ForfeitedGames(NamedTuple):
    """Games of a match in which a bot played its lowest cards from a decision on."""

    bot: int
    match: Match
    games: Sequence[tuple[int, int]]  # the deal and the rotation of each
    decision: int  # from 0
    reason: str
    traceback: str


@dataclass(frozen=True)
class Report:
    """The results of an arena.

    Attributes:
        settings: The settings of the arena. A bot is named by its index in ``settings.bots``.
        matches: For each match, the bot at each place.
        results: The results of each match.
        bots: For each bot, its estimates over all games: ``win_share`` (per cent), ``mean_score``,
            ``mean_rank`` (1 is the best), ``margin`` (to the mean of the others) and ``rating``
            (Plackett-Luce; 400 points are ten times the strength).
        cross_table: The win shares of one bot against copies of another.
        forfeits: The games that bots forfeited.
        times: For each bot, the time that it took for its decisions.
        fingerprints: The versions of libraries, and a hash of the code of each bot.
    """

    settings: ArenaSettings
    matches: list[Match]
    results: list[MatchResults] = field(repr=False, compare=False)
    bots: list[dict[str, Estimate]]  # (bots,) by measure
    cross_table: list[DuelResult]
    forfeits: list[ForfeitedGames]
    times: list[DecisionTime]  # (bots,)
    fingerprints: Fingerprints

    @property
    def num_games(self) -> int:
        """Number of games of all matches."""
        return len(self.matches) * self.settings.deals * self.settings.config.num_players

    @property
    def ranking(self) -> list[int]:
        """The bots by rating, the best first; equal ones in the order of the settings."""
        return sorted(range(len(self.bots)), key=lambda bot: -self.bots[bot][RATING].value)

    @property
    def exit_status(self) -> int:
        """0, or ``FORFEITED`` if a bot forfeited: a script then does not take it for a ranking."""
        return FORFEITED if self.forfeits else 0

    def games_forfeited(self, bot: int) -> int:
        """Number of games that a bot forfeited."""
        return sum(len(lost.games) for lost in self.forfeits if lost.bot == bot)


def make_report(
    settings: ArenaSettings,
    played: Sequence[PlayedChunk],
    fingerprints: Fingerprints | None = None,
) -> Report:
    """The report on all chunks, given in their order."""
    all_matches, num_bots = matches(settings), len(settings.bots)
    results = [
        MatchResults.concatenate([each.results for each in played if each.chunk.match == match])
        for match in range(len(all_matches))
    ]
    shares = duel_shares(all_matches, results)
    per_deal = np.stack([*shares.values()], axis=-1)  # (deals, duels)
    rotations = settings.config.num_players
    forfeits = [
        ForfeitedGames(
            lost.bot,
            all_matches[chunk.match],
            [(chunk.deals[game // rotations], game % rotations) for game in lost.games],
            *(lost.decision, lost.reason, lost.traceback),
        )
        for chunk, lost in ((each.chunk, lost) for each in played for lost in each.forfeits)
    ]
    times = [[each.times[bot] for each in played if bot in each.times] for bot in range(num_bots)]
    return Report(
        settings,
        all_matches,
        results,
        _measures(settings, all_matches, results),
        [
            DuelResult(*duel, win_share.times(100))
            for duel, win_share in zip(shares, estimate_shares(per_deal, rotations), strict=True)
        ],
        forfeits,
        [DecisionTime(*map(sum, zip(*own, strict=True))) for own in times],
        fingerprints or {},
    )


def _measures(
    settings: ArenaSettings,
    all_matches: Sequence[Match],
    results: Sequence[MatchResults],
) -> list[dict[str, Estimate]]:
    """The estimates of each bot by measure; shares are in per cent."""
    num_bots, deals = len(settings.bots), settings.deals
    choices = ratings.count_choices(all_matches, [each.ranks for each in results], num_bots)
    made, taken = resampled_means([choices.made, choices.taken], settings.seed)
    # Ratings are fitted to the choices of all deals together, not to those of a mean deal.
    totals = choices._replace(made=choices.made.sum(0)[None], taken=choices.taken.sum(0)[None])
    (rated,) = ratings.fit(totals)
    each_rated = ratings.fit(choices._replace(made=made * deals, taken=taken * deals))
    seats, win_shares = bot_means(all_matches, [each.win_shares for each in results], num_bots)
    measures = {
        WIN_SHARE: [each.times(100) for each in estimate_shares(win_shares, seats)],
        **{
            name: estimate_means(bot_means(all_matches, [*map(measure, results)], num_bots)[1])
            for name, measure in MEANS.items()
        },
        RATING: estimate_by_bootstrap(rated, each_rated, deals),
    }
    return [{name: each[bot] for name, each in measures.items()} for bot in range(num_bots)]


def duel_shares(
    all_matches: Sequence[Match], results: Sequence[MatchResults]
) -> dict[tuple[int, int], Floats]:
    """The win shares (deals,), from 0 to 1, of one bot against copies of another, by both.

    One against one is two duels.
    """
    found = {}
    for match, played in zip(all_matches, results, strict=True):
        if len({*match}) == 2:
            for place in (0, 1) if len(match) == 2 else (0,):
                shares = played.win_shares[..., place].mean(axis=1)
                found[match[place], match[1 - place]] = shares
    return found


def bot_means(
    all_matches: Sequence[Match], values: Sequence[Floats], num_bots: int
) -> tuple[Int64Array, Floats]:
    """In how many seats each bot plays a deal (bots,), and its mean over them (deals, bots).

    ``values`` (deals, rotations, places) are those of each match.
    """
    is_at = np.array(all_matches)[..., None] == np.arange(num_bots)  # (matches, places, bots)
    seats = is_at.shape[1] * is_at.sum(axis=(0, 1))  # there is a rotation for each place
    return seats, np.einsum("mdrp,mpb->db", values, is_at) / seats
