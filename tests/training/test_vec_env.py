"""Many games as a VecEnv of Stable-Baselines3."""

import warnings
from typing import Any, ClassVar

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from mindup_agents.features import ENCODERS, make_encoder
from mindup_agents.features.base import FeatureShape
from mindup_env import BatchEnv, GameConfig
from mindup_env.envs.random_bits import draw_random_bits
from mindup_training.envs import EnvConfig
from mindup_training.learners.sb3.vec_env import MindUpVecEnv
from mindup_training.opponent_mix import parse_share
from tests.envs.bots import choose_all
from tests.envs.playing import SHORT
from tests.training.policies import random_policy

TURNS = SHORT.num_turns
OTHER = GameConfig(SHORT.num_players, 0, SHORT.num_rounds, SHORT.hand_size)


def make(
    num_envs: int = 6,
    seed: int = 3,
    *configs: GameConfig,
    reward: str = "margin+win",
    features: str = "plain-1",
    num_threads: int = 1,
) -> MindUpVecEnv:
    mix = parse_share("2:random"), parse_share("tests.envs.bots:ByHand")
    env_config = EnvConfig(configs or (SHORT,), mix, reward, features, num_envs)
    return MindUpVecEnv(env_config, seed, num_threads=num_threads)


def played(env: MindUpVecEnv, steps: int) -> list[tuple[Any, ...]]:
    """What a reset and so many steps bring."""
    told: list[tuple[Any, ...]] = [(env.reset(), env.action_masks())]
    for _ in range(steps):
        observation, rewards, over, infos = env.step(choose_all(env.action_masks().astype(np.int8)))
        told.append((observation, env.action_masks(), rewards, over, infos))
    return told


def same(told: list[tuple[Any, ...]], others: list[tuple[Any, ...]]) -> bool:
    return all(
        all(np.array_equal(*both) for both in zip(step[:4], other[:4], strict=True))
        and step[4:] == other[4:]
        for step, other in zip(told, others, strict=True)
    )


def test_spaces_hold_what_is_seen() -> None:
    env = make()
    size = make_encoder("plain-1", SHORT).shape.size
    for observation, masks, *rest in played(env, 2 * TURNS):
        assert observation.shape == (6, size) and observation.dtype == np.float32
        assert env.observation_space.contains(observation[0])
        assert masks.shape == (6, 60) and masks.dtype == np.bool_ and masks.any(axis=1).all()
        if rest:
            rewards, over, infos = rest
            assert rewards.shape == over.shape == (6,) and len(infos) == 6
            assert rewards.dtype == np.float32 and over.dtype == np.bool_


def test_masks_come_as_one_array_in_the_way_that_sb3_asks_for_them() -> None:
    env = make()
    env.reset()
    assert is_masking_supported(env)
    assert isinstance(env.env_method("action_masks"), np.ndarray)
    assert np.array_equal(get_action_masks(env), env.action_masks())
    assert np.array_equal(
        env.env_method("action_masks", indices=[4, 1]), env.action_masks()[[4, 1]]
    )
    assert np.array_equal(env.env_method("action_masks", indices=2), env.action_masks()[[2]])


def test_masks_are_the_hands_in_the_observation() -> None:
    env = make()
    for observation, masks, *_ in played(env, 2 * TURNS):
        hands = observation[:, env.shape.hand_begins :]
        for hand, mask in zip(hands, masks, strict=True):
            assert [card for card in hand if card >= 0] == np.flatnonzero(mask).tolist()


def test_rewards_and_results_are_those_of_the_learners_seat() -> None:
    """The learner's seat is random: every reward must be that of the games it is in."""
    env = make(reward="margin+win")
    group = env._groups[0]
    env.reset()
    for _ in range(2):
        total = np.zeros(6)
        for turn in range(TURNS):
            twin = BatchEnv(SHORT, 6, reward="margin+win", autoreset=False)
            tables = group._tables
            twin.set_state(range(6), tables.batch.get_state(range(6)))
            seats = tables.seats.copy()
            _, rewards, over, infos = env.step(choose_all(env.action_masks().astype(np.int8)))
            _, expected, _, _, info = twin.step(tables._actions)
            np.testing.assert_allclose(rewards, expected[range(6), seats], atol=1e-5)
            total += rewards
            assert over.all() == (turn == TURNS - 1) and over.any() == over.all()
            if not over.all():
                assert infos == [{}] * 6
                continue
            shares = info["win_share"][range(6), seats]
            for one, own_return, share in zip(infos, total, shares, strict=True):
                assert one["episode"]["r"] == pytest.approx(own_return)
                assert one["episode"]["l"] == TURNS
                assert one["episode"]["win_share"] == pytest.approx(share)


def test_any_number_of_threads_plays_the_same_games_with_snapshots_too() -> None:
    """Of two configs, with enough rows for several slices of features, games and networks."""
    told = []
    for number in (1, 3):
        env = make(300, 3, SHORT, OTHER, features="forecast-1", num_threads=number)
        env.set_snapshots([random_policy(SHORT, OTHER)], 0.5)
        told.append(played(env, 2 * TURNS + 1))
    assert same(*told)


