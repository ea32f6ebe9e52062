"""The environments of PettingZoo: its own checkers, both APIs, their ends and their errors."""

import copy
import importlib
import random
import warnings
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence

from mindup_env import Game, GameConfig, mindup_v0
from mindup_env.envs import register
from mindup_env.envs.parallel import ParallelMindUp
from mindup_env.render.picture import draw
from tests.envs.apis import OF_PETTINGZOO, choices, dealt, play_turn
from tests.envs.bots import choose_by

with warnings.catch_warnings():
    # Its example environments are made in a way that it deprecates itself.
    warnings.simplefilter("ignore", DeprecationWarning)
    import pettingzoo.test as checks

NAME = "mindup_v0"
TABLES: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 6, "num_objectives": 5},
    {"num_players": 3, "num_objectives": 2, "num_rounds": 2, "hand_size": 2},
]
tables = pytest.mark.parametrize("table", TABLES, ids=str)
makers = pytest.mark.parametrize("make", OF_PETTINGZOO)


@pytest.fixture
def dicts_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker keeps lists of the environments whose observations may be dicts."""
    module = importlib.import_module("pettingzoo.test.api_test")
    for listed in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(module, listed, [*getattr(module, listed), NAME])


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")  # they play unmasked
@tables
@pytest.mark.usefixtures("dicts_are_known")
def test_pettingzoos_checkers(table: dict[str, Any]) -> None:
    parallel, turn_based = (partial(make, **table) for make in OF_PETTINGZOO)
    checks.parallel_api_test(parallel())
    checks.api_test(turn_based())
    checks.parallel_seed_test(parallel)
    checks.seed_test(turn_based)
    checks.state_test(turn_based(), parallel(), num_cycles=100)


@makers
def test_render_modes(make: Any) -> None:
    for mode, shown in (("ansi", str(Game(seed=5))), ("rgb_array", draw(Game(seed=5)))):
        env = make(render_mode=mode)
        env.reset(seed=5)
        assert np.array_equal(env.render(), shown)
        assert env.render_mode == mode
    with pytest.raises(ValueError, match="render_mode is None: pass one of"):
        dealt(make).render()
    with pytest.raises(ValueError, match="must be None or ansi or rgb_array, not 'ascii'"):
        make(render_mode="ascii")


def test_both_are_made_by_name() -> None:
    register()  # again, in silence
    for api in ("parallel", "aec"):
        env = pettingzoo.make(api, "mindup/MindUp-v0", **TABLES[1])
        env.reset(seed=3)
        assert isinstance(env.unwrapped, ParallelMindUp)
        assert env.unwrapped.game == Game(GameConfig(**TABLES[1]), 3)
        assert str(env) == env.metadata["name"] == NAME


# The parallel API


def test_after_the_end_there_is_nothing_more() -> None:
    env = dealt(mindup_v0.parallel_env)
    while env.agents:
        play_turn(env, choices(env))
    over = env.game
    assert over.over and not env.observe("player_0")["action_mask"].any()
    for actions in ({}, dict.fromkeys(env.possible_agents, 0)):
        assert env.step(actions) == ({}, {}, {}, {}, {})
    assert env.game == over
    env.reset()
    assert env.agents == env.possible_agents and env.game == Game(env.config, 7, episode=1)


def test_a_missing_agent_is_named() -> None:
    env = dealt(mindup_v0.parallel_env)
    before, actions = env.game, {"player_1": choices(env)[1]}
    with pytest.raises(ValueError, match=r"missing: player_0, player_2; unknown: 'player_3'"):
        env.step({**actions, "player_3": 1})
    with pytest.raises(ValueError, match=r"unknown: 'player_3'"):
        env.step(dict.fromkeys([*env.agents, "player_3"], 0))
    for odd, shown in (([1, 2, 3], r"\[1, 2, 3\]"), (np.int64(3), r"np.int64\(3\)"), (None, None)):
        with pytest.raises(
            ValueError, match=f"a dict with player_0, player_1, player_2, not {shown}"
        ):
            env.step(odd)
    assert env.game == before


# The turn-based API


def choice(env: Any) -> int | None:
    """What the agent to act does: nothing if the game is over."""
    seen, _, over, _, _ = env.last()
    return None if over else choose_by(seen["action_mask"])


def on_the_table(env: Any) -> Any:
    """All that the agents may look at while they choose."""
    names = "infos", "terminations", "truncations", "agents"
    table = {name: getattr(env, name) for name in names}
    observations = {agent: env.observe(agent) for agent in env.possible_agents}
    plays = env.unwrapped.game.plays
    return copy.deepcopy({**table, "seen": observations, "state": env.state(), "plays": plays})


@pytest.mark.parametrize("table", TABLES[1:], ids=str)
def test_a_choice_is_not_seen_before_all_are_made(table: dict[str, Any]) -> None:
    env, chance = dealt(mindup_v0.env, **table, reward="score"), random.Random(3)
    while not any(env.terminations.values()):
        before, other = on_the_table(env), copy.deepcopy(env)
        for agent in env.agents[:-1]:
            hand = np.flatnonzero(env.observe(agent)["action_mask"]).tolist()
            for form, card in zip((env, other), chance.sample(hand, 2), strict=True):
                assert form.agent_selection == agent
                form.step(card)
                assert data_equivalence(on_the_table(form), before, exact=True)
                assert form.rewards == dict.fromkeys(env.agents, 0), "no turn was played"
            assert env.last()[1] == other.last()[1]
        env.step(choice(env))
        assert len(env.unwrapped.game.plays) == len(before["plays"]) + 1


@pytest.mark.parametrize("steps", [1, 59, 61])
def test_a_reset_forgets_the_choices_made(steps: int) -> None:
    env = dealt(mindup_v0.env)
    for _ in range(steps):
        env.step(choice(env))
    env.reset()
    assert env.agents == env.possible_agents and env.agent_selection == "player_0"
    assert set(env.rewards.values()) == {0.0} and env.last()[1] == 0
    for _ in range(3):
        assert env.unwrapped.game == Game(GameConfig(num_players=3), 7, episode=1)
        env.step(choice(env))
    assert len(env.unwrapped.game.plays) == 1


@makers
def test_no_turn_is_played_before_the_first_reset(make: Any) -> None:
    with pytest.raises((ValueError, AssertionError), match=r"reset\(\)"):
        make(num_players=3).step({})


@makers
def test_the_spaces_of_agents_are_seeded_independently(make: Any) -> None:
    env = make(num_players=3)
    one, *others = (env.observation_space(agent) for agent in env.possible_agents)
    one.seed(1)
    expected = one.sample()
    one.seed(1)
    for other in others:
        other.seed(2)
    assert data_equivalence(one.sample(), expected)
