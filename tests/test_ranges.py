"""Every number that a setting takes has a smallest and a largest value."""

import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from typing import get_type_hints

import pytest

from mindup_env.settings.options import check_ranges, number_type, options_of

PACKAGES = "mindup_env", "mindup_agents", "mindup_play", "mindup_arena", "mindup_training"
NEEDS_MORE = (
    "mindup_training.learners.rllib",
    "mindup_env.textarena",
    "mindup_env.torchrl",
    "mindup_training.loggers.mlflow",
    "mindup_training.loggers.wandb",
)
"""Packages and modules that need libraries which are not always installed."""


def settings_classes() -> Iterator[type]:
    """All dataclasses with options."""
    found: dict[type, None] = {}
    for package in PACKAGES:
        for info in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if info.name.startswith(NEEDS_MORE) or info.name.endswith("__main__"):
                continue
            for each in vars(import_module(info.name)).values():
                if isinstance(each, type) and is_dataclass(each) and options_of(each):
                    found[each] = None
    yield from found


SETTINGS = sorted(settings_classes(), key=lambda each: each.__name__)
NUMBERS = [
    (settings, name)
    for settings in SETTINGS
    for name in options_of(settings)
    if number_type(get_type_hints(settings)[name])
]


def test_the_settings_of_all_commands_are_found() -> None:
    names = {each.__name__ for each in SETTINGS}
    assert names >= {"ArenaSettings", "PPOConfig", "PPOSettings", "PlaySettings", "TrainSettings"}


@pytest.mark.parametrize(
    ("settings", "name"), NUMBERS, ids=lambda each: getattr(each, "__name__", each)
)
def test_every_number_has_a_range(settings: type, name: str) -> None:
    about = options_of(settings)[name]
    low = about.low if about.above is None else about.above
    assert low is not None and about.high is not None and low < about.high


def test_numbers_that_no_float_holds_are_refused() -> None:
    (settings,) = (each for each in SETTINGS if each.__name__ == "PPOSettings")
    for value in (10**400, float("inf"), float("nan"), 1.5):
        with pytest.raises(ValueError, match="learning_rate must be"):
            check_ranges(settings(learning_rate=value))
