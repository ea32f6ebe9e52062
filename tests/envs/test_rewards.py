"""Rewards: the terms, their grammar, and functions."""

import re
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig
from mindup_env.rewards import RewardWeights, parse_reward
from tests.envs.playing import SHORT

TINY = GameConfig(num_players=3, num_rounds=1, hand_size=2)  # so short that ties are frequent
CONFIGS = [
    GameConfig(num_players=2, num_objectives=5),
    SHORT,
    TINY,
    GameConfig(num_players=6, num_objectives=3),
]


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.parametrize("text", ["score", "margin", "win", "0.1*margin + 0.3*win + 0.7*score"])
@pytest.mark.parametrize("config", CONFIGS, ids=[f"{c.num_players}p" for c in CONFIGS])
def test_rewards_are_computed_as_float64_and_rounded_once(config: GameConfig, text: str) -> None:
    weights, num_envs = parse_reward(text), 100
    env, chance = BatchEnv(config, num_envs, reward=text), np.random.default_rng(1)
    env.reset(seed=1)
    differing = 0
    for _ in range(config.num_turns):
        actions = env.random_actions()
        actions[:, 0] = np.where(chance.random(num_envs) < 0.1, -1, actions[:, 0])
        _, rewards, over, _, info = env.step(actions)
        gained = info["points_gained"].astype(np.float64)
        others = (gained.sum(axis=1, keepdims=True) - gained) / (config.num_players - 1)
        expected = weights.score * gained + weights.margin * (gained - others)
        if over.any():
            win_share = info["win_share"].astype(np.float64)
            expected = expected + weights.win * (win_share - 1 / config.num_players)
        expected = expected - info["illegal_actions"]
        assert np.array_equal(rewards, expected.astype(np.float32))
        differing += int((expected != rewards).sum())
    assert over.all()
    assert differing or "0.1" not in text, "rounding matters"
    np.testing.assert_allclose(info["win_share"].sum(axis=-1), 1, rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("win", RewardWeights(win=1)),
        ("0.1*margin+win", RewardWeights(margin=0.1, win=1)),
        (" win + 0.25 * score+3*margin ", RewardWeights(score=0.25, margin=3, win=1)),
        ("0*score", RewardWeights()),
    ],
)
def test_a_text_gives_weights(text: str, weights: RewardWeights) -> None:
    assert parse_reward(text) == weights


@pytest.mark.parametrize(
    "reward",
    [
        *("wins", "", "win+win", "2win", "-1*win", "win+", "1e3*win", "nan*win"),
        *(f"{'9' * 400}*win", "win\n", "\u0663*win", None),
    ],
    ids=ascii,
)
def test_another_text_is_refused_with_the_grammar(reward: Any) -> None:
    text = (
        "a sum of score, margin and win, each at most once and with an optional weight, such as "
        "'win' or '0.1*margin+win' (from Python also a function), not "
        f"{reward!r}"[:150]
    )
    for refuse in (parse_reward, lambda reward: BatchEnv(SHORT, reward=reward)):
        with pytest.raises(ValueError, match=re.escape(text)):
            refuse(reward)


# Functions of users


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda dtype: dtype.__name__)
def test_a_function_is_asked_once_a_step(dtype: type[np.floating]) -> None:
    asked: list[tuple[Any, ...]] = []

    def reward(*arguments: Any) -> Any:
        asked.append(tuple(argument.copy() for argument in arguments))
        gained, over, win_share = arguments
        return (0.25 * gained + 10 * over[:, None] * win_share).astype(dtype)

    env = BatchEnv(SHORT, 7, reward=reward)
    env.reset(seed=3)
    for turn in range(1, 2 * SHORT.num_turns + 1):
        _, rewards, terminations, _, info = env.step(env.random_actions())
        assert len(asked) == turn
        gained, over, win_share = asked[-1]
        assert (gained.dtype, over.dtype, win_share.dtype) == (np.float32, np.bool_, np.float32)
        assert np.array_equal(gained, info["points_gained"])
        assert np.array_equal(over, terminations)
        assert np.array_equal(win_share, info.get("win_share", win_share * 0))
        expected = 0.25 * gained + 10 * over[:, None] * win_share
        np.testing.assert_allclose(rewards, expected, atol=1e-5)
        assert rewards.dtype == np.float32


@pytest.mark.parametrize(
    ("reward", "said"),
    [
        (np.zeros((3, 2)), r"numbers of shape \(2, 3\) \(games, players\), not float64 of shape"),
        (None, "not None"),
        ([["1"] * 3] * 2, r"not <U1 of shape \(2, 3\)"),
        (np.full((2, 3), 1e300), "must return finite numbers within float32"),
        (np.zeros((2, 3), complex), "not complex128"),
    ],
)
def test_a_reward_is_a_finite_number_for_every_seat(reward: Any, said: str) -> None:
    env = BatchEnv(SHORT, 2, reward=lambda *_: reward)
    env.reset(seed=3)
    for _ in range(SHORT.num_turns + 1):
        with pytest.raises(ValueError, match=said):
            env.step(env.random_actions())
