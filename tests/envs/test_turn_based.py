"""The form in which one player acts at a time: the same game, with choices face down."""

import copy
import random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from mindup_env import Game, GameConfig, mindup_v0
from tests.envs.bots import choose_by

TABLES: list[dict[str, Any]] = [
    {"num_players": 2, "num_rounds": 2, "hand_size": 2},
    {"num_players": 3, "num_objectives": 1},
    {"num_players": 6, "num_objectives": 5},
]
tables = pytest.mark.parametrize("table", TABLES, ids=str)


def dealt(seed: int = 7, **arguments: Any) -> Any:
    env = mindup_v0.env(**{"num_players": 3, **arguments})
    env.reset(seed=seed)
    return env


def choice(env: Any) -> int | None:
    """What the agent to act does: nothing if the game is over."""
    seen, _, over, _, _ = env.last()
    return None if over else choose_by(seen["action_mask"])


def on_the_table(env: Any) -> Any:
    """All that the agents may look at while they choose."""
    return copy.deepcopy(
        {
            "observations": {agent: env.observe(agent) for agent in env.possible_agents},
            "infos": env.infos,
            "terminations": env.terminations,
            "truncations": env.truncations,
            "state": env.state(),
            "agents": env.agents,
            "plays": env.unwrapped.game.plays,
        }
    )


def paid(env: Any) -> Any:
    return copy.deepcopy((env.rewards, env.unwrapped._cumulative_rewards))


@tables
@pytest.mark.parametrize("reward", ["win", "score"])
def test_a_choice_is_not_seen_before_all_are_made(table: dict[str, Any], reward: str) -> None:
    env = dealt(**table, reward=reward)
    chance = random.Random(3)
    while not any(env.terminations.values()):
        before, other = on_the_table(env), copy.deepcopy(env)
        for agent in env.agents[:-1]:
            hand = np.flatnonzero(env.observe(agent)["action_mask"]).tolist()
            for form, card in zip((env, other), chance.sample(hand, 2), strict=True):
                assert form.agent_selection == agent
                form.step(card)
                assert data_equivalence(on_the_table(form), before, exact=True)
            assert paid(env) == paid(other)
        env.step(choice(env))
        assert len(env.unwrapped.game.plays) == len(before["plays"]) + 1


@tables
@pytest.mark.parametrize("reward", ["win", "margin+win"])
def test_it_is_the_game_of_the_parallel_form(table: dict[str, Any], reward: str) -> None:
    env, parallel = dealt(**table, reward=reward), mindup_v0.parallel_env(**table, reward=reward)
    _, infos = parallel.reset(seed=7)
    assert data_equivalence(env.infos, infos, exact=True)
    rewards = dict.fromkeys(env.agents, 0.0)
    for _ in range(GameConfig(**table).num_turns):
        actions = {}
        for agent in parallel.agents:
            assert env.agent_selection == agent
            seen, reward_since, *ended, info = env.last()
            assert data_equivalence(seen, parallel.observe(agent), exact=True)
            assert (reward_since, ended, info) == (rewards[agent], [False, False], infos[agent])
            actions[agent] = choose_by(seen["action_mask"])
            assert env.step(actions[agent]) is None
        _, rewards, terminations, truncations, infos = parallel.step(actions)
        assert env.rewards == rewards and env.infos == infos
        assert (env.terminations, env.truncations) == (terminations, truncations)
        assert np.array_equal(env.state(), parallel.state())
        assert env.unwrapped.game == parallel.game
    assert parallel.game.over


def test_rewards_are_those_of_the_turn_just_played() -> None:
    env = dealt(reward="score")
    for _ in range(3):
        env.step(choice(env))
    assert any(env.rewards.values())
    env.step(choice(env))
    assert env.rewards == dict.fromkeys(env.agents, 0), "no turn was played"


def test_when_the_game_is_over_every_agent_steps_once_more_without_an_action() -> None:
    env = dealt(reward="score")
    totals = dict.fromkeys(env.agents, 0.0)
    order = []
    for agent in env.agent_iter():
        order.append(agent)
        totals[agent] += env.last()[1]
        env.step(choice(env))
    game = env.unwrapped.game
    assert order == env.possible_agents * (game.config.num_turns + 1)
    assert game.over and list(totals.values()) == list(game.scores)
    assert env.agents == [] and env.num_agents == 0
    for left in (env.rewards, env.terminations, env.truncations, env.infos):
        assert left == {}


def test_an_agent_whose_game_is_over_cannot_play_a_card() -> None:
    env = dealt()
    while not any(env.terminations.values()):
        env.step(choice(env))
    assert all(env.terminations.values()) and env.agent_selection == "player_0"
    seen, _, over, truncated, info = env.last()
    assert over and not truncated and not seen["action_mask"].any()
    assert {"score", "rank", "win_share"} <= set(info)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    env.step(None)
    assert env.agents == ["player_1", "player_2"] and env.agent_selection == "player_1"


def test_an_agent_who_plays_cannot_pass() -> None:
    env = dealt()
    env.step(choice(env))
    with pytest.raises(ValueError, match="action of player_1 must be a whole number, not None"):
        env.step(None)
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("steps", [1, 2, 5, 57, 59])
def test_a_reset_forgets_the_choices_made(steps: int) -> None:
    env = dealt()
    for _ in range(steps):
        env.step(choice(env))
    env.reset()
    assert env.unwrapped.game == Game(GameConfig(num_players=3), 7, episode=1)
    assert env.agents == env.possible_agents and env.agent_selection == "player_0"
    assert set(env.rewards.values()) == {0.0} and env.last()[1] == 0
    for _ in range(3):
        assert env.unwrapped.game.plays == ()
        env.step(choice(env))
    assert len(env.unwrapped.game.plays) == 1


@pytest.mark.parametrize("name", ["agents", "rewards", "infos", "agent_selection"])
def test_nothing_can_be_asked_before_the_first_reset(name: str) -> None:
    with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
        getattr(mindup_v0.env(), name)
