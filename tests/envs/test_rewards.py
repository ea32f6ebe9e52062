"""Rewards: the terms, their grammar, and functions."""

import re
import warnings
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import BatchEnv, GameConfig, IllegalActionWarning, mindup_v0
from mindup_env.batch_env.kernels import reward_seats
from mindup_env.rewards import RewardWeights, parse_reward
from tests.envs.playing import SHORT, random_legal

NUM_ENVS = 200
TINY = GameConfig(num_players=3, num_rounds=1, hand_size=2)  # so short that ties are frequent
CONFIGS = [
    GameConfig(num_players=2, num_objectives=5),
    SHORT,
    TINY,
    GameConfig(num_players=4, num_objectives=2),
    GameConfig(num_players=6, num_objectives=3),
]
configs = pytest.mark.parametrize("config", CONFIGS, ids=[f"{c.num_players}p" for c in CONFIGS])


class Played(NamedTuple):
    rewards: npt.NDArray[np.float32]  # (turns, N, P)
    gained: npt.NDArray[np.float32]  # (turns, N, P)
    scores: npt.NDArray[np.int32]  # (N, P)
    win_share: npt.NDArray[np.float32]  # (N, P)


@configs
def test_score_adds_up_to_the_final_score(config: GameConfig) -> None:
    played = play(config, "score")
    assert np.array_equal(played.rewards, played.gained)
    assert np.array_equal(played.rewards.sum(axis=0), played.scores)
    assert played.scores.std() > 0


@configs
def test_margin_is_the_gain_over_the_mean_of_the_others(config: GameConfig) -> None:
    played = play(config, "margin")
    assert_zero_sum(played.rewards)
    for player in range(config.num_players):
        others = np.delete(played.gained, player, axis=-1).mean(axis=-1)
        expected = played.gained[..., player] - others
        np.testing.assert_allclose(played.rewards[..., player], expected, atol=1e-4)


@configs
def test_win_pays_the_share_of_the_victory_at_the_end_alone(config: GameConfig) -> None:
    played = play(config, "win")
    assert not played.rewards[:-1].any()
    expected = played.win_share - 1 / config.num_players
    np.testing.assert_allclose(played.rewards[-1], expected, atol=1e-6)
    assert_zero_sum(played.rewards)
    np.testing.assert_allclose(played.win_share.sum(axis=-1), 1, rtol=1e-6)


def test_a_shared_victory_pays_its_shares() -> None:
    rewards = play(TINY, "win").rewards[-1]
    paid = {tuple(round(6 * reward) for reward in sorted(row)) for row in rewards.tolist()}
    assert paid == {(-2, -2, 4), (-2, 1, 1), (0, 0, 0)}


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda dtype: dtype.__name__)
def test_a_function_is_asked_once_a_step(dtype: type[np.floating]) -> None:
    asked: list[tuple[Any, ...]] = []

    def reward(*arguments: Any) -> Any:
        asked.append(tuple(argument.copy() for argument in arguments))
        gained, over, win_share = arguments
        return (0.25 * gained + 10 * over[:, None] * win_share).astype(dtype)

    env, chance = BatchEnv(SHORT, 7, reward=reward), np.random.default_rng(3)
    env.reset(seed=3)
    assert not asked
    for turn in range(1, 2 * SHORT.num_turns + 1):
        _, rewards, terminations, _, info = env.step(random_legal(env.seen, chance))
        assert len(asked) == turn
        gained, over, win_share = asked[-1]
        assert (gained.dtype, over.dtype, win_share.dtype) == (np.float32, np.bool_, np.float32)
        assert np.array_equal(gained, info["points_gained"])
        assert np.array_equal(over, terminations)
        expected = 0.25 * gained
        if over.all():
            assert np.array_equal(win_share, info["win_share"])
            expected = expected + 10 * win_share
        np.testing.assert_allclose(rewards, expected, atol=1e-5)
        assert rewards.dtype == np.float32
    assert sum(arguments[1].all() for arguments in asked) == 2


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("win", RewardWeights(win=1)),
        ("margin+win", RewardWeights(margin=1, win=1)),
        ("0.1*margin+win", RewardWeights(margin=0.1, win=1)),
        (" win + 0.25 * score+3*margin ", RewardWeights(score=0.25, margin=3, win=1)),
        ("0*score", RewardWeights()),
    ],
)
def test_a_text_gives_weights(text: str, weights: RewardWeights) -> None:
    assert parse_reward(text) == weights


