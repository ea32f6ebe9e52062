"""The settings of trainings, from presets, plain data and options, and what is wrong with them."""

import inspect
import json
from argparse import ArgumentParser
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from sb3_contrib import MaskablePPO

from mindup_agents.mixture import parse_share
from mindup_agents.policy import Widths
from mindup_env import GameConfig, list_agents
from mindup_env.settings.declaration import options_of
from mindup_env.variants import VARIANTS
from mindup_training.ppo import PPOConfig
from mindup_training.sb3 import Sb3Learner
from mindup_training.settings import PPOHyperparameters, TrainSettings
from mindup_training.settings.options import add_settings, command_text, given_settings
from mindup_training.settings.presets import read_preset
from mindup_training.trainer.progress import TrainingClock, duration
from tests.training.runs import LEARNERS, settings_of

PRESETS = {
    file.name.removesuffix(".toml")
    for file in files("mindup_training").joinpath("presets").iterdir()
}
NO_SETTINGS = {
    "policy", "env", "n_steps", "policy_kwargs", "seed", "device", "verbose", "tensorboard_log",
    "stats_window_size", "rollout_buffer_class", "rollout_buffer_kwargs", "_init_setup_model",
}  # fmt: skip
"""What the learner sets by itself: SB3 counts steps of an environment, the settings games."""


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_can_be_played(name: str) -> None:
    settings: Any = read_preset(name)
    assert type(settings).from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert {"quick", "self_play"} == PRESETS, "the help names them"
    opponents = {parse_share(text).spec for text in getattr(settings, "opponents", ())}
    assert opponents | {*settings.evaluate_against} <= {*list_agents()}


def test_plain_data_overrides_settings() -> None:
    plain = {"epochs": 5, "widths": [1, 2, 3], "minutes": 2, "game": {"num_players": 3}}
    changed = TrainSettings(game=GameConfig(4, 2)).changed(plain)
    assert changed.epochs == 5 and changed.num_envs == TrainSettings().num_envs
    assert changed.widths == (1, 2, 3) and changed.minutes == 2.0
    assert changed.game == GameConfig(3, 2)


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"opponent": "random"}, "unknown setting 'opponent'; did you mean opponents"),
        ({"opponents": []}, "opponents must not be empty"),
        ({"features": "best"}, "unknown features 'best'; available: raw-1"),
        ({"reward": "money"}, "reward must be a sum of score, margin and win"),
        ({"game": {"players": 3}}, r"game: a config must be a dict .*unknown: 'players'"),
        ({"game": {"num_players": 7}}, "num_players must be 2 to 6, not 7"),
        ({"num_envs": 1, "batch_size": 20}, "must not leave a minibatch of a single"),
        ({"game": {"num_rounds": 1, "hand_size": 2}, "num_envs": 1}, "a rollout must"),
        ({"widths": [4096, 4096, 4096]}, "a network with the widths 4096 4096 4096 has"),
        ({"timesteps": 0}, "timesteps must be 1 to"),
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_refused(plain: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as found:
        TrainSettings().changed(plain)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": GameConfig(6), "num_envs": 65536}, "a rollout must have"),
        ({"widths": Widths(4096, 4096, 4096)}, "a network with the widths"),
        ({"critic": "oracle"}, "critic must be"),
    ],
)
def test_ppo_refuses_the_same(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        PPOConfig(**changes)


@pytest.mark.parametrize(("text", "said"), [("players = ", "Invalid value"), ("x = 1", "'x'")])
def test_a_wrong_preset_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"^preset .*wrong") as found:
        read_preset(str(path))
    assert said in str(found.value)


def given(*words: str) -> dict[str, Any]:
    parser = ArgumentParser()
    add_settings(parser, TrainSettings)
    return given_settings(parser.parse_args(words), TrainSettings)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("", {}),
        ("--timesteps 1e6 --widths 8 4 2", {"timesteps": 1_000_000, "widths": [8, 4, 2]}),
        (
            "--opponents 2:greedy random --learning-rate 0.0005 --epochs 2",
            {"opponents": ["2:greedy", "random"], "learning_rate": 5e-4, "epochs": 2},
        ),
        (
            "--players 3 --rounds 2 --score-order 2 4 1 5 3",
            {"game": {"num_players": 3, "num_rounds": 2, "score_order": [2, 4, 1, 5, 3]}},
        ),
        ("--no-normalize-advantage", {"normalize_advantage": False}),
    ],
)
def test_a_command_line_gives_settings_and_is_shown_by_them(
    words: str, settings: dict[str, Any]
) -> None:
    assert given(*words.split()) == settings
    shown = command_text(["mindup"], settings).replace("1000000", "1e6")
    assert shown == f"mindup {words}".strip()
    TrainSettings().changed(settings)


