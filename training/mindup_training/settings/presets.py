"""Settings by the name of a preset, from a file, or as plain data of any learner."""

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindup_env.agent import find_code
from mindup_env.settings.checks import check_entries, suggestion
from mindup_env.settings.declaration import from_plain
from mindup_training.own_code import LEARNER
from mindup_training.settings.run_settings import RunSettings
from mindup_training.settings.train_settings import TrainSettings

_OF_TRAIN_SETTINGS = ("sb3", "rllib")  # which are known without loading these libraries


def settings_class_of(learner: Any) -> type[RunSettings]:
    """The class of the settings of a learner's class, or of what a user names as one."""
    found = getattr(learner, "settings_class", None)
    if not (isinstance(found, type) and issubclass(found, RunSettings)):
        raise ValueError(f"learner {learner!r} must be a subclass of mindup_training.Learner")
    return found


def read_settings(plain: Any, default: str = TrainSettings.learner) -> RunSettings:
    """Settings from plain data, whose entry ``learner`` says whose they are."""
    learner = plain.get("learner", default) if isinstance(plain, Mapping) else default
    if not isinstance(learner, str):
        raise ValueError(f"learner must be a text, not {learner!r}")
    if learner in _OF_TRAIN_SETTINGS:
        return TrainSettings.from_dict(plain)
    return from_plain(settings_class_of(find_code(LEARNER, learner).make), plain)


def read_preset(name: str) -> TrainSettings:
    """The settings of a preset of ``mindup train`` without another learner.

    Args:
        name: the name of a preset, such as ``quick``; or the path of a TOML file, or of the
            ``run.json`` of a run.

    Raises:
        ValueError: if there is no such preset, or its settings are wrong.
    """
    found = read_any_preset(name)
    if not isinstance(found, TrainSettings):
        raise ValueError(f"preset {name} has settings of the learner {found.learner}")
    return found


def read_any_preset(name: str, default: str = TrainSettings.learner) -> RunSettings:
    """The settings of a preset for any learner; for ``default`` if it names none."""
    folder = files("mindup_training").joinpath("presets").iterdir()
    presets = {file.name.removesuffix(".toml"): file for file in folder}
    try:
        text = (presets.get(name) or Path(name)).read_text(encoding="utf-8")
        plain = json.loads(text) if name.endswith(".json") else {"settings": tomllib.loads(text)}
        check_entries("a run", plain, ("settings",), plain)
        return read_settings(plain["settings"], default)
    except FileNotFoundError:
        known = suggestion(name, sorted(presets))
        raise ValueError(f"unknown preset {name!r}{known}, or the path of a TOML file") from None
    except OSError as error:
        raise ValueError(f"cannot read preset {name}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        of = "" if default == TrainSettings.learner else f" for the learner {default}"
        raise ValueError(f"preset {name}{of}: {error}") from None
