"""`mindup train`: its settings, its folder, and its errors."""

import csv
import json
import shlex
from argparse import ArgumentParser
from dataclasses import fields
from importlib.metadata import version
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mindup_arena.failures import Forfeit
from mindup_env import cli, list_agents, make_agent
from mindup_env.settings.declaration import options_of
from mindup_training import launch
from mindup_training.arguments import (
    add_game,
    add_section,
    add_settings,
    given_settings,
    settings_words,
)
from mindup_training.launch import rank_policy
from mindup_training.run_folder import RunFolder
from mindup_training.settings import PPOSettings, RllibSettings, SelfPlaySettings, TrainSettings
from mindup_training.settings.presets import read_preset
from tests.arena.reports import tiny_report
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


def test_a_run_folder_describes_the_run(
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


def test_the_policy_is_ranked_in_the_game_it_was_trained_for(
    tmp_path: Path, preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert cli.main(["train", "--preset", preset, *QUICK, "--out", str(run)]) == 0
    rank_policy(RunFolder.open(run))
    assert "lowest" in capsys.readouterr().out
    report = json.loads((run / "arena.json").read_text())
    assert report["settings"]["bots"] == [f"policy:{run / 'policy.safetensors'}", "lowest"]
    assert (
        report["settings"]["config"]
        == TrainSettings.from_dict(json.loads((run / "run.json").read_text())["settings"])
        .configs[0]
        .to_dict()
    )
    assert (run / "arena.png").read_bytes().startswith(b"\x89PNG")


def test_a_forfeit_in_the_ranking_shows_in_the_exit_status(
    tmp_path: Path, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tiny_report(Forfeit(1, 4, "ValueError: no", (0,)))
    monkeypatch.setattr(launch, "rank_policy", rank_policy)
    monkeypatch.setattr(launch, "run_arena", lambda *_, **__: report)
    run = str(tmp_path / "run")
    assert cli.main(["train", "--preset", preset, *QUICK, "--out", run]) == 3
    assert cli.main(["train", "--resume", run]) == 3


def test_the_command_in_the_folder_trains_the_same_elsewhere(tmp_path: Path, preset: str) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    assert cli.main(["train", "--preset", preset, *QUICK, "--out", str(first)]) == 0
    command = json.loads((first / "run.json").read_text())["command"]
    assert cli.main([*shlex.split(command)[1:], "--out", str(again)]) == 0
    both = [(run / "policy.safetensors").read_bytes() for run in (first, again)]
    assert both[0] == both[1]


def test_each_run_has_a_new_folder(
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
        (["--players", "7"], "players must be 2 to 6, not 7"),
        (["--opponents", "randon"], "unknown agent 'randon'"),
        (["--evaluate-against", "randon"], "unknown agent 'randon'"),
        (
            ["--opponents", "0:random"],
            "the weight of an opponent must be above 0 and at most 1000000, not '0:random'",
        ),
        (["--opponents", "greedy:2"], "a weight stands before the bot: 2:greedy, not greedy:2"),
        (["--reward", "money"], "reward must be a sum of score, margin and win"),
        (["--timesteps", "0"], "timesteps must be 1 to 1000000000000, not 0"),
        (["--minutes", "-1"], "minutes must be 0 to 525600, not -1.0"),
        (["--widths", "0", "1", "2"], "widths must be 1 to 4096, not 0"),
        (["--seed", "-1"], "seed must be 0 to"),
        (["--preset", "fast"], "unknown preset 'fast'; available: 3_players, 4_players"),
        (["--resume", "nowhere"], "no training run in nowhere"),
        (["--resume", "nowhere", "--seed", "1"], "--resume can only be combined with --address"),
        (["--resume", "nowhere", "--out", "here"], "--resume can only be combined with --address"),
    ],
)
def test_an_error_leaves_nothing_behind(
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
    assert (
        f"already exists: give another folder, or resume with --resume {tmp_path}"
        in capsys.readouterr().err
    )
    (tmp_path / "run.json").write_text("{}")
    assert cli.main(["train", "--resume", str(tmp_path)]) == 2
    assert "does not describe a run: a run must be a dict with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("player = 3", "unknown: 'player'"),
        ("players = 'three'", "players must be a list, not 'three'"),
        ("players = true", "players must be a whole number, not True"),
        ("reward = 1", "reward must be a text, not 1"),
        ("opponents = 'random'", "opponents must be a list, not 'random'"),
        ("opponents = []", "opponents must not be empty"),
        ("objectives = [0, 6]", "objectives must be 0 to 5, not 6"),
        ("widths = [1, 2]", "widths must be 3 numbers (table, card, value), not [1, 2]"),
        ("features = 'best'", "unknown features 'best'; available: plain-1"),
        ("[ppo]\nepoch = 3", "unknown: 'epoch'"),
        ("opponents = [1]", "opponents must be a text, not 1"),
        ("first_checkpoint = -1", "first_checkpoint must be 0 to 1000000000000, not -1"),
        ("[ppo]\nlearning_rate = 0", "learning_rate must be above 0 and at most 1.0, not 0.0"),
        ("[ppo]\nepochs = 3.5", "epochs must be a whole number, not 3.5"),
        ("[game]\nplayers = 3", "unknown: 'players'"),
        ("[game]\nhand_size = 30", "need"),
        ("players = ", "Invalid value"),
    ],
)
def test_a_wrong_preset_is_an_error(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"^preset ") as found:
        read_preset(str(path))
    assert said in str(found.value)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_can_be_played(name: str) -> None:
    settings = read_preset(name)
    assert TrainSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert name in {"quick", "mixture", f"{settings.players[0]}_players"}
    assert (len(settings.players) > 1) == (name == "mixture")
    assert settings.ppo.num_envs % len(settings.configs) == 0
    bots = {share.spec for share in settings.env_config.opponents} | {*settings.evaluate_against}
    assert {bot.partition(":")[0] for bot in bots} <= {*list_agents()}


def test_plain_data_overrides_settings() -> None:
    changed = TrainSettings().changed({"ppo": {"epochs": 5}, "widths": [1, 2, 3], "minutes": 2})
    assert changed.ppo.epochs == 5 and changed.ppo.num_envs == TrainSettings().ppo.num_envs
    assert changed.widths == (1, 2, 3) and changed.minutes == 2.0


def given(*words: str) -> dict[str, Any]:
    parser = ArgumentParser()
    add_settings(parser)
    add_game(parser)
    add_section(parser, "self_play")
    add_section(parser, "rllib")
    return given_settings(parser.parse_args(words))


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("", {}),
        ("--timesteps 1e6 --objectives 0 2", {"timesteps": 1_000_000, "objectives": [0, 2]}),
        (
            "--opponents 2:greedy random --learning-rate 5e-4 --epochs 2",
            {"opponents": ["2:greedy", "random"], "ppo": {"learning_rate": 5e-4, "epochs": 2}},
        ),
        ("--self-play", {"self_play": {}}),
        (
            "--rounds 2 --hand-size 3 --deck my.csv",
            {"game": {"num_rounds": 2, "hand_size": 3, "deck": "my.csv"}},
        ),
        (
            "--no-normalize-advantage --target-kl 0.1",
            {"ppo": {"normalize_advantage": False, "target_kl": 0.1}},
        ),
        ("--callbacks a:B c:D --network e:F", {"callbacks": ["a:B", "c:D"], "network": "e:F"}),
        (
            "--self-play --pool-size 3 --rllib --env-runners 4 --widths 8 4 2",
            {"self_play": {"pool_size": 3}, "rllib": {"env_runners": 4}, "widths": [8, 4, 2]},
        ),
    ],
)
def test_a_command_line_gives_settings_and_is_made_from_them(
    words: str, settings: dict[str, Any]
) -> None:
    assert given(*words.split()) == settings
    assert given(*settings_words(settings)) == settings
    TrainSettings().changed({**settings, "game": {}})


