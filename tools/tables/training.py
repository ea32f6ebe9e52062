"""The tables of docs/training.md, from the dataclasses of the settings."""

from collections.abc import Iterable
from typing import Any

from mindup_env.report import markdown_table
from mindup_env.settings.declaration import options_of
from mindup_training.experiment import ExperimentSettings
from mindup_training.settings import PPOSettings, RllibSettings, SelfPlaySettings, TrainSettings
from mindup_training.settings.presets import read_preset


def train_settings() -> str:
    return settings_table({"default": TrainSettings(), "in `quick`": read_preset("quick")})


def ppo_settings() -> str:
    return settings_table({"default": PPOSettings()})


def self_play_settings() -> str:
    return settings_table({"default": SelfPlaySettings()})


def rllib_settings() -> str:
    return settings_table({"default": RllibSettings()})


def experiment_settings() -> str:
    return settings_table({"default": ExperimentSettings()})


def settings_table(columns: dict[str, Any], names: Iterable[str] | None = None) -> str:
    """A row for each setting, or for those in ``names``; columns are instances of one dataclass."""
    options = options_of(type(next(iter(columns.values()))))
    rows = [
        [
            f"`{name}`",
            *(_value(getattr(settings, name)) for settings in columns.values()),
            options[name].help,
        ]
        for name in (options if names is None else names)
    ]
    return markdown_table(["setting", *columns, "meaning"], rows)


def _value(value: Any) -> str:
    """As a preset has it."""
    if isinstance(value, tuple):
        return f"`[{', '.join(_literal(each) for each in value)}]`"
    return f"`{_literal(value)}`"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:_}" if isinstance(value, int) else str(value)
