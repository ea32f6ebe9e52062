"""What the environments share: keyword arguments, the options of ``reset``, and spaces."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from gymnasium import spaces

from mindup_env.checks import InputError, InputTypeError, check_type, shown, suggestion
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of


def make_config(given: Mapping[str, Any], make: Callable[..., Any]) -> GameConfig:
    """The config of an environment, from the arguments ``given`` that ``make`` does not name."""
    config_fields = [field.name for field in fields(GameConfig)]
    for name in given:
        if name not in config_fields:
            own = [each for each in inspect.signature(make).parameters if each != "config"]
            accepted = suggestion(name, [*own, *config_fields], "accepted")
            # In Python's words, by which TorchRL knows an argument that it may leave out.
            raise InputTypeError(f"got an unexpected keyword argument {shown(name)}{accepted}")
    return GameConfig(**given)


def check_options(options: Any, accepted: Sequence[str]) -> dict[str, Any]:
    """The options of ``reset``, as a dict; others than those accepted are refused."""
    given: dict[str, Any] = check_type("reset options", {} if options is None else options, dict)
    for name in given.keys() - {*accepted, "options"}:  # which PettingZoo's checkers pass
        known = suggestion(str(name), accepted, "accepted")
        raise InputError(f"unknown reset option {shown(name)}{known}")
    return given


def observation_space(config: GameConfig) -> spaces.Dict:
    """A new space at each call, so that each can be seeded independently."""
    layout = layout_of(config)
    return spaces.Dict(
        {
            "observation": spaces.Box(layout.low, layout.high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (config.num_cards,), np.int8),
        }
    )
