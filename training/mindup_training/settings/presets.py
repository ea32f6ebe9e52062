"""Settings by the name of a preset, from a file, or as plain data of any learner."""

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindup_env.agent import CodeKind, find_code, names_code
from mindup_env.settings.checks import check_entries, suggestion
from mindup_env.settings.declaration import from_plain
from mindup_training.settings.run_settings import RunSettings
from mindup_training.settings.train_settings import TrainSettings

SB3, PPO = "sb3", "ppo"
LEARNERS = {SB3: "mindup_training.sb3:Sb3Learner", PPO: "mindup_training.ppo:PPO"}
"""The learners of the package, by name."""
_LEARNER = CodeKind("learner", "mylearner:Learner")


def find_learner(name: str) -> Any:
    """The class of a learner: of the package, or ``module:Class``.

    Raises:
        ValueError: if there is none, or if it has no class of settings.
    """
    if name not in LEARNERS and not names_code(name):
        known = suggestion(name, sorted(LEARNERS))
        raise ValueError(f"unknown learner {name!r}{known}; or module:Class")
    found: Any = find_code(_LEARNER, LEARNERS.get(name, name)).make
    settings_class = getattr(found, "settings_class", None)
    if not (isinstance(settings_class, type) and issubclass(settings_class, RunSettings)):
        raise ValueError(f"learner {found!r} must be a subclass of mindup_training.Learner")
    return found


def read_settings(plain: Any, default: str = SB3) -> RunSettings:
    """Settings from plain data, whose entry ``learner`` says whose they are."""
    learner = plain.get("learner", default) if isinstance(plain, Mapping) else default
    if not isinstance(learner, str):
        raise ValueError(f"learner must be a text, not {learner!r}")
    if learner == SB3:  # known without loading its libraries
        return TrainSettings.from_dict(plain)
    found: RunSettings = from_plain(find_learner(learner).settings_class, plain)
    return found


def read_preset(name: str, default: str = SB3) -> RunSettings:
    """The settings of a preset.

    Args:
        name: ``quick`` or ``self_play``, or the path of a TOML file, or of the ``run.json`` of a
            run.
        default: the learner, if the preset names none.

    Raises:
        ValueError: if there is no such preset, or its settings are wrong.
    """
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
        of = "" if default == SB3 else f" for the learner {default}"
        raise ValueError(f"preset {name}{of}: {error}") from None
