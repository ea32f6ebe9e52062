"""The bot ``champion-1``: the trained policies of the package, one for each number of players.

Each is the result of ``mindup train --preset 4_players --seed 0``, or of the preset for its number
of players. It plays with any number of objectives, and with the official deck.
"""

from importlib.resources import files
from pathlib import Path

from mindup_agents.policy import PolicyAgent
from mindup_env.config import GameConfig

PLAYERS = 3, 4, 5, 6


class Champion1(PolicyAgent):
    """Plays the most probable card of a trained policy; there is one for each of 3 to 6 players.

    Args:
        config: the game
        temperature: 0 for the most probable card; 1 samples a card from the policy's probabilities
    """

    def __init__(self, config: GameConfig, temperature: float = 0.0) -> None:
        if config.num_players not in PLAYERS:
            raise ValueError(
                f"champion-1 plays with {PLAYERS[0]} to {PLAYERS[-1]} players, not with "
                f"{config.num_players}"
            )
        super().__init__(config, str(policy_file(config.num_players)), temperature)


def policy_file(num_players: int) -> Path:
    return Path(str(files(__package__))) / f"{num_players}_players.safetensors"
