"""Rewards as learners are told them: weighted sums of what an environment can pay."""

import re

import numpy as np
import numpy.typing as npt

from mindup_env.rewards import Payment, Reward

_TERM = re.compile(r"(?:([0-9]+(?:\.[0-9]+)?)\*)?(score|margin|win)")


def parse_reward(text: str) -> Reward:
    """The reward that a text such as ``0.1*margin+win`` describes."""
    weights: dict[str, float] = {}
    for term in text.replace(" ", "").split("+"):
        found = _TERM.fullmatch(term)
        if not found or found[2] in weights:
            raise ValueError(
                "reward must be a sum of score, margin and win, each once and perhaps with a "
                f"weight, such as 0.1*margin+win, not {text!r}"
            )
        weights[found[2]] = float(found[1] or 1)
    return _paying(Payment(**weights))


def _paying(payment: Payment) -> Reward:
    def reward(
        gained: npt.NDArray[np.float32],
        over: npt.NDArray[np.bool_],
        win_share: npt.NDArray[np.float32],
    ) -> npt.NDArray[np.floating]:
        players = gained.shape[1]
        margin = (gained - gained.mean(axis=1, keepdims=True)) * (players / (players - 1))
        won = (win_share - 1 / players) * over[:, None]
        paid: npt.NDArray[np.floating] = (
            payment.score * gained + payment.margin * margin + payment.win * won
        )
        return paid

    return reward
