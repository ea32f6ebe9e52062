"""The reward of a game is the sum of the rewards that an environment pays for it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.text import game_reward
from tests.envs.strategies import seeds, tables
from tests.scripted_game import scripted


@settings(deadline=None, max_examples=50)
@given(tables(), seeds, st.sampled_from(["win", "score", "margin", "0.25*margin+2*win+score"]))
def test_it_is_the_sum_of_all_rewards(config: GameConfig, seed: int, reward: str) -> None:
    env = BatchEnv(config, reward=reward, autoreset=False)
    seen, _ = env.reset(seed=seed)
    total = np.zeros(config.num_players)
    for _ in range(config.num_turns):
        seen, rewards, *_ = env.step(seen["action_mask"].argmax(axis=2))
        total += rewards[0]
    game = env.game(0)
    found = [game_reward(game, seat, reward) for seat in range(config.num_players)]
    assert found == pytest.approx(total, abs=1e-3)


def test_what_has_no_reward_is_refused() -> None:
    over = scripted(5)
    with pytest.raises(ValueError, match="finished game, not for <Game"):
        game_reward(scripted(4), 0)
    with pytest.raises(ValueError, match="seat must be 0 to 1, not 2"):
        game_reward(over, 2)
    with pytest.raises(ValueError, match="reward must be a sum"):
        game_reward(over, 0, "points")


def test_the_reward_of_an_example() -> None:
    over: Game = scripted(5)
    (winner,) = over.winners
    assert game_reward(over, winner) == 0.5
    assert game_reward(over, winner, "score") == over.scores[winner]
