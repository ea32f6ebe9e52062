"""The keyword arguments of the environments, and their names in Gymnasium and PettingZoo."""

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo
import pytest

from mindup_env import mindup_v0

MAKERS: dict[str, Callable[..., Any]] = {
    "parallel": mindup_v0.parallel_env,
    "aec": mindup_v0.env,
    "pettingzoo": lambda **given: pettingzoo.make("parallel", "mindup/MindUp-v0", **given),
    "gymnasium": lambda **given: gymnasium.make("MindUp-v0", **given),
    "vector": lambda **given: gymnasium.make_vec("MindUp-v0", num_envs=2, **given),
}
CONFIG_FIELDS = "num_players, num_objectives, num_rounds, hand_size, deck"
OF_PETTINGZOO = "reward, illegal_action, render_mode, pad_to_players"
OWN = {
    **dict.fromkeys(("parallel", "aec", "pettingzoo"), OF_PETTINGZOO),
    "gymnasium": f"opponents, seat, {OF_PETTINGZOO}",
    "vector": "num_envs, opponents, seat, reward, illegal_action, num_threads, pad_to_players",
}


@pytest.mark.parametrize("api", MAKERS)
@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("players", "num_players"), ("xyz", None)],
)
def test_an_unknown_argument_is_named_with_those_accepted(
    api: str, wrong: str, meant: str | None
) -> None:
    text = f"unknown argument {wrong!r}; " + (f"did you mean {meant}? " if meant else "")
    text += f"accepted: {OWN[api]}, {CONFIG_FIELDS}"
    given: dict[str, Any] = {wrong: 4}
    with pytest.raises(TypeError, match=re.escape(text)):
        MAKERS[api](**given)


@pytest.mark.parametrize("api", MAKERS)
def test_the_fields_of_a_config_are_arguments(api: str) -> None:
    env = MAKERS[api](num_players=2, num_rounds=1, hand_size=3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="num_players must be 2 to 6, not 7"):
        MAKERS[api](num_players=7)


@pytest.mark.parametrize("make", ["make", "make_vec"])
def test_a_name_with_its_module_needs_no_import(make: str) -> None:
    script = (
        "import gymnasium, sys; assert 'mindup_env' not in sys.modules; "
        f"env = gymnasium.{make}('mindup_env:MindUp-v0', num_players=3, opponents=['random']); "
        "print(env.reset(seed=7)[1])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True
    )
    assert "seat" in done.stdout
