"""One observation in the numbers of the engine."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine.state import Int64Array, Rules


@dataclass(frozen=True)
class Observed:
    """The game as the viewer, player 0, sees it. Cards, rounds and turns count from 0."""

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
        """Number of cards in a hand when the round began."""
        return self.config.hand_size + self.round_

    @property
    def turns_played(self) -> int:
        """Turns played in this round."""
        return self.round_size - 1 if self.over else int(self.parts["turn"]) - 1

    @property
    def clock(self) -> int:
        """Turns played since the game began."""
        return self._turns_before + self.turns_played

    @property
    def past_visible(self) -> bool:
        """Whether all plays and prizes since the deal are visible: before and after one turn."""
        # The turn that ends a round adds the cards left over to the tableaux.
        return self.round_ == 0 and self.turns_played < 2 and not self.over

    @property
    def log_start(self) -> int:
        """The first log entry of this round: each round before has one entry more than turns."""
        return self._turns_before + self.round_

    @property
    def hand_left(self) -> int:
        """Number of cards in each hand now."""
        return 0 if self.over else self.round_size - self.turns_played

    @property
    def cards_drawn(self) -> int:
        """Number of cards of the deck that are drawn so far."""
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
        """The cards whose place the viewer does not know."""
        return np.flatnonzero(self.places == 0)

    @property
    def places(self) -> Int64Array:
        """In how many visible places each card is (num_cards,)."""
        places = self.parts["hand"].astype(np.int64) + (self.parts["row"] > 0)
        places += self.parts["tableaux"].sum(axis=0) + self.parts["known"][1:].sum(axis=0)
        return places

    @property
    def unknown(self) -> list[int]:
        """Number of unknown hand cards of each opponent."""
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
