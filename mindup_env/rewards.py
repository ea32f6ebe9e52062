"""What the seats are paid for a step, given the points they gained and how the game ended."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Reward = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.float32]],
    npt.NDArray[np.floating],
]
"""Of the points gained (N, P), whether the game is over (N,) and the shares of the victory (N, P)
in the games that are: the rewards (N, P)."""


class Payment(NamedTuple):
    """How much each of three things counts, for compiled code."""

    score: float = 0.0  # the points gained: over a game they add up to the final score
    margin: float = 0.0  # the points gained less the mean of the others': zero-sum
    win: float = 0.0  # at the end the share of the victory less 1/P: zero-sum


REWARDS = {
    "win": Payment(win=1.0),
    "score": Payment(score=1.0),
    "margin": Payment(margin=1.0),
    "margin+win": Payment(margin=1.0, win=1.0),
}


def find_payment(name: str) -> Payment:
    if name not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)} or a function, not {name!r}")
    return REWARDS[name]