def test_infos_are_no_shared_object() -> None:
    env = make()
    env.reset()
    *_, infos = env.step(choose_all(env.action_masks().astype(np.int8)))
    infos[0]["note"] = 1
    assert infos[1] == {}


def test_arrays_are_the_callers_own() -> None:
    env = make()
    first, masks = env.reset(), env.action_masks()
    kept = first.copy(), masks.copy()
    env.step(choose_all(masks.astype(np.int8)))
    assert np.array_equal(first, kept[0]) and np.array_equal(masks, kept[1])


def test_a_seed_repeats_all_and_episodes_can_be_dealt_by_number() -> None:
    told = played(make(), 3 * TURNS)
    assert same(told, played(make(), 3 * TURNS))
    assert not same(told, played(make(seed=4), 3 * TURNS))
    late = make()
    late.episode = 1
    assert same(told[2 * TURNS + 1 :], played(late, TURNS)[1:])
    assert np.array_equal(told[2 * TURNS][0], make_late(2).reset())
    again = make(seed=9)
    again.reset()
    again.seed(3)
    assert same(told, played(again, 3 * TURNS))


def make_late(episode: int) -> MindUpVecEnv:
    env = make()
    env.episode = episode - 1
    return env


def test_each_number_of_objectives_has_games_with_different_deals() -> None:
    env = make(7, 3, SHORT, OTHER)
    rows = env.reset()
    alone = make(4, 3).reset()
    assert len(rows) == 7 and np.array_equal(rows[:4], alone), "the first four show objectives"
    assert not np.array_equal(rows[:3, : env.shape.table], rows[4:, : env.shape.table])
    hands = {tuple(row[env.shape.hand_begins :]) for row in rows}
    assert len(hands) == 7
    for _ in range(2):
        for _ in range(TURNS):
            _, rewards, over, infos = env.step(choose_all(env.action_masks().astype(np.int8)))
        assert over.all() and len(rewards) == len(infos) == 7


@pytest.mark.parametrize(
    ("configs", "said"),
    [
        ((SHORT, GameConfig(3, 2, 3, 3)), "equal decks and equally many turns"),
        (
            (SHORT, GameConfig(2, 2, SHORT.num_rounds, SHORT.hand_size)),
            "differ in size between configs",
        ),
        ((SHORT,) * 7, "num_envs must be at least 7, one for each config, not 6"),
    ],
)
def test_configs_that_do_not_fit_together_are_refused(
    configs: tuple[GameConfig, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        make(6, 3, *configs)


class Spied:
    """Features that keep what they were given."""

    name = "spied"
    shape = FeatureShape(1, 1, SHORT.largest_hand)
    given: ClassVar[list[Any]] = []

    def __init__(self, config: GameConfig) -> None:
        pass

    def fill(self, *given: Any) -> None:
        self.given.append([array.copy() for array in given])


def test_features_are_given_what_an_agent_in_the_seat_would_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ENCODERS, "spied", Spied)
    monkeypatch.setattr(Spied, "given", [])
    env = MindUpVecEnv(EnvConfig((SHORT,), (parse_share("random"),), "win", "spied", 6), 3)
    env.reset()
    drawn = np.zeros(6, np.uint64)
    for turn in range(2 * TURNS):
        observation, mask, episode_start, random_bits, _ = Spied.given[-1]
        tables = env._groups[0]._tables
        own = np.arange(6), tables.seats
        assert np.array_equal(observation, tables.batch.seen["observation"][own])
        assert np.array_equal(mask, tables.batch.seen["action_mask"][own])
        assert episode_start.tolist() == [turn % TURNS == 0] * 6
        rows = np.arange(6) * SHORT.num_players + tables.seats
        draw_random_bits(tables.batch.keys, rows, SHORT.num_players, turn % TURNS, drawn)
        assert np.array_equal(random_bits, drawn)
        env.step(choose_all(env.action_masks().astype(np.int8)))
    assert len({tuple(given[3].tolist()) for given in Spied.given}) == 2 * TURNS + 1


def test_a_card_that_is_not_held_is_refused() -> None:
    env = make()
    masks = env.reset(), env.action_masks()
    with pytest.raises(ValueError, match="cannot take action"):
        env.step((~masks[1]).argmax(axis=1))


def test_what_sb3_asks_of_an_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make()
    assert env.num_envs == 6 and env.render_mode is None
    assert env.get_attr("num_turns") == [TURNS] * 6
    assert env.get_attr("num_turns", [1, 2]) == [TURNS] * 2
    assert not env.has_attr("nothing")
    assert env.env_is_wrapped(VecMonitor, indices=0) == [False]
    with pytest.raises(AttributeError, match="seed cannot be set"):
        env.set_attr("seed", 1)
    monitored = VecMonitor(env)
    monitored.reset()
    for _ in range(TURNS):
        *_, infos = monitored.step(choose_all(env.action_masks().astype(np.int8)))
    assert [info["episode"]["l"] for info in infos] == [TURNS] * 6
    env.close()
