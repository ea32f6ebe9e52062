"""Games for Hypothesis as the environments meet them: of any config, at any point."""

from dataclasses import replace

from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from tests.rules.strategies import configs, plays

seeds = st.integers(0, 2**64 - 1)


@st.composite
def tables(draw: st.DrawFn) -> GameConfig:
    """Half of them with fewer cards."""
    config = draw(configs())
    if draw(st.booleans()):
        return config
    fewest = config.num_players * (config.hand_size + config.num_rounds)
    return replace(config, num_cards=draw(st.integers(fewest, 60)))


@st.composite
def games_at_any_point(draw: st.DrawFn) -> Game:
    game = Game(draw(tables()), draw(seeds))
    turns = draw(st.integers(0, game.config.num_turns))
    for _ in zip(range(turns), plays(game, draw(st.integers(0, 2**32))), strict=False):
        pass
    return game
