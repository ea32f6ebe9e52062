"""What one observation tells of the game it was taken from."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine.state import Int64Array, Rules


@dataclass(frozen=True)
class Observed:
    """The viewer is player 0. Cards, rounds and turns count from 0, as in the engine."""

    config: GameConfig
    rules: Rules
    parts: dict[str, npt.NDArray[Any]]  # the views of the layout

    @property
    def over(self) -> bool:
        return not self.parts["hand"].any()

    @property
    def round_(self) -> int:
        return int(self.parts["round"]) - 1

    @property
    def round_size(self) -> int:
        """The cards of a hand when the round began."""
        return self.config.hand_size + self.round_

    @property
    def turns_played(self) -> int:
        """In this round."""
        return self.round_size - 1 if self.over else int(self.parts["turn"]) - 1

    @property
    def clock(self) -> int:
        """Turns played since the game began."""
        return self._turns_before + self.turns_played

    @property
    def log_start(self) -> int:
        """Where the cards taken in this round begin: one more is taken than turns are played."""
        return self._turns_before + self.round_

    @property
    def hand_left(self) -> int:
        """The cards in each hand."""
        return 0 if self.over else self.round_size - self.turns_played

    @property
    def cards_drawn(self) -> int:
        """How much of the deck is in play."""
        return self.config.num_players * (self.round_size + 1)

    @property
    def row(self) -> Int64Array:
        """The prizes, ascending."""
        return np.flatnonzero(self.parts["row"])

    @property
    def hand(self) -> Int64Array:
        return np.flatnonzero(self.parts["hand"])

    @property
    def unseen(self) -> Int64Array:
        """The cards that may be anywhere out of the viewer's sight."""
        return np.flatnonzero(self.places == 0)

    @property
    def places(self) -> Int64Array:
        """In how many places each card lies."""
        places = self.parts["hand"].astype(np.int64) + (self.parts["row"] > 0)
        places += self.parts["tableaux"].sum(axis=0) + self.parts["known"][1:].sum(axis=0)
        return places

    @property
    def unknown(self) -> list[int]:
        """The hidden hand cards of each opponent."""
        numbers: list[int] = self.parts["unknown"][1:].tolist()
        return numbers

    @property
    def shown(self) -> Int64Array:
        """The objectives of this round."""
        return np.flatnonzero(self.parts["objectives"])

    @property
    def used(self) -> Int64Array:
        """The objectives of earlier rounds."""
        return np.flatnonzero(self.parts["objectives_used"])

    @property
    def _turns_before(self) -> int:
        return sum(self.config.hand_size + earlier - 1 for earlier in range(self.round_))
