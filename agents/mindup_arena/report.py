"""What the games say about the bots, each number with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mindup_arena import ratings
from mindup_arena.deal_statistics import DealStatistics, cross_cells, make_deal_statistics
from mindup_arena.estimate import Estimate, estimates
from mindup_arena.guarded_bot import Forfeit
from mindup_arena.resampling import resampled_means
from mindup_arena.schedule import Chunk, LineUp, line_ups
from mindup_arena.settings import ArenaSettings
from mindup_arena.tables import GameResults
from mindup_arena.worker import Done, Spent

RATING = "rating"


class Cell(NamedTuple):
    """The win share of one bot against copies of another."""

    one: int
    field: int
    win_share: Estimate


class Loss(NamedTuple):
    """A forfeit and the chunk that it cost."""

    chunk: Chunk
    forfeit: Forfeit


@dataclass(frozen=True)
class Report:
    settings: ArenaSettings
    line_ups: list[LineUp]
    bots: list[dict[str, Estimate]]  # (bots,) by measure; the rating is one
    cross_table: list[Cell]
    losses: list[Loss]
    spent: list[Spent]  # (bots,)

    @property
    def num_games(self) -> int:
        return len(self.line_ups) * self.settings.deals * self.settings.config.num_players

    def games_forfeited(self, bot: int) -> int:
        deals = sum(len(loss.chunk.deals) for loss in self.losses if loss.forfeit.bot == bot)
        return deals * self.settings.config.num_players


def make_report(settings: ArenaSettings, done: Sequence[Done]) -> Report:
    """The report on all chunks, which come in their order."""
    of_all, num_bots = line_ups(settings), len(settings.bots)
    statistics = make_deal_statistics(
        of_all, [_played(done, index) for index in range(len(of_all))], num_bots
    )
    measures, cross_table = _estimates(statistics, settings)
    return Report(
        settings,
        of_all,
        [{name: each[bot] for name, each in measures.items()} for bot in range(num_bots)],
        [
            Cell(cell.one, cell.field, estimate)
            for cell, estimate in zip(cross_cells(of_all), cross_table, strict=True)
        ],
        [Loss(each.outcome.chunk, lost) for each in done for lost in each.outcome.forfeits],
        [_spent(done, bot) for bot in range(num_bots)],
    )


def best_bots_first(report: Report) -> list[int]:
    """By rating; bots that are equal stay in the order they were named."""
    return sorted(range(len(report.bots)), key=lambda bot: -report.bots[bot][RATING].value)


def _played(done: Sequence[Done], line_up: int) -> GameResults:
    """All deals of a line-up."""
    parts = [each.outcome.played for each in done if each.outcome.chunk.line_up == line_up]
    return GameResults(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _spent(done: Sequence[Done], bot: int) -> Spent:
    of_chunks = [each.spent.get(bot, Spent()) for each in done]
    return Spent(*(sum(parts) for parts in zip(*of_chunks, strict=True)))


def _estimates(
    statistics: DealStatistics, settings: ArenaSettings
) -> tuple[dict[str, list[Estimate]], list[Estimate]]:
    """The estimates of every bot by measure, and those of the cross table."""
    columns = statistics.columns()
    means = statistics.with_columns(columns.mean(axis=0))
    resampled = statistics.with_columns(resampled_means(columns, settings.seed))
    # Ratings are fitted to all the choices that were made, not to the mean of a deal's.
    everything = [each.choices.times(settings.deals) for each in (means, resampled)]
    values = {**means.measures, RATING: ratings.fit(everything[0])}
    samples = {**resampled.measures, RATING: ratings.fit_each(everything[1])}
    measures = {name: estimates(values[name], samples[name], settings.deals) for name in values}
    return measures, estimates(means.cross_table, resampled.cross_table, settings.deals)
