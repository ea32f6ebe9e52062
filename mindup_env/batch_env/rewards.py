"""Rewards that a user's function returns."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.kernels import PENALTY


def read_rewards(given: Any, illegal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """The rewards (N, P) of a function, lowered where an action was illegal; others are refused."""
    rewards = np.asarray(given)
    if rewards.shape != illegal.shape or rewards.dtype.kind not in "biuf":
        raise ValueError(
            f"a reward function must return numbers of shape {illegal.shape} (games, players), "
            f"not {rewards.dtype} of shape {rewards.shape}"
        )
    with np.errstate(over="ignore"):
        paid = (rewards.astype(np.float64) - PENALTY * illegal).astype(np.float32)
    if not np.isfinite(paid).all():
        raise ValueError("a reward function must return finite numbers within float32")
    return paid
