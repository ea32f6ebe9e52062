"""The report of an arena: what the games show about the bots, with confidence intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mindup_arena import ratings
from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import PlayedChunk
from mindup_arena.deal_statistics import (
    WIN_SHARE,
    DealStatistics,
    find_duels,
    make_deal_statistics,
)
from mindup_arena.empirical_game import game_measures
from mindup_arena.estimate import (
    Estimate,
    estimate_by_bootstrap,
    estimate_means,
    estimate_shares,
    resampled_means,
)
from mindup_arena.failures import Forfeit
from mindup_arena.match import MatchResults
from mindup_arena.ratings import Choices
from mindup_arena.schedule import Chunk, Match, matches
from mindup_arena.settings import RankedSettings
from mindup_env.runs.fingerprints import Fingerprints

RATING = "rating"
FORFEITED = 3
"""The exit status of a command in whose arena a bot forfeited."""


class DuelResult(NamedTuple):
    """The win share, in per cent, of one bot against copies of another."""

    one: int
    field: int
    win_share: Estimate


class ForfeitedGames(NamedTuple):
    """A forfeit, and the chunk of its games."""

    chunk: Chunk
    forfeit: Forfeit

    @property
    def bot(self) -> int:
        return self.forfeit.bot


@dataclass(frozen=True)
class Report:
    """The results of an arena.

    Attributes:
        settings: The settings of the arena. A bot is named by its index in ``settings.bots``.
        matches: For each match, the bot at each place.
        results: The results of each match.
        bots: For each bot, its estimates over all games: ``win_share`` (per cent), ``mean_score``,
            ``mean_rank`` (1 is the best), ``margin`` (to the mean of the others) and ``rating``
            (Plackett-Luce; 400 points are ten times the strength). With a complete cross table
            of three or more bots also ``nash_average`` (points of win share), ``nash_weight`` and
            ``alpha_rank`` (per cent).
        cross_table: The win shares of one bot against copies of another.
        forfeits: The games that bots forfeited.
        times: For each bot, the time that it took for its decisions.
        usage: For each bot, the totals of what it counts itself, by name.
        fingerprints: What each version of the bots that played is made from.
        runs: The settings of each arena, if the report merges several.
    """

    settings: RankedSettings
    matches: list[Match]
    results: list[MatchResults] = field(repr=False, compare=False)
    bots: list[dict[str, Estimate]]  # (bots,) by measure
    cross_table: list[DuelResult]
    forfeits: list[ForfeitedGames]
    times: list[DecisionTime]  # (bots,)
    usage: list[dict[str, float]]  # (bots,) by name
    fingerprints: Sequence[Fingerprints] = ()
    runs: list[RankedSettings] = field(default_factory=list)

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
        return sum(len(lost.forfeit.games) for lost in self.forfeits if lost.bot == bot)

    def games_of(self, lost: ForfeitedGames) -> list[tuple[int, int]]:
        """The deal and the rotation of each game of a forfeit."""
        rotations = self.settings.config.num_players
        return [
            (lost.chunk.deals[game // rotations], game % rotations) for game in lost.forfeit.games
        ]


def make_report(
    settings: RankedSettings,
    played: Sequence[PlayedChunk],
    fingerprints: Sequence[Fingerprints] = (),
) -> Report:
    """The report on all chunks, given in their order."""
    all_matches, num_bots = matches(settings), len(settings.bots)
    results = [
        MatchResults.concatenate([each.results for each in played if each.chunk.match == match])
        for match in range(len(all_matches))
    ]
    statistics = make_deal_statistics(all_matches, results, num_bots)
    measures, win_shares = _estimates(statistics, settings)
    return Report(
        settings,
        all_matches,
        results,
        [{name: each[bot] for name, each in measures.items()} for bot in range(num_bots)],
        [
            DuelResult(duel.one, duel.field, win_share)
            for duel, win_share in zip(find_duels(all_matches), win_shares, strict=True)
        ],
        [ForfeitedGames(each.chunk, forfeit) for each in played for forfeit in each.forfeits],
        [
            DecisionTime(
                sum(each.times[bot].decisions for each in played if bot in each.times),
                sum(each.times[bot].seconds for each in played if bot in each.times),
            )
            for bot in range(num_bots)
        ],
        [_total_usage(played, bot) for bot in range(num_bots)],
        fingerprints,
    )


def _total_usage(played: Sequence[PlayedChunk], bot: int) -> dict[str, float]:
    totals: dict[str, float] = {}
    for each in played:
        for name, used in each.usage.get(bot, {}).items():
            totals[name] = totals.get(name, 0) + used
    return totals


def _estimates(
    statistics: DealStatistics, settings: RankedSettings
) -> tuple[dict[str, list[Estimate]], list[Estimate]]:
    """The estimates of every bot by measure, and those of the duels; shares are in per cent."""
    deals, choices, shares = settings.deals, statistics.choices, statistics.duels
    made, taken, duels = resampled_means([choices.made, choices.taken, shares], settings.seed)
    # Ratings are fitted to the choices of all deals together, not to those of a mean deal.
    totals = Choices(choices.copies, choices.made.sum(axis=0), choices.taken.sum(axis=0))
    resampled = Choices(choices.copies, made * deals, taken * deals)
    found, num_bots = find_duels(matches(settings)), len(settings.bots)
    wins = estimate_shares(statistics.win_shares, statistics.seats)
    measures = {
        WIN_SHARE: [each.times(100) for each in wins],
        **{name: estimate_means(values) for name, values in statistics.means.items()},
        RATING: estimate_by_bootstrap(ratings.fit(totals), ratings.fit_each(resampled), deals),
        **game_measures(found, shares.mean(axis=0), duels, num_bots, deals),
    }
    of_duels = estimate_shares(shares, settings.config.num_players)
    return measures, [each.times(100) for each in of_duels]
