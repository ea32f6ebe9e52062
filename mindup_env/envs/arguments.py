"""The keyword arguments of an environment: its own and the fields of ``GameConfig``."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from mindup_env.checks import suggestion
from mindup_env.config import GameConfig


def make_config(given: Mapping[str, Any], make: Callable[..., Any]) -> GameConfig:
    """The config of an environment from its further keyword arguments.

    Args:
        given: the arguments that ``make`` does not name.
        make: the function or class of the environment, which accepts ``**config``.
    """
    own = [
        name
        for name, parameter in inspect.signature(make).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    config_fields = [field.name for field in fields(GameConfig)]
    for name in given:
        if name not in config_fields:
            accepted = suggestion(name, [*own, *config_fields], "accepted")
            raise TypeError(f"unknown argument {name!r}{accepted}")
    return GameConfig(**given)
