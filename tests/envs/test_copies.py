"""A copy of a running environment is exact, goes on alike and alone."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import data_equivalence

from mindup_env import GameConfig, IllegalActionWarning, mindup_v0
from mindup_env.render.pygame_extra import pygame
from tests.envs.bots import ByHand, choose_by

TABLE: dict[str, Any] = {"num_players": 3, "num_objectives": 1, "reward": "margin+win"}


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


copies = pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
Copied = Callable[[Any], Any]


def parallel_trace(env: Any) -> list[Any]:
    """All that is seen to the end of this game and of the next."""
    trace: list[Any] = [env.unwrapped.game.to_dict(), env.agents[:]]
    for _ in range(2):
        while env.agents:
            trace.append(env.state())
            actions = {agent: choose_by(env.observe(agent)["action_mask"]) for agent in env.agents}
            trace.append(env.step(actions))
        trace.append(env.reset())
    return trace


def turn_based_trace(env: Any) -> list[Any]:
    trace: list[Any] = [env.unwrapped.game.to_dict(), env.agents[:]]
    for _ in range(2):
        while env.agents:
            seen, *rest = env.last()
            trace += [env.agent_selection, seen, *copy.deepcopy(rest), env.rewards.copy()]
            env.step(None if rest[1] else choose_by(seen["action_mask"]))
        env.reset()
    return trace


@copies
@pytest.mark.parametrize("turns", [0, 1, 7, 20])
def test_the_parallel_form(copied: Copied, turns: int) -> None:
    env = mindup_v0.parallel_env(**TABLE)
    env.reset(seed=4)
    for _ in range(turns):
        env.step({agent: choose_by(env.observe(agent)["action_mask"]) for agent in env.agents})
    assert_goes_on_alike_and_alone(env, copied(env), parallel_trace)


@copies
@pytest.mark.parametrize("make", [mindup_v0.env, mindup_v0.raw_env])
@pytest.mark.parametrize("steps", [0, 2, 4, 59, 61])  # with choices open, and players leaving
def test_the_turn_based_form(copied: Copied, make: Any, steps: int) -> None:
    env = make(**TABLE)
    env.reset(seed=4)
    for _ in range(steps):
        seen, _, over, _, _ = env.last()
        env.step(None if over else choose_by(seen["action_mask"]))
    assert_goes_on_alike_and_alone(env, copied(env), turn_based_trace)


def assert_goes_on_alike_and_alone(
    env: Any, twin: Any, trace_of: Callable[[Any], list[Any]]
) -> None:
    assert type(twin) is type(env)
    before = env.unwrapped.game
    trace = trace_of(twin)
    assert env.unwrapped.game == before, "the copy plays alone"
    assert data_equivalence(trace_of(env), trace, exact=True)


@copies
@pytest.mark.parametrize("decisions", [0, 3, 20])
def test_a_learner_among_bots(copied: Copied, decisions: int) -> None:
    env = gymnasium.make("MindUp-v0", opponents=["random"], **TABLE)
    seen, _ = env.reset(seed=4)
    for _ in range(decisions):
        seen, *_ = env.step(choose_by(seen["action_mask"]))
    twin = copied(env)
    traces = []
    for form in (env, twin):
        mask, trace = seen["action_mask"], []
        for _ in range(60):
            trace.append(form.step(choose_by(mask)) if mask.any() else form.reset())
            mask = trace[-1][0]["action_mask"]
        traces.append(trace)
    assert data_equivalence(traces[0], traces[1], exact=True)


@copies
def test_learners_at_many_tables(copied: Copied) -> None:
    config = GameConfig(num_players=3, num_objectives=1)
    opponents = ["random", ByHand(config)]
    env = gymnasium.make_vec("MindUp-v0", num_envs=3, opponents=opponents, **TABLE)
    seen, _ = env.reset(seed=4)
    for decision in range(60):
        if decision % 13 == 12:
            twin = copied(env)
            assert type(twin) is type(env)
            env, twin = twin, env
            answers = [form.step(seen["action_mask"].argmax(axis=1)) for form in (env, twin)]
            assert data_equivalence(answers[0], answers[1], exact=True)
        else:
            answers = [env.step(seen["action_mask"].argmax(axis=1))]
        seen = answers[0][0]


@copies
def test_a_copy_warns_of_illegal_actions_no_second_time(copied: Copied) -> None:
    env = mindup_v0.parallel_env(**TABLE)
    env.reset(seed=4)
    with pytest.warns(IllegalActionWarning):
        env.step(dict.fromkeys(env.agents, -1))
    copied(env).step(dict.fromkeys(env.agents, -1))


@copies
@pytest.mark.usefixtures("no_screen")
def test_a_copy_opens_a_window_of_its_own(copied: Copied) -> None:
    env = mindup_v0.parallel_env(render_mode="human", **TABLE)
    env.reset(seed=4)
    assert pygame.display.get_init()
    twin = copied(env)
    env.close()
    assert not pygame.display.get_init()
    assert twin.render() is None
    assert pygame.display.get_init()
    twin.close()