def test_every_setting_but_the_game_is_an_option_with_help(learner: str) -> None:
    settings = type(settings_of(learner))
    options = options_of(settings)
    assert {each.name for each in fields(settings)} - options.keys() == {"game"}
    assert all(each.help for each in options.values())
    assert options["learning_rate"] == options_of(PPOHyperparameters)["learning_rate"]


def test_every_hyperparameter_of_maskable_ppo_is_a_setting() -> None:
    changed = {
        "learning_rate": 0.25, "batch_size": 4, "epochs": 7, "gamma": 0.5, "gae_lambda": 0.25,
        "clip_range": 0.125, "clip_range_vf": 0.375, "normalize_advantage": False,
        "ent_coef": 0.0625, "vf_coef": 0.75, "max_grad_norm": 2.0, "target_kl": 0.03125,
    }  # fmt: skip
    names = {"epochs": "n_epochs"}
    accepted = {*inspect.signature(MaskablePPO).parameters} - NO_SETTINGS
    assert {names.get(name, name) for name in changed} == accepted
    plain = {**LEARNERS["sb3"], "num_envs": 8, **changed}
    made: Any = Sb3Learner(TrainSettings.from_dict(plain))
    made.learn(1.0)
    for name, value in changed.items():
        found = getattr(made._model, names.get(name, name))
        assert (found(1.0) if callable(found) else found) == value, name


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [("linear", [1, 0.75, 0.5, 0]), ("constant", [1, 1, 1, 1]), ("cosine", [1, 0.854, 0.5, 0])],
)
def test_the_learning_rate_follows_its_schedule(schedule: str, rates: list[float]) -> None:
    made = TrainSettings(learning_rate=0.01, learning_rate_schedule=schedule)
    found = [made.learning_rate_at(remaining) for remaining in (1.0, 0.75, 0.5, 0.0)]
    assert found == pytest.approx([0.01 * rate for rate in rates], abs=1e-5)


def test_evaluations_come_at_equal_parts_of_the_training() -> None:
    clock = TrainingClock(TrainSettings(timesteps=100, evaluations=3))
    assert [clock.evaluations(each) for each in (0, 33, 34, 66, 67, 99, 100)] == [
        0, 0, 1, 1, 2, 2, 3
    ]  # fmt: skip
    timed = TrainingClock(TrainSettings(minutes=1, evaluations=2))
    timed.restart(31)
    assert timed.evaluations(10**9) == 1


def test_the_time_left_is_at_the_speed_so_far() -> None:
    clock = TrainingClock(TrainSettings(timesteps=1000))
    assert clock.left(0) == "", "no speed is known"
    clock.restart(60)
    assert clock.left(250) == "3 min 0 s of training left"
    assert clock.left(1000) == "training done"
    assert [duration(each) for each in (59.6, 3599.9, 3900)] == [
        "1 min 0 s", "1 h 0 min", "1 h 5 min"
    ]  # fmt: skip
    timed = TrainingClock(TrainSettings(minutes=2))
    timed.restart(90)
    assert timed.left(10**9) == "30 s of training left"
    assert timed.progress(10**9) == pytest.approx(0.75, abs=0.01)


def test_a_small_game_has_a_name() -> None:
    small = VARIANTS["3p-1t"]
    assert given("--game", "3p-1t") == {"game": "3p-1t"}
    for settings in (TrainSettings(), PPOConfig()):
        assert settings.changed({"game": "3p-1t", "seed": 2}).game == small
    assert command_text(["train"], {"game": "3p-1t"}) == "train --game 3p-1t"
    with pytest.raises(ValueError, match="--game cannot be combined with --rounds"):
        given("--game", "3p-1t", "--rounds", "2")
    with pytest.raises(ValueError, match=r"game must be one of 2p-1t, .*, not '2p'"):
        TrainSettings().changed({"game": "2p"})
