"""Writes full states, compiled."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int8Array


@kernel
def write_states(
    observation: Int8Array,
    action_mask: Int8Array,
    chosen: npt.NDArray[np.bool_],
    states: Int8Array,
) -> None:
    """Fills the states (N, views, size) of the chosen games; view v has seat v as its player 0.

    The public part of an observation is already the table as its viewer sees it, and a mask is a
    hand: so a state is put together from the observations (N, num_players, D) and the masks (N,
    num_players, num_cards) of the same moment. If the observations are padded, so are the states.
    """
    num_players, num_cards = action_mask.shape[1:]
    num_hands = states.shape[2] - (observation.shape[2] - num_cards)
    for g in range(len(states)):
        if not chosen[g]:
            continue
        for view in range(states.shape[1]):
            hands, public = states[g, view, :num_hands], states[g, view, num_hands:]
            for player in range(num_players):
                hand = action_mask[g, (view + player) % num_players]
                for card in range(num_cards):
                    hands[player * num_cards + card] = hand[card]
            hands[num_players * num_cards :] = 0
            seen = observation[g, view, num_cards:]
            for i in range(len(public)):
                public[i] = seen[i]
