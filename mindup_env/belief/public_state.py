"""The visible part of the state of games: the table now, and the little that shows of the past."""

import numpy as np
import numpy.typing as npt

from mindup_env.belief.observed import Observed
from mindup_env.engine.conditions import POINTS
from mindup_env.engine.state import (
    BONUS_POINTS,
    COLOUR_POINTS,
    NOTHING,
    OBJECTIVE_POINTS,
    Games,
    Int64Array,
)


def write_public_state(seen: Observed, games: Games) -> None:
    """Writes everything the viewer knows; of the opponents' hands these are the known cards."""
    games.clock[:] = seen.clock
    games.start_turn[:] = 0 if seen.past_visible else seen.clock
    games.row[:] = seen.row
    games.tableaux[:] = sets_of(seen.parts["tableaux"])
    games.columns[:] = seen.parts["columns"] + NOTHING
    games.hands[:] = sets_of(seen.parts["known"])
    games.hands[:, 0] = sets_of(seen.parts["hand"])
    games.score_cards[:, seen.round_] = seen.parts["score_cards"]
    _write_log(seen, games)
    _write_points(seen, games)


def sets_of(marks: npt.NDArray[np.int8]) -> Int64Array:
    """The sets of cards whose entry along the last axis is 1."""
    sets: Int64Array = (marks.astype(np.int64) << np.arange(marks.shape[-1])).sum(axis=-1)
    return sets


def _write_log(seen: Observed, games: Games) -> None:
    games.played[:] = NOTHING
    games.taken[:] = NOTHING
    if seen.clock > 0:
        games.played[:, seen.clock - 1, seen.parts["row_players"] - 1] = seen.row
    column_of_card = seen.parts["columns"][:, seen.rules.card_colours]
    for player, tableau in enumerate(seen.parts["tableaux"]):
        cards = np.flatnonzero(tableau)
        # A stable sort by column, so that each column is ascending.
        cards = cards[np.argsort(column_of_card[player, cards], kind="stable")]
        games.taken[:, seen.log_start : seen.log_start + len(cards), player] = cards


def _write_points(seen: Observed, games: Games) -> None:
    """Writes the points; the total of a finished round is written as its colour points."""
    rounds, tableaux = games.points, seen.parts["tableaux"].astype(np.int64)
    rounds[:, : seen.round_, :, COLOUR_POINTS] = seen.parts["round_scores"][:, : seen.round_].T
    columns = seen.parts["columns"][:, seen.rules.card_colours] + NOTHING
    # Cards outside the tableau read the last column; their factor of 0 cancels it.
    values = tableaux * seen.parts["score_cards"][columns]
    rounds[:, seen.round_, :, COLOUR_POINTS] = values.sum(axis=1)
    rounds[:, seen.round_, :, BONUS_POINTS] = tableaux @ seen.rules.card_points
    if seen.over:
        rounds[:, seen.round_, :, OBJECTIVE_POINTS] = seen.parts["objectives_met"] @ POINTS
