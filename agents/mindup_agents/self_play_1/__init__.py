"""The bot ``self-play-1``: one policy, which has met no other bot.

It is the result of ``mindup train --preset self_play --seed 0``: a network that reads the
observation alone, and learned from games against itself.
"""

from importlib.resources import files
from pathlib import Path

from mindup_agents.policy import PolicyAgent
from mindup_env.config import GameConfig

POLICY = Path(str(files(__package__))) / "policy.safetensors"


class SelfPlay1(PolicyAgent):
    """Plays the most probable card of a policy trained by self-play alone, with 0 or 3 objectives.

    Args:
        config: the game
        temperature: 0 for the most probable card; 1 samples a card from the policy's probabilities
    """

    def __init__(self, config: GameConfig, temperature: float = 0.0) -> None:
        super().__init__(config, str(POLICY), temperature)