def test_every_api_accepts_the_grammar() -> None:
    text, received = "0.1*margin + 2*win", []
    parallel = mindup_v0.parallel_env(num_players=3, reward=text)
    turn_based = mindup_v0.env(num_players=3, reward=text)
    learner: dict[str, Any] = {"num_players": 3, "reward": text, "opponents": ["lowest"], "seat": 0}
    single = gymnasium.make("MindUp-v0", **learner)
    vector = gymnasium.make_vec("MindUp-v0", num_envs=1, **learner)
    batch = BatchEnv(GameConfig(num_players=3), reward=text)
    for env in (parallel, turn_based, single, vector, batch):
        env.reset(seed=4)
    for _ in range(batch.config.num_turns):
        actions = batch.seen["action_mask"].argmax(axis=2)
        rewards = batch.step(actions)[1][0].tolist()
        agents = parallel.agents
        by_agent = parallel.step(dict(zip(agents, actions[0].tolist(), strict=True)))[1]
        for action in actions[0].tolist():
            turn_based.step(action)
        assert [by_agent[agent] for agent in agents] == rewards
        assert [turn_based.rewards[agent] for agent in agents] == rewards
        assert single.step(actions[0, 0])[1] == rewards[0]
        assert vector.step(actions[:, 0])[1][0] == rewards[0]
        received.append(rewards[0])
    assert len({*received}) > 3


@pytest.mark.parametrize(
    "reward",
    [
        *("wins", "", "Win", "win+win", "2win", "-1*win", "win+", "1e3*win", "nan*win", "inf*win"),
        f"{'9' * 400}*win",
        "win\n",
        "\u0663*win",
        None,
        1,
    ],
    ids=ascii,
)
def test_another_text_is_refused_with_the_grammar(reward: Any) -> None:
    text = (
        "a sum of score, margin and win, each at most once and with an optional weight, such as "
        "'win' or '0.1*margin+win' (an environment also accepts a function, or an object with "
        f"compute_rewards), not {reward!r}"
    )
    with pytest.raises(ValueError, match=re.escape(text)):
        parse_reward(reward)
    with pytest.raises(ValueError, match=re.escape(text)):
        BatchEnv(SHORT, reward=reward)


@pytest.mark.parametrize(
    "text", ["margin+win", "0.1*margin + 0.3*win + 0.7*score", "2*score + 10*win"]
)
@configs
def test_rewards_are_float64_rounded_once_with_and_without_the_compiler(
    config: GameConfig, text: str
) -> None:
    weights, num_envs = parse_reward(text), 50
    env, chance = BatchEnv(config, num_envs, reward=text), np.random.default_rng(1)
    env.reset(seed=1)
    differing = 0
    for _ in range(config.num_turns):
        actions = random_legal(env.seen, chance)
        actions[:, 0] = np.where(chance.random(num_envs) < 0.1, -1, actions[:, 0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IllegalActionWarning)
            _, rewards, over, _, info = env.step(actions)
        gained = info["points_gained"].astype(np.float64)
        others = (gained.sum(axis=1, keepdims=True) - gained) / (config.num_players - 1)
        expected = weights.score * gained + weights.margin * (gained - others)
        if over.any():
            win_share = info["win_share"].astype(np.float64)
            expected = expected + weights.win * (win_share - 1 / config.num_players)
        expected = expected - info["illegal_actions"]
        assert np.array_equal(rewards, expected.astype(np.float32))
        out = env._out._replace(rewards=np.zeros_like(rewards))
        for g in range(num_envs):
            reward_seats.py_func(env._batch.rules, g, weights, out)  # type: ignore[attr-defined]
        assert np.array_equal(out.rewards, rewards)
        differing += int((expected != rewards).sum())
    assert differing or "0.1" not in text, "rounding matters"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.zeros((3, 2)), r"numbers of shape \(2, 3\) \(games, players\), not float64 of shape"),
        (np.zeros(3), r"not float64 of shape \(3,\)"),
        (0.0, r"not float64 of shape \(\)"),
        (None, "not object of shape"),
        ([["1"] * 3] * 2, r"not <U1 of shape \(2, 3\)"),
        (np.full((2, 3), np.nan), "must return finite numbers"),
        (np.full((2, 3), 1e300), "must return finite numbers within float32"),
        (np.zeros((2, 3), complex), "not complex128"),
    ],
)
def test_a_function_must_return_a_finite_number_for_every_seat(given: Any, said: str) -> None:
    env = BatchEnv(SHORT, 2, reward=lambda *_: given)
    env.reset(seed=3)
    with pytest.raises(ValueError, match=said):
        env.step(env.seen["action_mask"].argmax(axis=2))
    for _ in range(2 * SHORT.num_turns):
        with pytest.raises(ValueError, match=said):
            env.step(env.seen["action_mask"].argmax(axis=2))


def play(config: GameConfig, reward: str) -> Played:
    """A whole game in every place: the same deals and the same plays for every reward."""
    env, chance = BatchEnv(config, NUM_ENVS, reward=reward, copy=True), np.random.default_rng(9)
    seen, _ = env.reset(seed=9)
    rewards, gained = [], []
    for _ in range(config.num_turns):
        seen, paid, over, _, info = env.step(random_legal(seen, chance))
        rewards.append(paid)
        gained.append(info["points_gained"])
    assert over.all()
    return Played(np.array(rewards), np.array(gained), info["scores"], info["win_share"])


def assert_zero_sum(rewards: npt.NDArray[np.float32]) -> None:
    """At every step of every game, but for rounding."""
    np.testing.assert_allclose(rewards.sum(axis=-1), 0, atol=1e-4)
    assert rewards.any()