def test_every_setting_but_the_rules_is_an_option() -> None:
    named: set[str] = set()
    for section in (TrainSettings, PPOSettings, SelfPlaySettings, RllibSettings):
        options = options_of(section)
        assert not named & options.keys(), "the names of all sections are different"
        named |= options.keys()
        assert all(each.help for each in options.values())
        expected = {each.name for each in fields(section)}
        assert expected - options.keys() <= {"game", "self_play", "rllib", "ppo", "stages"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--lr", "0.1"], "unknown option --lr: use --learning-rate"),
        (["--total-timesteps", "9"], "unknown option --total-timesteps: use --timesteps"),
    ],
)
def test_names_of_other_libraries_lead_to_the_option(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["train", *words])
    assert said in capsys.readouterr().err


def test_an_option_of_a_section_needs_its_switch(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", "--env-runners", "2"]) == 2
    assert "--env-runners can only be combined with --rllib: add --rllib" in capsys.readouterr().err


def test_the_rules_of_the_game_are_options(tmp_path: Path, preset: str) -> None:
    deck = tmp_path / "deck.csv"
    cards = [f"{number},{colour},0" for number, colour in enumerate(15 * ["blue", "pink"], 1)]
    deck.write_text("\n".join(["number,colour,points", *cards]))
    words = [*QUICK, "--rounds", "1", "--deck", str(deck), "--out", str(tmp_path / "run")]
    assert cli.main(["train", "--preset", preset, *words]) == 0
    folder = RunFolder.open(tmp_path / "run")
    (config, *_) = folder.settings.configs
    assert (config.num_cards, config.num_rounds, config.hand_size) == (30, 1, 3)
    assert folder.command.endswith(f"--rounds 1 --deck {deck}") or str(deck) in folder.command
    deck.unlink()
    assert RunFolder.open(tmp_path / "run").settings == folder.settings, "the run has the cards"


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        ("none.csv", "cannot read the deck none.csv: No such file or directory"),
        ("wrong.csv", "wrong.csv, line 1: "),
        (3, "deck"),
    ],
)
def test_a_deck_that_cannot_be_read_is_named(
    deck: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.csv").write_text("no deck\n")
    with pytest.raises(ValueError, match=said):
        TrainSettings().changed({"game": {"deck": deck}})


def test_names_of_the_first_versions_are_read() -> None:
    old = {
        "inputs": "tried-1",
        "ppo": {"entropy_weight": 0.5, "value_weight": 0.25},
        "self_play": {"share": 0.75, "pool_size": 3},
    }
    settings = TrainSettings.from_dict(old)
    assert settings.features == "playout-1"
    assert (settings.ppo.ent_coef, settings.ppo.vf_coef) == (0.5, 0.25)
    assert settings.self_play == SelfPlaySettings(snapshot_share=0.75, pool_size=3)


def test_checkpoints_are_first_at_doubling_timesteps() -> None:
    def checkpoints(first: int, every: int, after: int = 0) -> list[int]:
        settings = TrainSettings(first_checkpoint=first, checkpoint_every=every)
        return list(islice(settings.checkpoint_times.after(after), 6))

    assert checkpoints(0, 100) == [100, 200, 300, 400, 500, 600]
    assert checkpoints(10, 50) == [10, 20, 40, 80, 130, 180]
    assert checkpoints(10, 50, after=40) == [80, 130, 180, 230, 280, 330]
    assert checkpoints(30, 10) == [30, 40, 50, 60, 70, 80]
