"""Scratch arrays for one decision, allocated once."""

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import NUM_COLOURS
from mindup_env.config import MAX_PLAYERS, GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import compiled

Float64Array = npt.NDArray[np.float64]


class Workspace(NamedTuple):
    """All values are in points."""

    # What a card adds to the tableau of each player, by its colour: the score card above its
    # column, the sum of these over all players, that minus the mean of the free ones, and the
    # change in objective points.
    column_scores: Annotated[Float64Array, "num_players", NUM_COLOURS]
    column_score_sums: Annotated[Float64Array, NUM_COLOURS]
    opening_gains: Annotated[Float64Array, "num_players", NUM_COLOURS]
    objective_gains: Annotated[Float64Array, "num_players", NUM_COLOURS]

    # Of the cards in the hand of the player who decides: that a player plays a lower card, and that
    # the card takes each prize.
    lower_probabilities: Annotated[Float64Array, "num_players", "num_cards"]
    prize_probabilities: Annotated[Float64Array, "num_cards", MAX_PLAYERS]
    prize_values: Annotated[Float64Array, "num_players"]
    keep_values: Annotated[Float64Array, "num_cards"]  # of the card in the player's own tableau
    play_values: Annotated[Float64Array, "num_cards"]  # of playing the card, without the prize
    card_values: Annotated[Float64Array, "num_cards"]  # the total by which the card is chosen


def make_workspace(config: GameConfig) -> Workspace:
    return allocate(Workspace, config)


@compiled
def with_card_values(workspace: Workspace, card_values: Float64Array) -> Workspace:
    """The workspace with another array for the card values, such as that of one row."""
    return Workspace(*workspace[:-1], card_values)


@compiled
def best_card(hand: int, workspace: Workspace) -> int:
    """The card of a hand with the highest value, the lowest of equal ones; 0 for no cards."""
    best = bitset.lowest(hand) if hand != 0 else 0
    for card in bitset.members(hand):
        if workspace.card_values[card] > workspace.card_values[best]:
            best = card
    return best
