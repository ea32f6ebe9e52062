"""Writes full states, compiled."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine.compiler import compiled, kernel
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
    for g in range(len(states)):
        if chosen[g]:
            for view in range(states.shape[1]):
                write_state(observation[g, view], action_mask[g], view, states[g, view])


@compiled
def write_state(
    observation: Int8Array, action_mask: Int8Array, view: int, state: Int8Array
) -> None:
    """Fills one state (size,) from an observation (D,) and all masks (num_players, num_cards)."""
    num_players, num_cards = action_mask.shape
    num_hands = len(state) - (len(observation) - num_cards)
    hands, public = state[:num_hands], state[num_hands:]
    for player in range(num_players):
        hand = action_mask[(view + player) % num_players]
        for card in range(num_cards):
            hands[player * num_cards + card] = hand[card]
    hands[num_players * num_cards :] = 0
    seen = observation[num_cards:]
    for i in range(len(public)):
        public[i] = seen[i]
