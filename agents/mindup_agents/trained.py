"""The bots ``self-play`` and ``distilled``: trained policies, one for each number of players.

Those of ``self-play`` are what ``python -m mindup_training.ppo --players N --minutes 20
--half-precision`` learned at commit 7d8bc82a, in 20 minutes of one core; those of ``distilled`` are
what ``mindup train distil --players N`` learned at 7819e9fb.
"""

from typing import ClassVar

from mindup_agents.policy import PolicyAgent
from mindup_agents.weights import weights_file
from mindup_env.config import GameConfig


class TrainedPolicy(PolicyAgent):
    """A policy of the package.

    Args:
        config: the game
        temperature: 0 for the most probable card; 1 samples a card from the policy's probabilities
    """

    bot: ClassVar[str]  # whose weights they are

    def __init__(self, config: GameConfig, temperature: float = 0.0) -> None:
        super().__init__(config, str(weights_file(self.bot, config)), temperature)


class SelfPlay(TrainedPolicy):
    """Plays the most probable card of a policy that PPO learned in games against itself."""

    bot = "self-play"


class Distilled(TrainedPolicy):
    """Plays the most probable card of a policy that learned what search makes of its cards."""

    bot = "distilled"
