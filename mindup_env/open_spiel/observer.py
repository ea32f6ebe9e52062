"""Observations and information states through OpenSpiel's observer API."""

from typing import Any

import numpy as np

from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_env.open_spiel.information import (
    Visibility,
    information_state,
    information_state_string,
    observation,
    observation_string,
)
from mindup_env.open_spiel.pyspiel_extra import pyspiel


class Observer:
    """Writes the observation of a seat; with perfect recall, all its observations so far."""

    def __init__(self, config: GameConfig, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations of mindup accept no parameters, not {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._visible = Visibility(private, kind.public_info)
        self._perfect_recall = kind.perfect_recall
        size = layout_of(config).size
        # An observation counts the players from the viewer, so it does not say which seat that is.
        shape = (config.num_turns + 1, size) if self._perfect_recall else (size,)
        players = config.num_players
        self.tensor = np.zeros(players + int(np.prod(shape)), np.float32)
        self.dict = {
            "player": self.tensor[:players],
            "observation": self.tensor[players:].reshape(shape),
        }

    def set_from(self, state: Any, player: int) -> None:
        history = state.history_state
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._perfect_recall:
            self.dict["observation"][:] = information_state(history, player, self._visible)
        elif history.game is not None:
            self.dict["observation"][:] = observation(history.game, player, self._visible)

    def string_from(self, state: Any, player: int) -> str:
        history = state.history_state
        if self._perfect_recall:
            return information_state_string(history, player, self._visible)
        if history.game is None:
            return ""
        return observation_string(history.game, player, self._visible)
