"""A copy of a running environment goes on alike and alone."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import data_equivalence

from mindup_env import BatchEnv, GameConfig, mindup_v0
from tests.envs.apis import choices, play_turn
from tests.envs.bots import ByHand, choose_by
from tests.envs.playing import SHORT, everything, lowest_legal

TABLE: dict[str, Any] = {"num_players": 3, "num_objectives": 1, "reward": "margin+win"}
CONFIG = GameConfig(num_players=3, num_objectives=1)
OPPONENTS = ["random", ByHand(CONFIG)]


def play_batch(env: Any) -> Any:
    answer = env.step(lowest_legal(env.seen))
    return everything(answer), env.keys.tolist()


def play_parallel(env: Any) -> Any:
    if not env.agents:
        return env.reset()
    return *play_turn(env, choices(env)), env.state()


def play_turn_based(env: Any) -> Any:
    if not env.agents:
        env.reset()
    answer = copy.deepcopy((env.agent_selection, env.agents, env.rewards, env.last()))
    seen, _, over, _, _ = env.last()
    env.step(None if over else choose_by(seen["action_mask"]))
    return answer


def play_vector(env: Any) -> Any:
    return env.step(env.action_masks().argmax(axis=1))


def play_single(env: Any) -> Any:
    mask = env.get_wrapper_attr("action_masks")()
    return env.step(int(mask.argmax())) if mask.any() else env.reset()


APIS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], int]] = {
    "batch": (lambda: BatchEnv(SHORT, 3, reward="margin+win"), play_batch, 3),
    "finished": (lambda: BatchEnv(SHORT, 3, autoreset=False), play_batch, SHORT.num_turns),
    "parallel": (lambda: mindup_v0.parallel_env(**TABLE), play_parallel, 7),
    "choices open": (lambda: mindup_v0.env(**TABLE), play_turn_based, 59),
    "players leaving": (lambda: mindup_v0.env(**TABLE), play_turn_based, 61),
    "vector": (
        lambda: gymnasium.make_vec("MindUp-v0", num_envs=3, opponents=OPPONENTS, **TABLE),
        play_vector,
        9,
    ),
    "single": (lambda: gymnasium.make("MindUp-v0", opponents=OPPONENTS, **TABLE), play_single, 20),
}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(("make", "play", "steps"), APIS.values(), ids=APIS)
def test_a_copy_goes_on_alike_and_alone(make: Any, play: Any, steps: int, copied: Any) -> None:
    env = make()
    env.reset(seed=4)
    for _ in range(steps):
        play(env)
    twin, again = copied(env), copied(env)
    assert type(twin) is type(env)
    told = [copy.deepcopy(play(twin)) for _ in range(70)]
    for each in (env, again):
        assert data_equivalence([copy.deepcopy(play(each)) for _ in range(70)], told, exact=True)
