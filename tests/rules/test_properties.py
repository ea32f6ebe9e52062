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
    batch = Batch.dealt(config, make_keys(seed, num_games))
    alone = [Game(config, seed, slot=slot) for slot in range(num_games)]
    for _ in range(config.num_turns):
        cards = np.array([[game.hand(p)[-1] for p in range(config.num_players)] for game in alone])
        kernels.play_all(batch.rules, batch.games, (cards - 1).astype(np.int8))
        for slot, game in enumerate(alone):
            game.play(cards[slot].tolist())
            assert Game.from_batch(batch, slot) == game


@given(configs(), seeds, st.integers(1, 5))
def test_random_play_is_legal_and_deals_the_next_episode(
    config: GameConfig, seed: int, num_games: int
) -> None:
    env = BatchEnv(config, num_games)
    env.reset(seed)
    alone = [Game(config, seed, slot=slot) for slot in range(num_games)]
    for _ in range(config.num_turns - 1):
        actions = env.random_actions()
        env.step(actions)
        for slot, game in enumerate(alone):
            game.play((actions[slot] + 1).tolist())
            assert env.game(slot) == game
    env.step(env.random_actions())
    for slot in range(num_games):
        assert env.game(slot) == Game(config, seed, slot=slot, episode=1)
