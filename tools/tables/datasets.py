"""The tables of docs/datasets.md, from the columns and the dataclasses of the settings."""

from mindup_env import GameConfig
from mindup_env.report import markdown_table
from mindup_training.champion import ChampionSettings
from mindup_training.dataset import DatasetSettings
from mindup_training.dataset.columns import columns_of
from mindup_training.dataset.settings import OPTIONS
from mindup_training.imitation.config import ImitationConfig
from tools.tables.training import settings_table


def columns() -> str:
    rows = [
        [f"`{column.name}`", str(column.dtype), str(column.width or ""), column.meaning]
        for column in columns_of(GameConfig())
    ]
    return markdown_table(["column", "type", "size", "meaning"], rows)


def settings() -> str:
    return settings_table({"default": DatasetSettings(("greedy",))}, OPTIONS)


def champion() -> str:
    return settings_table({"default": ChampionSettings()})


def imitation() -> str:
    return settings_table({"default": ImitationConfig()})
