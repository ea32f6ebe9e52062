"""Every number that a setting takes has a smallest and a largest value."""

import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, get_args, get_type_hints

from mindup_env.settings.declaration import options_of

PACKAGES = "mindup_env", "mindup_agents", "mindup_play", "mindup_arena", "mindup_training"
NEEDS_MORE = ("rllib", "textarena", "torchrl", "loggers.mlflow", "loggers.wandb", "__main__")
"""Packages and modules that need libraries which are not always installed."""


def settings_classes() -> Iterator[Any]:
    """All classes with options."""
    for package in PACKAGES:
        for info in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if not any(name in info.name for name in NEEDS_MORE):
                for each in vars(import_module(info.name)).values():
                    if isinstance(each, type) and is_dataclass(each) and options_of(each):
                        yield each


def test_every_number_has_a_range() -> None:
    found = set(settings_classes())
    assert {"ArenaSettings", "PPOConfig", "PlaySettings"} <= {each.__name__ for each in found}
    for settings in found:
        types = get_type_hints(settings)
        for name, about in options_of(settings).items():
            fields = getattr(types[name], "__annotations__", {}).values()
            is_shown = bool(about.help)  # others are entries of files
            if is_shown and {int, float} & {types[name], *get_args(types[name]), *fields}:
                low = about.low if about.above is None else about.above
                is_bounded = low is not None and about.high is not None and low < about.high
                assert is_bounded, f"{settings.__name__}.{name}"
