"""`mindup train`: its settings, its folder, and what it refuses."""

import csv
import json
import shlex
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pytest

from mindup_env import cli, list_agents, make_agent
from mindup_training.settings import TrainSettings, read_preset
from tests.training.test_resume import PRESET

PRESETS = [
    file.name.removesuffix(".toml")
    for file in files("mindup_training").joinpath("presets").iterdir()
]
QUICK = ["--timesteps", "100", "--evaluation-deals", "2", "--threads", "1"]


@pytest.fixture
def preset(tmp_path: Path) -> str:
    (tmp_path / "preset.toml").write_text(PRESET)
    return str(tmp_path / "preset.toml")


def test_a_run_leaves_all_that_it_takes_to_understand_it(
    tmp_path: Path, preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "runs" / "one"
    words = ["train", "--preset", preset, *QUICK, "--opponents", "3:lowest", "random"]
    assert cli.main([*words, "--out", str(run)]) == 0
    said = capsys.readouterr().out
    assert f"mindup train --resume {run}" in said and "win share in % against lowest" in said
    described = json.loads((run / "run.json").read_text())
    settings = TrainSettings.from_dict(described["settings"])
    assert settings.opponents == ("3:lowest", "random") and settings.timesteps == 100
    assert [config["num_objectives"] for config in described["config"]] == [0, 2]
    assert described["versions"]["torch"] == version("torch")
    assert shlex.split(described["command"]) == ["mindup", "train", *described["arguments"]]
    with (run / "metrics.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert float(row["timesteps"]) == 100 and float(row["time/decisions_per_second"]) > 0
    assert {"games/return", "games/win_share", "train/value_loss"} <= row.keys()
    assert (run / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((run / "tensorboard").iterdir())
    make_agent(f"policy:{run / 'policy.safetensors'}", settings.configs[1])


def test_the_command_in_the_folder_trains_the_same_elsewhere(tmp_path: Path, preset: str) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    assert cli.main(["train", "--preset", preset, *QUICK, "--out", str(first)]) == 0
    command = json.loads((first / "run.json").read_text())["command"]
    assert cli.main([*shlex.split(command)[1:], "--out", str(again)]) == 0
    both = [(run / "policy.safetensors").read_bytes() for run in (first, again)]
    assert both[0] == both[1]


def test_runs_have_folders_of_their_own(
    tmp_path: Path, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert cli.main(["train", "--preset", preset, *QUICK, "--seed", "7"]) == 0
    names = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert names == ["preset-3p-seed7", "preset-3p-seed7-2"]


def test_minutes_end_a_run(tmp_path: Path, preset: str) -> None:
    run = tmp_path / "run"
    words = ["train", "--preset", preset, *QUICK, "--minutes", "0.02", "--out", str(run)]
    assert cli.main(words) == 0
    with (run / "metrics.csv").open() as file:
        rows = list(csv.DictReader(file))
    rates = [float(row["train/learning_rate"]) for row in rows]
    assert rates == sorted(rates, reverse=True) and rates[-1] < rates[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "7"], "num_players must be 2 to 6, not 7"),
        (["--opponents", "randon"], "unknown agent 'randon'"),
        (["--evaluate-against", "randon"], "unknown agent 'randon'"),
        (["--opponents", "0:random"], "the weight of an opponent must be more than 0"),
        (["--reward", "money"], "reward must be a sum of score, margin and win"),
        (["--timesteps", "0"], "timesteps must be at least 1, not 0"),
        (["--minutes", "-1"], "minutes must be a number from 0 on"),
        (["--widths", "0", "1", "2"], "a width must be at least 1, not 0"),
        (["--seed", "-1"], "seed must be 0 to"),
        (["--preset", "fast"], "there is no preset or file 'fast'; there is 3_players, 4_players"),
        (["--resume", "nowhere"], "there is no training run in nowhere"),
        (["--resume", "nowhere", "--seed", "1"], "a run is resumed as it was begun"),
        (["--resume", "nowhere", "--out", "here"], "a run is resumed as it was begun"),
    ],
)
def test_what_cannot_be_trained_is_said_and_leaves_nothing(
    words: list[str],
    said: str,
    tmp_path: Path,
    preset: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = words if {"--preset", "--resume"} & {*words} else ["--preset", preset, *words]
    assert cli.main(["train", *given]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["preset.toml"]


def test_a_folder_in_use_is_left_alone(
    tmp_path: Path, preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", "--preset", preset, "--out", str(tmp_path)]) == 2
    assert f"is there already; go on with it by --resume {tmp_path}" in capsys.readouterr().err
    (tmp_path / "run.json").write_text("{}")
    assert cli.main(["train", "--resume", str(tmp_path)]) == 2
    assert "does not describe a run: a run must be a dict with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("player = 3", "unknown: 'player'"),
        ("players = 'three'", "players must be of the kind int, not 'three'"),
        ("players = true", "players must be of the kind int, not True"),
        ("reward = 1", "reward must be of the kind str, not 1"),
        ("opponents = 'random'", "opponents must be a list, not 'random'"),
        ("opponents = []", "opponents must not be empty"),
        ("objectives = [0, 6]", "num_objectives must be 0 to 5, not 6"),
        ("widths = [1, 2]", "widths are three numbers (table, card, value)"),
        ("features = 'best'", "features must be one of plain-1"),
        ("[ppo]\nepoch = 3", "unknown: 'epoch'"),
        ("[ppo]\nepochs = 3.5", "epochs must be of the kind int, not 3.5"),
        ("[game]\nplayers = 3", "unknown: 'players'"),
        ("[game]\nhand_size = 30", "need"),
        ("players = ", "Invalid value"),
    ],
)
def test_a_wrong_preset_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"^preset ") as found:
        read_preset(str(path))
    assert said in str(found.value)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_can_be_played(name: str) -> None:
    settings = read_preset(name)
    assert TrainSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert name in {"quick", f"{settings.players}_players"}
    assert settings.ppo.num_envs % len(settings.configs) == 0
    bots = {share.spec for share in settings.tables.opponents} | {*settings.evaluate_against}
    assert {bot.partition(":")[0] for bot in bots} <= {*list_agents()}


def test_some_settings_can_be_changed() -> None:
    changed = TrainSettings().changed({"ppo": {"epochs": 5}, "widths": [1, 2, 3], "minutes": 2})
    assert changed.ppo.epochs == 5 and changed.ppo.num_envs == TrainSettings().ppo.num_envs
    assert changed.widths == (1, 2, 3) and changed.minutes == 2.0
