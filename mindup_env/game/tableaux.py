"""The tableaux of every round, and the objectives that they met, read from the log of a game."""

from typing import NamedTuple

import numpy as np

from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.clock import first_turn, log_start
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Int64Array
from mindup_env.objectives import OBJECTIVES

Tableau = tuple[tuple[int, ...], ...]  # the cards of each column, in the order placed


class Placement(NamedTuple):
    """A card in a tableau, and its points by their source.

    Attributes:
        card: the printed number.
        column: the index of its column, from the left.
        score_card: the value above the column.
        bonus: the bonus or malus of the card.
    """

    card: int
    column: int
    score_card: int
    bonus: int

    @property
    def points(self) -> int:
        return self.score_card + self.bonus


def placements_of(batch: Batch, player: int, round_: int) -> tuple[Placement, ...]:
    """The cards of a tableau of the only game in a round (from 1), in the order placed."""
    deck, score_cards = batch.config.deck, batch.games.score_cards[0, round_ - 1].tolist()
    columns: dict[str, int] = {}  # a new colour opens the leftmost empty column
    placed = []
    for card in batch.games.taken[0, _log_of(batch, round_), player].tolist():
        if card != NOTHING:
            number, colour, bonus = deck[card + 1]
            column = columns.setdefault(colour, len(columns))
            placed.append(Placement(number, column, score_cards[column], bonus))
    return tuple(placed)


def tableau_of(batch: Batch, player: int, round_: int) -> Tableau:
    """A tableau of the only game in a round (from 1), or as it is now in the round in play."""
    columns: list[list[int]] = [[] for _ in range(NUM_COLUMNS)]
    for placement in placements_of(batch, player, round_):
        columns[placement.column].append(placement.card)
    return tuple(map(tuple, columns))


def players_by_objective(batch: Batch, round_: int) -> dict[str, tuple[int, ...]]:
    """The ids of the objectives shown in a finished round, and the players who met each.

    Empty if nothing is known of that round, because the game was sampled later.
    """
    shown = batch.games.objectives[0, round_ - 1].tolist()
    met = _objectives_met(batch, round_) if shown else None
    if met is None:
        return {}
    return {
        OBJECTIVES[index].id: tuple(np.flatnonzero((met >> index) & 1).tolist()) for index in shown
    }


def _objectives_met(batch: Batch, round_: int) -> Int64Array | None:
    """For each player (num_players,) the set of objectives met at the end of a finished round."""
    log = _log_of(batch, round_)
    taken = batch.games.taken[0, log]
    if (taken == NOTHING).any():
        return None
    # A second game is set to the end of that round, because the rules read only the current one.
    again = batch.pick([0])
    kernels.set_up_all(again.arrays)
    again.games.clock[0] = first_turn(batch.rules, round_ - 1)
    kernels.lay_tableaux(again.arrays, np.ascontiguousarray(taken.T), log.start)
    met: Int64Array = np.zeros((1, batch.config.num_players), np.int64)
    kernels.objectives_met_all(again.arrays, met)
    return met.reshape(-1)


def _log_of(batch: Batch, round_: int) -> slice:
    """The log entries of a round: one for each turn, and one for the card left over."""
    return slice(log_start(batch.rules, round_ - 1), log_start(batch.rules, round_))
