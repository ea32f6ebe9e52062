"""The full states of all games, as vectors."""

import numpy as np

from mindup_env.batch_env.buffers import Arrays
from mindup_env.engine.state import Int8Array
from mindup_env.observation import StateLayout
from mindup_env.observation.state_writer import write_states


class FullStates:
    """Arrays for the states, made when they are first needed and written over after that."""

    def __init__(self, layout: StateLayout, num_games: int) -> None:
        self._num_games, self._num_players = num_games, layout.config.num_players
        self._size = layout.size
        self._all_games = np.ones(num_games, np.bool_)
        self._buffers: dict[int, Int8Array] = {}  # by the number of views of each game

    def read(self, seen: Arrays, *, per_seat: bool) -> Int8Array:
        """The states (N, size), or (N, num_players, size) per seat, of what all seats see."""
        views = self._num_players if per_seat else 1
        if views not in self._buffers:
            self._buffers[views] = np.zeros((self._num_games, views, self._size), np.int8)
        states = self._buffers[views]
        write_states(seen["observation"], seen["action_mask"], self._all_games, states)
        # A view: users can change the shape of what they have.
        return states[:] if per_seat else states[:, 0]
