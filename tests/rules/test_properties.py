"""What holds in every game, whatever is dealt and played."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.keys import make_keys
from tests.rules.strategies import configs

seeds = st.integers(0, 2**64 - 1)


@given(configs(), seeds, st.integers(1, 9))
def test_a_game_is_the_same_alone_and_in_a_batch_of_any_size(
    config: GameConfig, seed: int, num_games: int
) -> None:
    """Random play is legal in each, and the next episode follows."""
    batch = Batch.dealt(config, make_keys(seed, num_games))
    env = BatchEnv(config, num_games)
    env.reset(seed)
    alone = [Game(config, seed, slot=slot) for slot in range(num_games)]
    for _ in range(config.num_turns):
        assert [env.game(slot) for slot in range(num_games)] == alone
        actions = env.random_actions()
        kernels.play_all(batch.rules, batch.games, actions.astype(np.int8))
        env.step(actions)
        for slot, game in enumerate(alone):
            game.play((actions[slot] + 1).tolist())
            assert Game.from_batch(batch, slot) == game
    for slot in range(num_games):
        assert env.game(slot) == Game(config, seed, slot=slot, episode=1)
