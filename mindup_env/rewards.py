"""What the seats are paid for a step, given the points they gained and how the game ended."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]

Reward = Callable[[FloatArray, BoolArray, FloatArray], npt.NDArray[np.floating]]
"""Of the points gained (N, P), whether the game is over (N,) and the shares of the victory (N, P)
in the games that are: the rewards (N, P)."""


def win(gained: FloatArray, over: BoolArray, win_share: FloatArray) -> FloatArray:
    """At the end the share of the victory less 1/P, so that a game adds up to nothing."""
    equal_share = np.float32(1 / gained.shape[1])
    return (win_share - equal_share) * over[:, None]


def score(gained: FloatArray, over: BoolArray, win_share: FloatArray) -> FloatArray:  # noqa: ARG001  # one form for all
    """The points as they are gained; over a game they add up to the final score."""
    return gained


def margin(gained: FloatArray, over: BoolArray, win_share: FloatArray) -> FloatArray:  # noqa: ARG001  # one form for all
    """The points gained less the mean of the others', so that a step adds up to nothing."""
    players = gained.shape[1]
    mean: FloatArray = gained.mean(axis=1, keepdims=True)
    return (gained - mean) * np.float32(players / (players - 1))


def margin_and_win(gained: FloatArray, over: BoolArray, win_share: FloatArray) -> FloatArray:
    """Both: a guide on the way and the victory at the end."""
    return margin(gained, over, win_share) + win(gained, over, win_share)


REWARDS: dict[str, Reward] = {
    "win": win,
    "score": score,
    "margin": margin,
    "margin+win": margin_and_win,
}


def find_reward(reward: str | Reward) -> Reward:
    """A reward by its name, or a function as it is."""
    if callable(reward):
        return reward
    if reward not in REWARDS:
        raise ValueError(
            f"reward must be one of {', '.join(REWARDS)} or a function, not {reward!r}"
        )
    return REWARDS[reward]
