"""What the environments of PettingZoo make of actions that are illegal, or no actions at all."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mindup_env import Game, GameConfig, IllegalActionWarning, mindup_v0
from mindup_env.envs.parallel import Observation
from tests.envs.bots import choose_by

NO_ACTIONS = [1.0, np.float32(3), True, "3", None, [3], np.array([3])]
ILLEGAL = [None, -1, 60, 2**63 - 1, 2**63, 2**70, -(2**70)]  # None for one that another hand holds


Make = Callable[..., Any]
PerAgent = dict[str, Any]


def play_parallel(env: Any, actions: list[Any]) -> tuple[PerAgent, PerAgent]:
    _, rewards, _, _, infos = env.step(dict(zip(env.agents, actions, strict=True)))
    return rewards, infos


def play_turn_based(env: Any, actions: list[Any]) -> tuple[PerAgent, PerAgent]:
    for action in actions:
        env.step(action)
    return env.rewards, env.infos


Play = Callable[[Any, list[Any]], tuple[PerAgent, PerAgent]]
FORMS: list[tuple[Make, Play]] = [
    (mindup_v0.parallel_env, play_parallel),
    (mindup_v0.env, play_turn_based),
]
forms = pytest.mark.parametrize(("make", "play"), FORMS, ids=["parallel", "turn_based"])


def dealt(make: Make, **arguments: Any) -> Any:
    env = make(num_players=3, **arguments)
    env.reset(seed=7)
    return env


def choices(env: Any) -> list[int]:
    return [choose_by(env.observe(agent)["action_mask"]) for agent in env.agents]


def outside_hand(seen: Observation) -> int:
    return int(seen["action_mask"].argmin())


@forms
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused_with_its_agent(make: Make, play: Play, action: Any) -> None:
    env = dealt(make)
    first, _, last = choices(env)
    with pytest.raises(ValueError, match="action of player_1 must be a whole number"):
        play(env, [first, action, last])
    assert env.unwrapped.game == Game(GameConfig(num_players=3), 7)


@forms
@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.uint64, np.array])
def test_every_kind_of_whole_number_is_an_action(make: Make, play: Play, kind: Any) -> None:
    env, other = dealt(make), dealt(make)
    play(env, [kind(action) for action in choices(env)])
    play(other, choices(other))
    assert env.unwrapped.game == other.unwrapped.game


@forms
@pytest.mark.parametrize("action", ILLEGAL, ids=repr)
def test_illegal_actions_are_penalised_and_counted(
    make: Make, play: Play, action: int | None
) -> None:
    env = dealt(make, reward="score")
    chosen = outside_hand(env.observe("player_2")) if action is None else action
    with pytest.warns(IllegalActionWarning, match="player 2 took action") as warned:
        play_and_check_penalties(env, play, chosen, turns=3)
    assert len(warned) == 1, "it is said only once"
    env.reset()
    _, infos = play(env, choices(env))
    assert infos["player_2"]["illegal_actions"] == 0, "a new game is a new count"


def play_and_check_penalties(env: Any, play: Play, chosen: int, turns: int) -> None:
    for turn in range(1, turns + 1):
        before = env.unwrapped.game
        first, second, _ = choices(env)
        rewards, infos = play(env, [first, second, chosen])
        assert env.unwrapped.game.plays[-1] == (first + 1, second + 1, before.hand(2)[0])
        assert [info["illegal_actions"] for info in infos.values()] == [0, 0, turn]
        paid = [rewards[agent] - infos[agent]["points_gained"] for agent in infos]
        assert paid == [0, 0, -1]


def test_illegal_actions_can_be_refused() -> None:
    env = dealt(mindup_v0.parallel_env, illegal_action="raise")
    before, right = env.game, choices(env)
    wrong = outside_hand(env.observe("player_0"))
    with pytest.raises(ValueError, match=f"player_0 cannot take action {wrong}; legal are"):
        play_parallel(env, [wrong, *right[1:]])
    assert env.game == before
    play_parallel(env, right)
    assert env.game.plays == (tuple(action + 1 for action in right),)


def test_illegal_choices_can_be_refused_and_made_again() -> None:
    env = dealt(mindup_v0.env, illegal_action="raise")
    right, wrong = choices(env), outside_hand(env.observe("player_0"))
    with pytest.raises(ValueError, match=f"player_0 cannot take action {wrong}; legal are"):
        env.step(wrong)
    assert env.agent_selection == "player_0"
    play_turn_based(env, right)
    assert env.unwrapped.game.plays == (tuple(action + 1 for action in right),)
