"""Room for one decision to be thought through in, allocated once."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled

Floats = npt.NDArray[np.float64]


class Workspace(NamedTuple):
    # What a card of a colour would find in the tableau of each player.
    tops: Floats  # (num_players, num_colours) the score card above it
    openings: (
        Floats  # (num_players, num_colours) how far that exceeds the mean, if it opens a column
    )
    gains: Floats  # (num_players, num_colours) what it would do to the objectives

    lower: Floats  # (num_players, num_cards) the chance that a rival plays lower than a hand card
    places: Floats  # (num_cards, num_players) the chance of each place in the row, by a hand card
    prizes: Floats  # (num_players,) what each prize is worth
    keeps: Floats  # (num_cards,) what a card is worth in the own tableau
    plays: Floats  # (num_cards,) what it brings, prizes aside, that a card is played
    values: Floats  # (num_cards,) of each card of the hand, to whoever decides


def make_workspace(config: GameConfig) -> Workspace:
    colours = config.num_players, NUM_COLOURS
    return Workspace(
        tops=np.zeros(colours),
        openings=np.zeros(colours),
        gains=np.zeros(colours),
        lower=np.zeros((config.num_players, config.num_cards)),
        places=np.zeros((config.num_cards, config.num_players)),
        prizes=np.zeros(config.num_players),
        keeps=np.zeros(config.num_cards),
        plays=np.zeros(config.num_cards),
        values=np.zeros(config.num_cards),
    )


@compiled
def best_card(hand: int, workspace: Workspace) -> int:
    """The card of the highest value; of equal ones the lowest. 0 for an empty hand."""
    best = bitset.lowest(hand) if hand != 0 else 0
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        if workspace.values[card] > workspace.values[best]:
            best = card
    return best
