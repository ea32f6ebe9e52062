"""Scratch arrays for one decision, allocated once."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import NUM_COLOURS
from mindup_env.config import MAX_PLAYERS, GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled

Float64Array = npt.NDArray[np.float64]


class Workspace(NamedTuple):
    """All values are in points."""

    # What a card adds to the tableau of each player, by its colour.
    column_scores: Float64Array  # (num_players, num_colours) the score card above its column
    column_score_sums: Float64Array  # (num_colours,) the sum over all players
    opening_gains: Float64Array  # (num_players, num_colours) that minus the mean of the free ones
    objective_gains: Float64Array  # (num_players, num_colours) the change in objective points

    # Of the cards in the hand of the player who decides.
    lower_probabilities: Float64Array  # (num_players, num_cards) that a player plays a lower card
    prize_probabilities: Float64Array  # (num_cards, MAX_PLAYERS) that the card takes each prize
    prize_values: Float64Array  # (num_players,) the value of each prize
    keep_values: Float64Array  # (num_cards,) the value of the card in the player's own tableau
    play_values: Float64Array  # (num_cards,) the value of playing the card, without the prize
    card_values: Float64Array  # (num_cards,) the total by which the card is chosen


def make_workspace(config: GameConfig) -> Workspace:
    players, cards = config.num_players, config.num_cards
    by_colour = players, NUM_COLOURS
    return Workspace(
        column_scores=np.zeros(by_colour),
        column_score_sums=np.zeros(NUM_COLOURS),
        opening_gains=np.zeros(by_colour),
        objective_gains=np.zeros(by_colour),
        lower_probabilities=np.zeros((players, cards)),
        prize_probabilities=np.zeros((cards, MAX_PLAYERS)),
        prize_values=np.zeros(players),
        keep_values=np.zeros(cards),
        play_values=np.zeros(cards),
        card_values=np.zeros(cards),
    )


@compiled
def with_card_values(workspace: Workspace, card_values: Float64Array) -> Workspace:
    """The workspace with another array for the card values, such as that of one row."""
    return Workspace(
        workspace.column_scores,
        workspace.column_score_sums,
        workspace.opening_gains,
        workspace.objective_gains,
        workspace.lower_probabilities,
        workspace.prize_probabilities,
        workspace.prize_values,
        workspace.keep_values,
        workspace.play_values,
        card_values,
    )


@compiled
def best_card(hand: int, workspace: Workspace) -> int:
    """The card of a hand with the highest value, the lowest of equal ones; 0 for no cards."""
    best = bitset.lowest(hand) if hand != 0 else 0
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        if workspace.card_values[card] > workspace.card_values[best]:
            best = card
    return best
