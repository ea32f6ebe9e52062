"""The tables of docs/training.md, from the dataclasses of the settings."""

from dataclasses import fields
from typing import Any

from mindup_env.options import options_of
from mindup_training.distributed import Rllib
from mindup_training.self_play import SelfPlay
from mindup_training.settings import PPOSettings, TrainSettings, read_preset
from tools.tables.docstrings import field_comments
from tools.tables.markdown import table

SECTIONS = "game", "ppo", "rllib", "self_play"
"""Settings that are sections of a preset."""


def train_settings() -> str:
    return _settings({"default": TrainSettings(), "in `quick`": read_preset("quick")})


def ppo_settings() -> str:
    return _settings({"default": PPOSettings()})


def self_play_settings() -> str:
    return _settings({"default": SelfPlay()})


def rllib_settings() -> str:
    return _settings({"default": Rllib()})


def _settings(columns: dict[str, Any]) -> str:
    """A row for each setting, and a column for each of several instances of one dataclass."""
    dataclass = type(next(iter(columns.values())))
    meanings = field_comments(dataclass)
    meanings |= {name: option.help for name, option in options_of(dataclass).items()}
    names = [each.name for each in fields(dataclass) if each.name not in SECTIONS]
    rows = [
        [
            f"`{name}`",
            *(_value(getattr(settings, name)) for settings in columns.values()),
            meanings.get(name, ""),
        ]
        for name in names
    ]
    return table(["setting", *columns, "meaning"], rows)


def _value(value: Any) -> str:
    """As a preset has it."""
    if isinstance(value, tuple):
        return f"`[{', '.join(_literal(each) for each in value)}]`"
    return f"`{_literal(value)}`"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:_}" if isinstance(value, int) else str(value)
