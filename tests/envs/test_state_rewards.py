"""Rewards that see the full state before and after each turn."""

import copy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import BatchEnv, GameConfig, IllegalActionWarning, mindup_v0
from mindup_env.observation import state_layout_of
from mindup_env.rewards import Transition
from tests.envs.playing import SHORT, lowest_legal, random_legal

Rewards = npt.NDArray[np.floating]


class Recorder:
    """Keeps what it is given; rewards the growth of the longest column."""

    def __init__(self) -> None:
        self.asked: list[Transition] = []

    def compute_rewards(self, transition: Transition) -> Rewards:
        self.asked.append(copy.deepcopy(transition))
        return growth(transition)


def growth(transition: Transition) -> Rewards:
    longest = [state["counts"].max(axis=2) for state in (transition.before, transition.after)]
    grown: Rewards = np.subtract(longest[1], longest[0], dtype=np.float32)
    return grown


@pytest.mark.parametrize("autoreset", [True, False])
def test_it_sees_the_state_before_and_after_each_turn(*, autoreset: bool) -> None:
    reward, chance = Recorder(), np.random.default_rng(4)
    env = BatchEnv(SHORT, 5, reward=reward, autoreset=autoreset)
    beside = BatchEnv(SHORT, 5, autoreset=False)
    layout = state_layout_of(SHORT)
    env.reset(seed=4)
    beside.reset(seed=4)
    for turn in range(2 * SHORT.num_turns):
        if autoreset and turn == SHORT.num_turns:
            beside.reset()
        before = layout.views(beside.state().copy())
        actions = random_legal(env.seen, chance)
        _, rewards, over, _, info = env.step(actions)
        beside.step(actions)
        asked, after = reward.asked[-1], layout.views(beside.state())
        assert len(reward.asked) == turn + 1
        assert_equal(asked.before, before)
        assert_equal(asked.after, after)
        assert np.array_equal(asked.points_gained, info["points_gained"])
        assert np.array_equal(asked.over, over)
        if over.any():
            assert np.array_equal(asked.win_share, info["win_share"])
            assert not asked.after["hands"].any(), "the last state, not that of the next deal"
        finished = not autoreset and turn >= SHORT.num_turns
        assert np.array_equal(rewards, np.zeros((5, 3)) if finished else growth(asked))
    assert rewards.any() or not autoreset


def assert_equal(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert given.keys() == expected.keys()
    for name, array in expected.items():
        assert np.array_equal(given[name], array), name


def test_games_that_end_apart_have_their_own_last_states() -> None:
    reward = Recorder()
    env, chance = BatchEnv(SHORT, 2, reward=reward), np.random.default_rng(1)
    env.reset(seed=1)
    dealt = env.get_state([1])
    for _ in range(SHORT.num_turns - 1):
        env.step(random_legal(env.seen, chance))
    env.set_state([1], dealt)
    _, _, over, _, info = env.step(lowest_legal(env.seen))
    last = reward.asked[-1].after
    assert over.tolist() == [True, False]
    assert not last["hands"][0].any() and last["hands"][1].any()
    now = state_layout_of(SHORT).views(env.state())
    assert np.array_equal(now["row"][1], last["row"][1]), "this game goes on"
    final = env.layout.views(info["final_observation"]["observation"])
    assert np.array_equal(final["round_scores"][0, 0], last["round_scores"][0])
    assert last["round_scores"][0].any() and not now["round_scores"][0].any()


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
def test_every_api_accepts_it() -> None:
    table: dict[str, Any] = {"num_players": 3}
    learner = {**table, "opponents": ["lowest"], "seat": 0}
    batch = BatchEnv(GameConfig(**table), reward=Recorder())
    parallel = mindup_v0.parallel_env(**table, reward=Recorder())
    turn_based = mindup_v0.env(**table, reward=Recorder())
    single = gymnasium.make("MindUp-v0", **learner, reward=Recorder())
    vector = gymnasium.make_vec("MindUp-v0", num_envs=1, **learner, reward=Recorder())
    for env in (batch, parallel, turn_based, single, vector):
        env.reset(seed=4)
    received = []
    for _ in range(batch.config.num_turns):
        actions = lowest_legal(batch.seen)
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
    assert len({*received}) > 1


def test_an_illegal_action_costs_one_point_here_too() -> None:
    env, beside = BatchEnv(SHORT, 2, reward=Recorder()), BatchEnv(SHORT, 2, reward=Recorder())
    env.reset(seed=3)
    beside.reset(seed=3)
    actions = lowest_legal(env.seen)
    expected = beside.step(actions)[1]
    actions[1, 2] = -1  # the lowest card is played
    with pytest.warns(IllegalActionWarning):
        rewards = env.step(actions)[1]
    assert (expected - rewards).tolist() == [[0, 0, 0], [0, 0, 1]]


def test_a_copied_environment_has_states_of_its_own() -> None:
    env = BatchEnv(SHORT, 2, reward=Recorder())
    env.reset(seed=3)
    env.step(lowest_legal(env.seen))
    twin = copy.deepcopy(env)
    chance = np.random.default_rng(1)
    for _ in range(SHORT.num_turns):
        actions = random_legal(env.seen, chance)
        assert np.array_equal(env.step(actions)[1], twin.step(actions)[1])


def test_what_it_sees_cannot_be_changed() -> None:
    class Careless:
        def compute_rewards(self, transition: Transition) -> Rewards:
            transition.after["hands"][:] = 0
            return transition.points_gained

    env = BatchEnv(SHORT, reward=Careless())
    env.reset(seed=3)
    with pytest.raises(ValueError, match="read-only"):
        env.step(lowest_legal(env.seen))


def test_a_class_in_the_place_of_its_object_is_refused() -> None:
    with pytest.raises(ValueError, match=r"an object of the class Recorder: Recorder\(\), not"):
        BatchEnv(SHORT, reward=Recorder)  # type: ignore[arg-type]


def test_another_result_is_refused() -> None:
    class Total:
        def compute_rewards(self, transition: Transition) -> Any:
            return transition.points_gained.sum(axis=1)

    env = BatchEnv(SHORT, 2, reward=Total())
    env.reset(seed=3)
    with pytest.raises(ValueError, match=r"numbers of shape \(2, 3\) \(games, players\)"):
        env.step(lowest_legal(env.seen))
