"""What is seen, in the form in which OpenSpiel asks for it."""

from typing import Any

import numpy as np

from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_env.open_spiel import seen
from mindup_env.open_spiel.pyspiel_extra import pyspiel


class Observer:
    """Writes the observation of a seat, or with perfect recall all its observations so far."""

    def __init__(self, config: GameConfig, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations of mindup have no parameters; here are {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._visible = seen.Visibility(private, kind.public_info)
        self._recalls = kind.perfect_recall
        size = layout_of(config).size
        # Who looks is not in the vector, which counts the players from there.
        shape = (config.num_turns + 1, size) if self._recalls else (size,)
        players = config.num_players
        self.tensor = np.zeros(players + int(np.prod(shape)), np.float32)
        self.dict = {
            "player": self.tensor[:players],
            "observation": self.tensor[players:].reshape(shape),
        }

    def set_from(self, state: Any, player: int) -> None:
        history = state.history
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._recalls:
            self.dict["observation"][:] = seen.recalled(history, player, self._visible)
        elif history.table is not None:
            self.dict["observation"][:] = seen.observation(history.table, player, self._visible)

    def string_from(self, state: Any, player: int) -> str:
        history = state.history
        if self._recalls:
            return seen.recalled_text(history, player, self._visible)
        if history.table is None:
            return ""
        return seen.observation_text(history.table, player, self._visible)
