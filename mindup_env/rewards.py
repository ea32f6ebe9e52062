"""The rewards of a step: one grammar for all environments, and the weights it is compiled to.

A reward is a sum of three terms, each at most once and with an optional weight, such as
``win``, ``margin+win`` or ``0.1*margin + win``:

- ``score``: the points gained in the step; over a game they add up to the final score
- ``margin``: the points gained minus the mean of the others' points; zero-sum
- ``win``: at the end of the game, the win share minus 1/P; zero-sum
"""

import math
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.checks import InputError, shown

Reward = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.float32]],
    npt.NDArray[np.floating],
]
"""Maps (points_gained (N, P), over (N,), win_share (N, P)) to rewards (N, P).

``win_share`` is 1/n for each of the n winners of a game that is over, and 0 elsewhere.
"""


class RewardWeights(NamedTuple):
    """The weight of each term of a reward, for compiled code."""

    score: float = 0.0
    margin: float = 0.0
    win: float = 0.0


_TERM = re.compile(rf"(?:(\d+(?:\.\d+)?) *\* *)?({'|'.join(RewardWeights._fields)})", re.ASCII)


def parse_reward(text: str) -> RewardWeights:
    """The weights of a reward such as ``0.1*margin + win``; terms that are not named weigh 0."""
    weights: dict[str, float] = {}
    for term in text.split("+") if isinstance(text, str) else [""]:
        found = _TERM.fullmatch(term.strip(" "))
        weight = float(found[1] or 1) if found else math.nan
        if not found or found[2] in weights or not math.isfinite(weight):
            raise InputError(
                "reward must be a sum of score, margin and win, each at most once and with an "
                "optional weight, such as 'win' or '0.1*margin+win' (from Python also a "
                f"function), not {shown(text)}"
            )
        weights[found[2]] = weight
    return RewardWeights(**weights)
