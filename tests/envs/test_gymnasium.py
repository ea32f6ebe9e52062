"""Gymnasium's two forms: one learner among bots, at one table or at many."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from mindup_env import BatchEnv, GameConfig
from mindup_env.envs.single_agent import MindUpEnv
from mindup_env.envs.vector_env import MindUpVectorEnv
from tests.envs.bots import ByHand, choose_all, choose_by
from tests.envs.playing import arrays_of

ID = "MindUp-v0"
TABLES: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 3, "num_objectives": 2},
    {"num_players": 6, "num_objectives": 5, "seat": 5},
    {"num_players": 4, "num_rounds": 2, "hand_size": 2, "seat": 0},
]
tables = pytest.mark.parametrize("table", TABLES, ids=str)

# Five turns, so that episodes end soon.
SHORT: dict[str, Any] = {"num_players": 3, "num_objectives": 1, "num_rounds": 2, "hand_size": 3}
CONFIG = GameConfig(**SHORT)


def single(**arguments: Any) -> Any:
    return gymnasium.make(ID, **arguments)


def vector(num_envs: int = 3, **arguments: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs=num_envs, **{**SHORT, **arguments})


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.usefixtures("no_screen")
@tables
def test_gymnasiums_checker_accepts_the_single_form(table: dict[str, Any]) -> None:
    check_env(gymnasium.make(ID, **table).unwrapped)


@tables
def test_the_single_form_is_made_by_name(table: dict[str, Any]) -> None:
    env = single(**table)
    assert isinstance(env.unwrapped, MindUpEnv)
    assert isinstance(env.action_space, Discrete) and env.action_space.n == 60
    seen, info = env.reset(seed=8)
    for _ in range(3):
        assert seen in env.observation_space
        assert info["seat"] == table.get("seat", info["seat"]) < table["num_players"]
        hand = env.unwrapped.game.hand(info["seat"])
        assert np.flatnonzero(seen["action_mask"]).tolist() == [card - 1 for card in hand]
        seen, reward, over, truncated, info = env.step(choose_by(seen["action_mask"]))
        assert type(reward) is float and type(over) is bool and truncated is False


@pytest.mark.parametrize("num_envs", [1, 5])
@tables
def test_the_vector_form_is_made_by_name(table: dict[str, Any], num_envs: int) -> None:
    env: Any = gymnasium.make_vec(ID, num_envs=num_envs, **table)
    alone = single(**table)
    assert isinstance(env, MindUpVectorEnv) and isinstance(env, VectorEnv)
    assert env.num_envs == num_envs
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.single_observation_space == alone.observation_space
    assert env.single_action_space == alone.action_space
    assert env.action_space == MultiDiscrete([60] * num_envs)
    size = alone.observation_space["observation"].shape[0]
    assert isinstance(env.observation_space, Dict)
    for name, width in (("observation", size), ("action_mask", 60)):
        part = env.observation_space[name]
        assert isinstance(part, Box) and part.shape == (num_envs, width) and part.dtype == np.int8


def test_shapes_and_kinds_of_the_vector_form() -> None:
    env = vector(4)
    seen, info = env.reset(seed=8)
    for turn in range(1, 2 * CONFIG.num_turns + 1):
        assert seen in env.observation_space
        assert info["seat"].shape == (4,) and np.issubdtype(info["seat"].dtype, np.integer)
        seats = info["seat"].tolist()
        seen, rewards, terminations, truncations, info = env.step(choose_all(seen["action_mask"]))
        assert (rewards.shape, rewards.dtype) == ((4,), np.float32)
        assert (terminations.shape, terminations.dtype) == ((4,), np.bool_)
        assert (truncations.shape, truncations.dtype) == ((4,), np.bool_)
        over = turn % CONFIG.num_turns == 0
        assert terminations.tolist() == [over] * 4 and not truncations.any()
        names = {"points_gained", "illegal_actions", "seat"}
        results = {"score", "rank", "win_share"}
        at_the_end = results | {"final_obs", "_final_obs", "final_info", "_final_info"}
        assert set(info) == (names | at_the_end if over else names)
        if over:
            assert info["_final_obs"].tolist() == info["_final_info"].tolist() == [True] * 4
            assert set(info["final_info"]) == names | results
            assert info["final_info"]["seat"].tolist() == seats
            assert not any(seen_last["action_mask"].any() for seen_last in info["final_obs"])


NAMES = {
    **{name: name for name in ("points_gained", "illegal_actions", "win_share")},
    "scores": "score",
    "ranks": "rank",
}
"""Of all seats, and of the learner's."""


