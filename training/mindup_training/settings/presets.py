"""Presets: settings of trainings by name, or in files."""

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindup_env.settings.checks import check_entries
from mindup_training.settings import TrainSettings


def read_preset(name: str) -> TrainSettings:
    """The settings of a preset.

    Args:
        name: the name of a preset, such as ``quick``; or the path of a TOML file, or of the
            ``run.json`` of a run.

    Raises:
        ValueError: if there is no such preset, or its settings are wrong.
    """
    presets = {
        file.name.removesuffix(".toml"): file
        for file in files("mindup_training").joinpath("presets").iterdir()
    }
    try:
        text = (presets.get(name) or Path(name)).read_text(encoding="utf-8")
        return TrainSettings.from_dict(_parse(name, text))
    except FileNotFoundError:
        raise ValueError(
            f"unknown preset {name!r}; available: {', '.join(sorted(presets))}, or the path of a "
            "TOML file"
        ) from None
    except OSError as error:
        raise ValueError(f"cannot read preset {name}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"preset {name}: {error}") from None


def _parse(name: str, text: str) -> Any:
    if not name.endswith(".json"):
        return tomllib.loads(text)
    run = json.loads(text)
    check_entries("a run", run, ("settings",), run)
    return run["settings"]
