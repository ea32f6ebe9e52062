"""The same games through every API, in lockstep with a batch."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import data_equivalence

from mindup_env import BatchEnv, GameConfig, mindup_v0
from mindup_env.envs.parallel import ParallelMindUp
from tests.envs.bots import ByHand, choose_all, choose_by

Table = dict[str, Any]  # fields of a GameConfig
SEEN = ("observation", "action_mask")
RESULTS = (
    *("points_gained", "illegal_actions", "round_over", "round_score", "score", "rank"),
    "win_share",
)


OF_PETTINGZOO = mindup_v0.parallel_env, mindup_v0.env


def dealt(make: Any, seed: int = 7, **arguments: Any) -> Any:
    """An environment of PettingZoo after its reset."""
    env = make(**{"num_players": 3, **arguments})
    env.reset(seed=seed)
    return env


def choices(env: Any) -> list[int]:
    """An action of each agent of PettingZoo."""
    return [choose_by(env.observe(agent)["action_mask"]) for agent in env.agents]


def play_turn(env: Any, actions: list[Any]) -> tuple[dict[str, float], dict[str, Any]]:
    """Plays a turn of either environment of PettingZoo; returns rewards and infos."""
    if isinstance(env, ParallelMindUp):
        _, rewards, _, _, infos = env.step(dict(zip(env.agents, actions, strict=True)))
        return rewards, infos
    for action in actions:
        env.step(action)
    return env.rewards, env.infos


def assert_same(one: Any, other: Any) -> None:
    """Of the same values and types, all the way down."""
    assert data_equivalence(one, other, exact=True)


class EveryApi:
    """A BatchEnv of three games, and every other API beside it; all play by ``choose``."""

    def __init__(self, table: Table, seat: int | str = "random", **options: Any) -> None:
        self.config = GameConfig(**table)
        self.batch = BatchEnv(self.config, 3, **options)
        self.parallel = mindup_v0.parallel_env(**table, **options)
        self.turn_based: Any = mindup_v0.env(**table, **options)
        bots = [ByHand(self.config)]
        learner = {**table, **options, "opponents": bots, "seat": seat}
        self.single: Any = gymnasium.make("MindUp-v0", **learner)
        self.vector: Any = gymnasium.make_vec("MindUp-v0", num_envs=3, **learner)
        self.agents = self.parallel.possible_agents

    def reset(self, seed: int | None) -> None:
        """Deals the same games everywhere; a batch and a vector deal the next ones themselves."""
        if seed is not None:
            self.batch.reset(seed)
            self.of_vector, self.vector_info = self.vector.reset(seed=seed)
        self.of_parallel, self.infos = self.parallel.reset(seed=seed)
        self.turn_based.reset(seed=seed)
        self.of_single, self.single_info = self.single.reset(seed=seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)

    @property
    def own(self) -> tuple[range, list[int]]:
        """The places of the learners in arrays (games, seats)."""
        return range(3), self.vector_info["seat"].tolist()

    def check_seen(self) -> None:
        """Each API shows the games, the observations and the states of the batch."""
        seen, states = self.batch.seen, self.batch.state()
        self._check_all_seats({name: seen[name][0] for name in SEEN}, states[0])
        assert_same(self.of_vector, {name: seen[name][self.own] for name in SEEN})
        assert self.of_vector in self.vector.observation_space
        assert_same(self.of_single, {name: self.of_vector[name][0] for name in SEEN})
        assert self.of_single in self.single.observation_space
        assert self.single_info["seat"] == self.vector_info["seat"][0]
        games = [self.batch.game(index) for index in range(3)]
        assert [self.vector.game(index) for index in range(3)] == games
        for env in (self.parallel, self.turn_based, self.single):
            assert env.unwrapped.game == games[0]

    def _check_all_seats(self, seen: dict[str, Any], state: Any) -> None:
        for env in (self.parallel, self.turn_based):
            assert np.array_equal(env.state(), state) and state in env.state_space
            for seat, agent in enumerate(self.agents):
                expected = {name: seen[name][seat] for name in SEEN}
                assert_same(env.observe(agent), expected)
                assert env.observe(agent) in env.observation_space(agent)
                assert_same(self.of_parallel[agent], expected)

    def step(self) -> bool:
        """Plays a turn, and checks what each API returns; whether the games are over."""
        before, own = self.batch.game(0), self.own
        actions = choose_all(self.batch.seen["action_mask"])
        _, rewards, over, _, info = self.batch.step(actions)
        by_agent = dict(zip(self.agents, actions[0].tolist(), strict=True))
        for agent, action in by_agent.items():
            assert self.turn_based.agent_selection == agent
            seen, reward_since, *ended, agent_info = self.turn_based.last()
            assert_same(seen, self.of_parallel[agent])
            assert (reward_since, ended) == (self.rewards[agent], [False, False])
            assert agent_info == self.infos[agent]
            self.turn_based.step(action)
        self.of_parallel, self.rewards, ends, cut, self.infos = self.parallel.step(by_agent)
        assert_same(self.rewards, dict(zip(self.agents, rewards[0].tolist(), strict=True)))
        assert ends == dict.fromkeys(self.agents, bool(over[0]))
        assert cut == dict.fromkeys(self.agents, False)
        env = self.turn_based
        assert (env.rewards, env.terminations) == (self.rewards, ends)
        assert (env.truncations, env.infos) == (cut, self.infos)
        self.check_infos(before, info)

        self.of_single, *single, self.single_info = self.single.step(actions[0, own[1][0]])
        self.of_vector, *vector, self.vector_info = self.vector.step(actions[own])
        assert_same(single, [rewards[own][0].item(), bool(over[0]), False])
        assert_same(vector, [rewards[own], over, np.zeros(3, np.bool_)])
        for name in RESULTS:
            assert (name in self.vector_info) == (name in info)
            if name in info:
                assert np.array_equal(self.vector_info[name], info[name][own])
                assert self.single_info[name] == info[name][own][0].tolist()
        if over.any():
            final = {name: info["final_observation"][name] for name in SEEN}
            expected = [{name: final[name][row] for name in SEEN} for row in zip(*own, strict=True)]
            assert_same(list(self.vector_info["final_obs"]), expected)
            assert self.vector_info["_final_obs"].all() and self.vector_info["_final_info"].all()
            told = self.vector_info["final_info"]
            assert told["seat"].tolist() == own[1]
            assert {*told} == {*RESULTS, "seat"}
            assert_same(self.of_single, expected[0])
            state = self.parallel.state()
            self._check_all_seats({name: final[name][0] for name in SEEN}, state)
        return bool(over[0])

    def check_infos(self, before: Any, info: dict[str, Any]) -> None:
        """What the agents of PettingZoo are told, in plain numbers."""
        after = self.parallel.game
        expected = {
            agent: {name: info[name][0, seat].tolist() for name in RESULTS if name in info}
            for seat, agent in enumerate(self.agents)
        }
        assert_same(self.infos, expected)
        ends_round = len(after.round_scores) > len(before.round_scores)
        for seat, agent in enumerate(self.agents):
            told = self.infos[agent]
            assert {"points_gained", "illegal_actions"} <= told.keys()
            assert not told["illegal_actions"] and ends_round == ("round_score" in told)
            if ends_round:
                assert told["round_over"] and ("score" in told) == after.over
                assert told["round_score"] == list(after.round_scores[-1][seat])

    def leave(self) -> None:
        """Agents of a game that is over step once more, without an action."""
        for agent in self.agents:
            assert self.turn_based.agent_selection == agent
            assert self.turn_based.last()[1:3] == (self.rewards[agent], True)
            self.turn_based.step(None)
        assert self.turn_based.agents == self.parallel.agents == []
        for left in ("rewards", "terminations", "truncations", "infos"):
            assert getattr(self.turn_based, left) == {}