@pytest.mark.parametrize("seat", [0, 2, "random"])
def test_learners_see_and_get_what_is_their_seats(seat: int | str) -> None:
    bots = [ByHand(CONFIG)]
    env = vector(seat=seat, opponents=bots, reward="margin+win")
    batch = BatchEnv(CONFIG, 3, reward="margin+win", copy=True)
    (seen, info), (all_seen, _) = env.reset(seed=8), batch.reset(seed=8)
    for _ in range(3 * CONFIG.num_turns):
        own = range(3), info["seat"].tolist()
        assert_equal(seen, {name: all_seen[name][own] for name in all_seen})
        assert seat in ("random", *info["seat"].tolist())
        seen, rewards, over, _, info = env.step(choose_all(seen["action_mask"]))
        all_seen, all_rewards, _, _, all_info = batch.step(choose_all(all_seen["action_mask"]))
        assert rewards.tolist() == all_rewards[own].tolist()
        for name, own_name in NAMES.items():
            assert (own_name in info) == (name in all_info)
            assert name not in all_info or info[own_name].tolist() == all_info[name][own].tolist()
        if over.all():
            final = all_info["final_observation"]
            for index, row in enumerate(zip(*own, strict=True)):
                expected = {name: final[name][row] for name in final}
                assert_equal(info["final_obs"][index], expected)
    assert [env.game(index) for index in range(3)] == [batch.game(index) for index in range(3)]


def assert_equal(one: Any, other: Any) -> None:
    assert data_equivalence(one, other, exact=True)


@pytest.mark.parametrize("seat", [1, "random"])
def test_the_single_form_is_the_first_table_of_the_vector_form(seat: int | str) -> None:
    arguments = {**SHORT, "seat": seat, "reward": "margin+win"}
    env, many = single(**arguments), vector(**arguments)
    (seen, info), (all_seen, all_info) = env.reset(seed=8), many.reset(seed=8)
    for _ in range(4 * CONFIG.num_turns):
        assert_equal(seen, {name: all_seen[name][0] for name in all_seen})
        assert info["seat"] == all_info["seat"][0]
        assert env.unwrapped.game == many.game(0)
        all_seen, all_rewards, all_over, _, all_info = many.step(
            choose_all(all_seen["action_mask"])
        )
        seen, reward, over, _, info = env.step(choose_by(seen["action_mask"]))
        assert (reward, over) == (all_rewards[0], all_over[0])
        for name in {"points_gained", "illegal_actions", "score"} & set(all_info):
            assert info[name] == all_info[name][0]
        if over:
            assert_equal(seen, all_info["final_obs"][0])
            assert info["score"] == env.unwrapped.game.scores[info["seat"]]
            seen, info = env.reset()


def test_what_was_returned_can_be_changed() -> None:
    env, spoiled = vector(), vector()
    answers = [env.reset(seed=8), spoiled.reset(seed=8)]
    kept = []
    for _ in range(2 * CONFIG.num_turns + 1):
        assert_equal(answers[0], answers[1])
        actions = choose_all(answers[0][0]["action_mask"])
        kept += [(array, array.copy()) for array in arrays_of(answers[0])]
        for array in arrays_of(answers[1]):
            array[...] = 99
        answers = [form.step(actions.copy()) for form in (env, spoiled)]
    assert all(np.array_equal(array, before) for array, before in kept)


@pytest.mark.parametrize("make", [single, vector])
def test_options_of_other_forms_are_refused(make: Any) -> None:
    env = make()
    with pytest.raises(ValueError, match=r"deal by seed only; the reset options \['deal'\]"):
        env.reset(options={"deal": {}})
    env.reset(options={"of another wrapper": 1})


def test_gymnasium_keeps_statistics_of_the_episodes() -> None:
    env = RecordEpisodeStatistics(vector(reward="score"))
    seen, _ = env.reset(seed=8)
    for _ in range(CONFIG.num_turns):
        seen, _, _, _, info = env.step(choose_all(seen["action_mask"]))
    assert info["episode"]["l"].tolist() == [CONFIG.num_turns] * 3
    assert info["episode"]["r"].tolist() == info["score"].tolist()


def test_it_resets_as_gymnasiums_own_vector_of_single_forms_does() -> None:
    own = vector(1)
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    theirs = vector(1, vectorization_mode="sync", vector_kwargs=same_step)
    (seen, info), (their_seen, their_info) = own.reset(seed=8), theirs.reset(seed=8)
    for _ in range(2 * CONFIG.num_turns + 1):
        assert_equal(seen, their_seen)
        for name in ("seat", "final_obs", "_final_obs"):
            assert_equal(info.get(name), their_info.get(name))
        actions = choose_all(seen["action_mask"])
        seen, rewards, *ended, info = own.step(actions)
        their_seen, their_rewards, *their_ended, their_info = theirs.step(actions)
        assert rewards.tolist() == their_rewards.tolist()
        assert_equal(ended, their_ended)


def test_the_number_of_threads_is_an_argument() -> None:
    with pytest.raises(ValueError, match=r"num_threads must be 1 to .*, not 0, or 'all'"):
        vector(num_threads=0)


def test_a_game_of_one_round_is_made_without_a_warning() -> None:
    gymnasium.make(ID, num_players=2, num_rounds=1)
