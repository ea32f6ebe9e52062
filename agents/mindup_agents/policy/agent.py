"""The bot ``policy``: plays a trained policy without PyTorch."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CARD_PROBABILITY
from mindup_agents.policy.description import NO_OWN_CODE, OwnCode
from mindup_agents.policy.evaluator import PolicyEvaluator
from mindup_agents.policy.file import Policy, load_policy
from mindup_agents.random_numbers import uniform_numbers
from mindup_env.config import GameConfig

FloatArray = npt.NDArray[np.floating]


class PolicyAgent:
    """Plays the most probable card of the policy in a file, without PyTorch.

    Args:
        config: the game
        path: the policy file, or the folder of its training
        temperature: 0 for the most probable card; 1 samples a card from the policy's probabilities
        features: the ``module:Class`` of the features, if the policy was trained with a user's own
        network: the same of its network, which needs PyTorch

    Attributes:
        evaluator (PolicyEvaluator): what the policy makes of the rows of the last call of ``act``.
    """

    def __init__(
        self,
        config: GameConfig,
        path: str,
        temperature: float = 0.0,
        features: str = "",
        network: str = "",
    ) -> None:
        self._set_up(load_policy(path), config, temperature, OwnCode(features, network))

    @classmethod
    def of(
        cls,
        policy: Policy,
        config: GameConfig,
        temperature: float = 0.0,
        own_code: OwnCode = NO_OWN_CODE,
    ) -> Self:
        """An agent that plays a policy in memory, with the code that the user names."""
        agent = cls.__new__(cls)
        agent._set_up(policy, config, temperature, own_code)
        return agent

    def _set_up(
        self, policy: Policy, config: GameConfig, temperature: float, own_code: OwnCode
    ) -> None:
        if not (math.isfinite(temperature) and temperature >= 0):
            raise ValueError(
                f"temperature must be a finite number of at least 0, not {temperature}"
            )
        self._temperature = temperature
        self.evaluator = PolicyEvaluator(policy.description, policy.tensors, config, own_code)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        """Chooses an action per row, see ``Agent``."""
        self.evaluator.read(observation, action_mask, episode_start, random_bits)
        slots = self._scores(random_bits).argmax(axis=1)
        cards = np.take_along_axis(self.evaluator.cards, slots[:, None], axis=1)[:, 0]
        return np.maximum(cards, 0)  # a game that is over has no card to play

    def play_probabilities(self, *arguments: npt.NDArray[Any]) -> FloatArray:
        """How often it plays each card (B, num_cards), of the arguments of ``act``."""
        self.evaluator.read(*arguments)
        return self.evaluator.probabilities(self._temperature)

    def evaluate_cards(self) -> tuple[str, FloatArray]:
        """The policy's probabilities (B, num_cards) in each row, at any temperature."""
        return CARD_PROBABILITY, self.evaluator.probabilities()

    def _scores(self, random_bits: npt.NDArray[np.uint64]) -> FloatArray:
        """Scores (B, slots); the slot with the highest score is played."""
        logits = self.evaluator.logits
        if self._temperature == 0:
            return logits
        return logits / self._temperature + _gumbel(random_bits, logits.shape[1])


def _gumbel(random_bits: npt.NDArray[np.uint64], slots: int) -> FloatArray:
    """Gumbel noise (B, slots): the argmax of noisy logits is a sample from their softmax."""
    return -np.log(-np.log(uniform_numbers(random_bits, range(1, slots + 1))))
