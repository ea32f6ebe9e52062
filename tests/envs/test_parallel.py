"""The form in which all players act at once: its results, its errors and its end."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from mindup_env import Game, mindup_v0
from mindup_env.envs.parallel import ParallelMindUp
from tests.envs.bots import choose_by
from tests.envs.playing import points, ranks, win_share

TABLES: list[dict[str, Any]] = [
    {"num_players": 2, "num_rounds": 2, "hand_size": 2},
    {"num_players": 3, "num_objectives": 1},
    {"num_players": 6, "num_objectives": 5},
]
tables = pytest.mark.parametrize("table", TABLES, ids=str)


def dealt(seed: int = 7, **arguments: Any) -> ParallelMindUp:
    env = mindup_v0.parallel_env(**{"num_players": 3, **arguments})
    env.reset(seed=seed)
    return env


def choices(env: ParallelMindUp) -> dict[str, int]:
    return {agent: choose_by(env.observe(agent)["action_mask"]) for agent in env.agents}


def steps(env: ParallelMindUp) -> Iterator[tuple[Game, Any, Game]]:
    """The game before, what the step returned, and the game after it, to the end."""
    while env.agents:
        before = env.game
        yield before, env.step(choices(env)), env.game


@tables
def test_every_step_tells_every_agent_of_the_game(table: dict[str, Any]) -> None:
    env = dealt(**table, reward="score")
    agents = env.possible_agents
    for before, (seen, rewards, terminations, truncations, infos), after in steps(env):
        for answer in (seen, rewards, terminations, truncations, infos):
            assert list(answer) == agents
        gained = points(after) - points(before)
        assert [rewards[agent] for agent in agents] == gained.tolist()
        assert all(type(reward) is float for reward in rewards.values())
        assert set(terminations.values()) == {after.over}
        assert set(truncations.values()) == {False}
        for player, agent in enumerate(agents):
            assert data_equivalence(seen[agent], env.observe(agent), exact=True)
            assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == [
                card - 1 for card in after.hand(player)
            ]
            assert infos[agent]["points_gained"] == gained[player]


@tables
def test_infos_of_the_ends_of_rounds_and_of_the_game(table: dict[str, Any]) -> None:
    env = dealt(**table)
    rounds = 0
    for before, (_, rewards, _, _, infos), after in steps(env):
        known = {"points_gained", "illegal_actions"}
        if len(after.round_scores) > len(before.round_scores):
            rounds += 1
            known.add("round_score")
            for score, agent in zip(after.round_scores[-1], env.possible_agents, strict=True):
                assert infos[agent]["round_score"] == {**score._asdict(), "total": score.total}
        if after.over:
            known |= {"score", "rank", "win_share"}
            ended = [infos[agent] for agent in env.possible_agents]
            assert [info["score"] for info in ended] == list(after.scores)
            assert [info["rank"] for info in ended] == ranks(after)
            shares = [info["win_share"] for info in ended]
            assert shares == pytest.approx(win_share(after))
            least = 1 / len(ended)
            assert list(rewards.values()) == pytest.approx([share - least for share in shares])
        else:
            assert set(rewards.values()) == {0.0}
        assert all(set(info) == known for info in infos.values())
    assert rounds == env.config.num_rounds


def test_infos_are_plain_numbers() -> None:
    for _, (*_, infos), _ in steps(dealt()):
        for name, value in infos["player_1"].items():
            parts = value.values() if name == "round_score" else [value]
            assert {type(part) for part in parts} <= {int, float}


def test_after_the_end_there_is_nothing_more() -> None:
    env = dealt()
    for _ in steps(env):
        pass
    over = env.game
    assert over.over and env.agents == []
    for actions in ({}, dict.fromkeys(env.possible_agents, 0)):
        assert env.step(actions) == ({}, {}, {}, {}, {})
    assert env.game == over
    assert not env.observe("player_0")["action_mask"].any()
    env.reset()
    assert env.agents == env.possible_agents and env.game == Game(env.config, 7, episode=1)


def spoil(answer: Any) -> None:
    """Overwrites all that can be reached in an answer."""
    if isinstance(answer, np.ndarray):
        answer[...] = -1
    elif isinstance(answer, dict):
        for part in answer.values():
            spoil(part)
        answer.clear()
    elif isinstance(answer, tuple):
        for part in answer:
            spoil(part)


def test_what_was_returned_can_be_changed_and_later_steps_leave_it() -> None:
    env, spoiled = (mindup_v0.parallel_env(num_players=3, num_objectives=1) for _ in range(2))
    kept: list[Any] = []
    for episode in range(2):
        seed = None if episode else 3
        answers: list[Any] = [env.reset(seed=seed), spoiled.reset(seed=seed)]
        while True:
            answers += [env.state(), spoiled.state()]
            for agent in env.possible_agents:
                answers += [env.observe(agent), spoiled.observe(agent)]
            assert data_equivalence(answers[::2], answers[1::2], exact=True)
            kept.append((answers[::2], [as_bytes(answer) for answer in answers[::2]]))
            for answer in answers[1::2]:
                spoil(answer)
            if not env.agents:
                break
            actions = choices(env)
            answers = [env.step(actions), spoiled.step(actions)]
    for answers_then, bytes_then in kept:
        assert [as_bytes(answer) for answer in answers_then] == bytes_then


def as_bytes(answer: Any) -> Any:
    if isinstance(answer, np.ndarray):
        return answer.tobytes()
    if isinstance(answer, dict):
        return {name: as_bytes(part) for name, part in answer.items()}
    return tuple(map(as_bytes, answer)) if isinstance(answer, tuple) else answer


def test_an_agent_gets_arrays_apart_from_those_of_the_others() -> None:
    seen, _ = mindup_v0.parallel_env(num_players=3).reset(seed=3)
    before = as_bytes(seen["player_1"])
    spoil(seen["player_0"])
    assert as_bytes(seen["player_1"]) == before


@pytest.mark.parametrize("missing", [["player_1"], ["player_0", "player_2"]])
def test_a_missing_agent_is_named(missing: list[str]) -> None:
    env = dealt()
    before, actions = env.game, choices(env)
    for agent in missing:
        del actions[agent]
    with pytest.raises(ValueError, match="missing: ") as error:
        env.step(actions)
    assert str(missing) in str(error.value)
    assert env.game == before
