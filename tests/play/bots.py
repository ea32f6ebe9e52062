"""Bots that go wrong, for the tests."""

from typing import Any

import numpy as np
import numpy.typing as npt


class Failing:
    """Fails in the second turn, as often as it is asked."""

    def __init__(self, config: Any) -> None:
        pass

    def act(  # the arguments of every bot
        self, observation: Any, action_mask: Any, new_game: Any, words: Any
    ) -> Any:
        if not new_game.all():
            raise RuntimeError("out of ideas")
        return np.asarray(action_mask).argmax(axis=1)


class Cheating:
    """Plays a card that it does not hold."""

    def __init__(self, config: Any) -> None:
        pass

    def act(
        self, observation: Any, action_mask: npt.NDArray[np.int8], new_game: Any, words: Any
    ) -> Any:
        return action_mask.argmin(axis=1)
