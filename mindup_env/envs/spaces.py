"""The spaces of observations, actions and the global state."""

import numpy as np
from gymnasium import spaces

from mindup_env.config import GameConfig
from mindup_env.observation import layout_of, state_layout_of


def observation_space(config: GameConfig, pad_to_players: int | None = None) -> spaces.Dict:
    """A new space at each call, so that each can be seeded independently."""
    layout = layout_of(config, pad_to_players)
    return spaces.Dict(
        {
            "observation": spaces.Box(layout.low, layout.high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (config.num_cards,), np.int8),
        }
    )


def action_space(config: GameConfig) -> spaces.Discrete:
    return spaces.Discrete(config.num_cards)


def state_space(config: GameConfig, pad_to_players: int | None = None) -> spaces.Box:
    layout = state_layout_of(config, pad_to_players)
    return spaces.Box(layout.low, layout.high, dtype=np.int8)
