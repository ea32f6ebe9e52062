"""Plays a trained policy with NumPy alone."""

import math
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import ODDS
from mindup_agents.features import make_encoder
from mindup_agents.policy.file import Policy, load_policy
from mindup_agents.policy.network import Floats, Judge
from mindup_env.config import GameConfig

_CLEAR = 1e-3
"""By how much, for scores of the size of 1, the best must lead for single precision to be sure."""


class PolicyAgent:
    """Plays the most probable card of the policy in a file, with NumPy only.

    Args:
        config: the game
        path: the policy file
        temperature: 0 for the most probable card; 1 samples a card from the policy's probabilities
    """

    def __init__(self, config: GameConfig, path: str, temperature: float = 0.0) -> None:
        self._sit_down(config, load_policy(Path(path)), temperature)

    @classmethod
    def of(cls, policy: Policy, config: GameConfig, temperature: float = 0.0) -> Self:
        """The agent of a policy that is in memory."""
        agent = cls.__new__(cls)
        agent._sit_down(config, policy, temperature)
        return agent

    def _sit_down(self, config: GameConfig, policy: Policy, temperature: float) -> None:
        if not (math.isfinite(temperature) and temperature >= 0):
            raise ValueError(f"temperature must be a number from 0 on, not {temperature!r}")
        policy.description.check_plays(config)
        self._encoder = make_encoder(policy.description.features, config)
        self._temperature, self._num_cards = temperature, config.num_cards
        self._judge = Judge(self._encoder.shape, policy.tensors, np.float32)
        self._precise_judge = Judge(self._encoder.shape, policy.tensors, np.float64)
        self._rows = np.zeros((0, self._encoder.shape.size), np.float32)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        if len(self._rows) != len(observation):
            self._rows = np.zeros((len(observation), self._encoder.shape.size), np.float32)
        self._encoder.fill(observation, action_mask, episode_start, random_bits, self._rows)
        scores = self._scores(self._judge, self._rows, random_bits)
        # A product's last bits depend on how many rows are in the batch, and a choice must not.
        close = np.flatnonzero(~_clear(scores))
        slots = scores.argmax(axis=1)
        if len(close):
            precise = self._scores(self._precise_judge, self._rows[close], random_bits[close])
            slots[close] = precise.argmax(axis=1)
        hands = self._rows[:, self._encoder.shape.hand_begins :]
        return np.take_along_axis(hands, slots[:, None], axis=1)[:, 0].astype(np.int64)

    def evaluate_cards(self) -> tuple[str, Floats]:
        """The odds that it has learnt, whatever the temperature with which it plays."""
        hand = self._rows[-1, self._encoder.shape.hand_begins :].astype(np.int64)
        logits = self._judge.logits(self._rows[-1:])[0]
        odds = np.exp(logits - logits.max())
        worth = np.zeros(self._num_cards)
        worth[hand[hand >= 0]] = (odds / odds.sum())[hand >= 0]
        return ODDS, worth

    def _scores(
        self, judge: Judge, rows: npt.NDArray[np.float32], random_bits: npt.NDArray[np.uint64]
    ) -> Floats:
        """The slot with the highest score (B, slots) is played."""
        logits = judge.logits(rows)
        if self._temperature == 0:
            return logits
        return logits / self._temperature + _gumbel(random_bits, logits.shape[1])


def _clear(scores: Floats) -> npt.NDArray[np.bool_]:
    """Where no rounding could make another slot the best."""
    second, best = np.partition(scores, -2, axis=1)[:, -2:].T
    size = 1 + np.abs(scores, where=np.isfinite(scores), out=np.zeros_like(scores)).max(axis=1)
    return best - second > _CLEAR * size


def _gumbel(random_bits: npt.NDArray[np.uint64], slots: int) -> Floats:
    """Noise (B, slots) with which the highest score falls on each slot by its odds."""
    # SplitMix64: a step of the golden ratio for each slot, then a mixing of the bits.
    bits = random_bits[:, None] + np.arange(1, slots + 1, dtype=np.uint64) * np.uint64(
        0x9E3779B97F4A7C15
    )
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    uniform = ((bits ^ (bits >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) + 0.5
    return -np.log(-np.log(uniform / 2**53))
