"""The bot ``self-play``: a policy that has met no other bot.

Its policies are the results of ``python -m mindup_training.ppo --players N --minutes 20
--half-precision``, in 20 minutes of one core for each number of players.
"""

from mindup_agents.policy import PolicyAgent
from mindup_agents.weights import weights_file
from mindup_env.config import GameConfig


class SelfPlay(PolicyAgent):
    """Plays the most probable card of a policy that PPO learned in games against itself.

    Args:
        config: the game
        temperature: 0 for the most probable card; 1 samples a card from the policy's probabilities
    """

    def __init__(self, config: GameConfig, temperature: float = 0.0) -> None:
        super().__init__(config, str(weights_file("self-play", config)), temperature)
