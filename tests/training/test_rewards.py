"""Rewards as weighted sums."""

import re

import numpy as np
import pytest

from mindup_env import BatchEnv
from mindup_training.rewards import parse_reward
from tests.envs.playing import SHORT, random_legal


@pytest.mark.parametrize("named", ["win", "score", "margin", "margin+win"])
def test_names_mean_what_they_mean_elsewhere(named: str) -> None:
    chance = np.random.default_rng(2)
    envs = [BatchEnv(SHORT, 50, reward=reward) for reward in (named, parse_reward(named))]
    for env in envs:
        env.reset(seed=2)
    for _ in range(2 * SHORT.num_turns):
        actions = random_legal(envs[0].seen, chance)
        rewards = [env.step(actions)[1] for env in envs]
        np.testing.assert_allclose(rewards[0], rewards[1], atol=1e-5)


def test_weights_multiply() -> None:
    gained = np.array([[1, 5, 0]], np.float32)
    won, over = np.array([[0, 1, 0]], np.float32), np.array([True])
    paid = parse_reward("2*score + 0.5*margin + 10*win")(gained, over, won)
    margin = [1 - 2.5, 5 - 0.5, 0 - 3]
    expected = [
        2 * point + 0.5 * more + 10 * (share - 1 / 3)
        for point, more, share in zip(gained[0], margin, won[0], strict=True)
    ]
    np.testing.assert_allclose(paid[0], expected, rtol=1e-6)
    not_yet = parse_reward("win")(gained, np.array([False]), np.zeros((1, 3), np.float32))
    assert not not_yet.any()


@pytest.mark.parametrize(
    "text", ["", "wins", "win+win", "2win", "-1*win", "win+", "1e3*win", "nan*win"]
)
def test_others_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"such as 0.1*margin+win, not {text!r}")):
        parse_reward(text)
