"""PettingZoo's own checkers accept both forms, and find them by name."""

import importlib
import warnings
from functools import partial
from typing import Any

import pettingzoo
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from mindup_env import Game, GameConfig, mindup_v0
from mindup_env.envs.parallel import ParallelMindUp
from mindup_env.envs.registration import PETTINGZOO_ID, register
from mindup_env.envs.turn_based import TurnBasedMindUp
from mindup_env.render.modes import RENDER_MODES

with warnings.catch_warnings():
    # Its example environments are made in a way that it deprecates itself.
    warnings.simplefilter("ignore", DeprecationWarning)
    import pettingzoo.test as checks

NAME = "mindup_v0"
TABLES: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 6},
    {"num_players": 3, "num_objectives": 2},
    {"num_players": 4, "num_objectives": 5, "num_rounds": 2, "hand_size": 2},
]
tables = pytest.mark.parametrize("table", TABLES, ids=str)
checkers_play_unmasked = pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")


@pytest.fixture
def dicts_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker keeps lists of the environments whose observations may be dicts."""
    module = importlib.import_module("pettingzoo.test.api_test")
    for listed in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(module, listed, [*getattr(module, listed), NAME])


@tables
def test_parallel_api(table: dict[str, Any]) -> None:
    checks.parallel_api_test(mindup_v0.parallel_env(**table))


@tables
@pytest.mark.usefixtures("dicts_are_known")
def test_turn_based_api(table: dict[str, Any]) -> None:
    checks.api_test(mindup_v0.env(**table))


@checkers_play_unmasked
@tables
def test_seeds_of_both_forms(table: dict[str, Any]) -> None:
    checks.parallel_seed_test(partial(mindup_v0.parallel_env, **table))
    checks.seed_test(partial(mindup_v0.env, **table))


@checkers_play_unmasked
@tables
def test_states_of_both_forms(table: dict[str, Any]) -> None:
    checks.state_test(mindup_v0.env(**table), mindup_v0.parallel_env(**table), num_cycles=100)


@tables
@pytest.mark.usefixtures("no_screen")
def test_all_render_modes(table: dict[str, Any]) -> None:
    assert RENDER_MODES == ["ansi", "rgb_array", "human"]
    custom = {
        "ansi": lambda shown: shown.startswith("Mind Up!  "),
        "rgb_array": lambda shown: shown.any(),
    }
    checks.render_test(partial(mindup_v0.env, **table), custom)


@pytest.mark.parametrize("make", [mindup_v0.parallel_env, mindup_v0.env])
def test_what_is_shown_is_the_game(make: Any) -> None:
    env = make(render_mode="ansi")
    env.reset(seed=5)
    assert env.render() == str(Game(seed=5))
    assert env.unwrapped.render_mode == "ansi"


@pytest.mark.parametrize("make", [mindup_v0.parallel_env, mindup_v0.env])
def test_render_modes_that_are_none(make: Any) -> None:
    with pytest.raises(ValueError, match=r"render_mode must be None or one of \['ansi'.*'ascii'"):
        make(render_mode="ascii")
    env = make()
    env.reset()
    with pytest.raises(ValueError, match="render_mode is None: pass one of"):
        env.render()


@pytest.mark.usefixtures("no_screen")
def test_closing_twice_and_without_a_window() -> None:
    for mode in (None, *RENDER_MODES):
        env = mindup_v0.env(render_mode=mode)
        env.reset()
        env.close()
        env.close()


@tables
def test_both_forms_are_made_by_name(table: dict[str, Any]) -> None:
    parallel = pettingzoo.make("parallel", PETTINGZOO_ID, **table)
    turn_based = pettingzoo.make("aec", PETTINGZOO_ID, **table)
    assert isinstance(parallel, ParallelMindUp)
    assert isinstance(turn_based, OrderEnforcingWrapper)
    assert isinstance(turn_based.unwrapped, TurnBasedMindUp)
    for env in (parallel, turn_based):
        env.reset(seed=3)
        assert env.unwrapped.game == Game(GameConfig(**table), 3)
        assert str(env) == env.metadata["name"] == NAME


def test_the_name_is_the_published_one_and_registering_again_is_silent() -> None:
    assert PETTINGZOO_ID == "mindup/MindUp-v0"
    register()


@tables
@pytest.mark.parametrize("make", [mindup_v0.parallel_env, mindup_v0.env])
def test_agents_and_spaces_are_fixed(make: Any, table: dict[str, Any]) -> None:
    env = make(**table)
    agents = [f"player_{player}" for player in range(table["num_players"])]
    assert env.possible_agents == agents
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in agents]
    state_space = env.state_space
    for _ in range(2):
        env.reset()
        assert env.agents == env.possible_agents == agents
        for agent, (observation_space, action_space) in zip(agents, spaces, strict=True):
            assert env.observation_space(agent) is observation_space
            assert env.action_space(agent) is action_space
            assert env.observe(agent) in observation_space
        assert env.state_space is state_space
    assert len({id(space) for pair in spaces for space in pair}) == 2 * len(agents), "one for each"
