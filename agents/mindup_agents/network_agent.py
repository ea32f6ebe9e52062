"""Bots that play by a network: in a policy file, or one that is being trained."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CARD_PROBABILITY
from mindup_agents.random_numbers import uniform_numbers
from mindup_env.agent import ActArguments
from mindup_env.checks import InputError

Float32Array = npt.NDArray[np.float32]


class NetworkAgent(ABC):
    """Plays the most probable card of a network, and keeps the state of the network by row.

    Args:
        name: of the network, for errors.
        state_shapes: the shape of each tensor of its state, for one row.
        temperature: 0 for the most probable card; 1 samples a card from the probabilities.
    """

    def __init__(
        self, name: str, state_shapes: Sequence[tuple[int, ...]], temperature: float
    ) -> None:
        if not (math.isfinite(temperature) and temperature >= 0):
            raise InputError(
                f"temperature must be a finite number of at least 0, not {temperature}"
            )
        self._name = name
        self._shapes = state_shapes
        self._temperature = temperature
        self._state = self._new_state(0)
        self._logits = np.zeros((0, 0), np.float32)

    @abstractmethod
    def _answer(self, *inputs: npt.NDArray[Any]) -> Sequence[npt.NDArray[Any]]:
        """The outputs of the network: logits first, the next state last."""

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        logits = self._read(ActArguments(observation, action_mask, episode_start, random_bits))
        if self._temperature == 0:
            return logits.argmax(axis=1)
        uniform = uniform_numbers(random_bits, range(1, logits.shape[1] + 1))
        # With Gumbel noise, the highest one is a sample from the softmax.
        return (logits / self._temperature - np.log(-np.log(uniform))).argmax(axis=1)

    def play_probabilities(self, *given: npt.NDArray[Any]) -> Float32Array:
        """The probability that it plays each card (B, num_cards), by the arguments of ``act``."""
        logits = self._read(ActArguments(*given))
        if self._temperature > 0:
            return _softmax(logits / np.float32(self._temperature))
        return np.eye(logits.shape[1], dtype=np.float32)[logits.argmax(axis=1)]

    def evaluate_cards(self) -> tuple[str, Float32Array]:
        """Its probabilities (B, num_cards) in the last call of ``act``, at temperature 1."""
        return CARD_PROBABILITY, _softmax(self._logits)

    def predict_cards(self) -> Float32Array | None:
        """What each opponent plays (B, opponents, cards) by a state as that of ``self-play``.

        That has the weights of several models, then the cards that each predicts. None for others.
        """
        if [len(shape) for shape in self._shapes] != [2, 3]:
            return None
        predicted: Float32Array = np.einsum("bom,bomc->boc", *self._state)
        return predicted

    def _read(self, given: ActArguments) -> Float32Array:
        """The logits (B, C), -inf for cards that cannot be played; goes on to the next state."""
        if len(given.observation) != len(self._logits):
            self._state = self._new_state(len(given.observation))
        for each in self._state:
            each[given.episode_start] = 0
        seen = given.observation, given.action_mask
        logits, *others = self._answer(*seen, *self._state)
        self._state = others[len(others) - len(self._shapes) :]
        is_legal = given.action_mask != 0
        for row, card in np.argwhere(is_legal & ~np.isfinite(logits))[:1].tolist():
            raise InputError(
                f"{self._name}: the logit of card {card + 1} in row {row} is {logits[row, card]}"
            )
        self._logits = np.where(is_legal, logits, np.float32(-np.inf))
        return self._logits

    def _new_state(self, rows: int) -> list[Float32Array]:
        return [np.zeros((rows, *shape), np.float32) for shape in self._shapes]


def _softmax(logits: Float32Array) -> Float32Array:
    """The probabilities; all 0 in a row without a card that can be played."""
    highest = logits.max(axis=1, keepdims=True, initial=np.finfo(np.float32).min)
    weights = np.exp(logits - highest)
    probabilities: Float32Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)
    return probabilities
