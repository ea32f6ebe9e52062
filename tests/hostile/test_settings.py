"""Presets, and settings as plain data, are read or refused in words."""

import json
import tomllib
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from mindup_play.settings import PlaySettings
from mindup_training.run_folder import RunFolder
from mindup_training.settings import TrainSettings
from mindup_training.settings.presets import read_preset
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated, mutated_plain
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile

PRESETS = [file.read_bytes() for file in files("mindup_training").joinpath("presets").iterdir()]
SETTINGS = [TrainSettings.from_dict(tomllib.loads(preset.decode())) for preset in PRESETS]
SETTINGS.append(TrainSettings().changed({"self_play": {}, "rllib": {}, "game": {"hand_size": 3}}))


def test_any_preset_is_read_or_refused(attempts: Attempts, tmp_path: Path) -> None:
    path = tmp_path / "preset.toml"
    for random in attempts:
        for _ in range(30):
            attempts.inputs += 1
            path.write_bytes(mutated(random, PRESETS[random.integers(len(PRESETS))]))
            found = result_or_refusal(partial(read_preset, str(path)))
            assert found is None or TrainSettings.from_dict(json_copy(found.to_dict())) == found


@pytest.mark.parametrize(
    ("read", "examples"),
    [
        (TrainSettings.from_dict, [each.to_dict() for each in SETTINGS]),
        (PlaySettings.from_dict, [PlaySettings(seed=1, hints="greedy").to_dict()]),
    ],
    ids=["train", "play"],
)
def test_any_plain_data_are_settings_or_refused(
    read: Callable[[Any], Any], examples: list[dict[str, Any]], attempts: Attempts
) -> None:
    plain = json_copy(examples)
    for random in attempts:
        for _ in range(30):
            attempts.inputs += 1
            changed = mutated_plain(random, plain[random.integers(len(plain))])
            found = result_or_refusal(partial(read, changed))
            assert found is None or read(found.to_dict()) == found, changed


def test_any_description_of_a_run_is_read_or_refused(attempts: Attempts, tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", "train", SETTINGS[-1]) as run:
        description = run.path / "run.json"
    text = description.read_bytes()
    plain = json.loads(text)
    for random in attempts:
        for _ in range(20):
            attempts.inputs += 1
            changed = (
                mutated(random, text)
                if random.random() < 0.5
                else json.dumps(mutated_plain(random, plain), default=repr).encode()
            )
            description.write_bytes(changed)
            found = result_or_refusal(partial(RunFolder.open, run.path))
            assert found is None or found.resume_command.startswith("mindup ")


def json_copy(plain: Any) -> Any:
    return json.loads(json.dumps(plain))
