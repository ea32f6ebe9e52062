"""Games for Hypothesis as the environments meet them: of any config, at any point."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from mindup_env import GameConfig
from tests.game_origins import played
from tests.rules.strategies import configs


@st.composite
def tables(draw: st.DrawFn) -> GameConfig:
    """Half of them with fewer cards."""
    config = draw(configs())
    if draw(st.booleans()):
        return config
    fewest = config.num_players * (config.hand_size + config.num_rounds)
    return replace(config, num_cards=draw(st.integers(fewest, 60)))


randoms = st.integers(0, 2**64 - 1).map(np.random.default_rng)
games = st.builds(played, tables(), randoms)
