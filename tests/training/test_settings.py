"""The settings of trainings, from presets, plain data and options, and what is wrong with them."""

import inspect
import json
from argparse import ArgumentParser
from dataclasses import fields
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from sb3_contrib import MaskablePPO

from mindup_agents.mixture import parse_share
from mindup_agents.policy import Widths
from mindup_env import BatchEnv, GameConfig, list_agents
from mindup_env.settings.declaration import options_of
from mindup_env.variants import VARIANTS
from mindup_training.dqn import DQNConfig
from mindup_training.learners.sb3 import Sb3Learner
from mindup_training.ppo import PPOConfig
from mindup_training.settings import (
    PPOSettings,
    RllibSettings,
    RunSettings,
    SelfPlaySettings,
    TrainSettings,
)
from mindup_training.settings.options import add_settings, command_text, given_settings
from mindup_training.settings.presets import read_preset
from mindup_training.settings.schedule import CheckpointTimes
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


@pytest.mark.parametrize("name", sorted(PRESETS - {"self_play"}))
def test_presets_can_be_played(name: str) -> None:
    settings = read_preset(name)
    assert TrainSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert name in {"quick", "forecast", "mixture", f"{settings.players[0]}_players"}
    assert (len(settings.players) > 1) == (name == "mixture")
    assert settings.ppo.num_envs % len(settings.configs) == 0
    bots = {parse_share(text).spec for text in settings.opponents} | {*settings.evaluate_against}
    assert {bot.partition(":")[0] for bot in bots} <= {*list_agents()}


def test_settings_of_every_learner_are_plain_data(learner: str) -> None:
    settings = settings_of(learner, stages=[{"after": 5, "reward": "win"}])
    plain = json.loads(json.dumps(settings.to_dict()))
    assert type(settings).from_dict(plain) == settings
    assert settings.changed({"seed": 3}).seed == 3


def test_plain_data_overrides_settings() -> None:
    changed = TrainSettings().changed({"ppo": {"epochs": 5}, "widths": [1, 2, 3], "minutes": 2})
    assert changed.ppo.epochs == 5 and changed.ppo.num_envs == TrainSettings().ppo.num_envs
    assert changed.widths == (1, 2, 3) and changed.minutes == 2.0
    on = TrainSettings().changed({"self_play": {"pool_size": 3}})
    assert on.changed({"self_play": {}}).self_play == SelfPlaySettings(pool_size=3)
    assert on.changed({"self_play": None}).self_play is None
    assert TrainSettings().changed({"rllib": {}}).learner_name == "rllib"


def test_one_number_of_players_is_a_number_or_a_list() -> None:
    number: Any = 3
    for settings in (
        TrainSettings(players=number),
        TrainSettings().changed({"players": 3}),
        TrainSettings().changed({"players": [3]}),
    ):
        assert settings == TrainSettings(players=(3,)) and settings.padding is None
        assert "pad_to_players" not in settings.describe_policy().to_dict()
    several = TrainSettings(players=(3, 5))
    assert several.padding == 5
    assert several.equal_share == pytest.approx((1 / 3 + 1 / 5) / 2)
    assert TrainSettings(players=(3,), pad_to_players=6).padding == 6


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"player": 3}, "unknown setting 'player'; did you mean players"),
        ({"players": []}, "players must not be empty"),
        ({"features": "best"}, "unknown features 'best'; available: plain-1"),
        ({"reward": "money"}, "reward must be a sum of score, margin and win"),
        ({"self_play": True}, "self_play must be a dict of snapshot_share, pool_size, not True"),
        ({"game": {"players": 3}}, "unknown: 'players'"),
        ({"ppo": {"num_envs": 65536, "rollout_games": 1024}}, "a rollout must have 2 to 4194304"),
        ({"ppo": {"num_envs": 1, "batch_size": 20}}, "must not leave a minibatch of a single"),
        ({"game": {"num_rounds": 1, "hand_size": 2}, "ppo": {"num_envs": 1}}, "a rollout must"),
        ({"widths": [4096, 4096, 4096]}, "a network with the widths 4096 4096 4096 has"),
        ({"objectives": [0] * 300}, "num_envs must be at least 300, one for each number of"),
        ({"players": [3, 5], "pad_to_players": 4}, "pad_to_players must be 5 to 6, not 4"),
        ({"players": [3, 5], "rllib": {}}, "rllib takes one number of players, not 3 5"),
        ({"rllib": {"learning_seats": 5}}, "learning_seats must be 1 to 4, not 5"),
        (
            {"rllib": {}, "ppo": {"target_kl": 0.5, "normalize_advantage": False}},
            "normalize_advantage, target_kl cannot be combined with rllib",
        ),
        (
            {"features": "tests.training.own_parts:Encoder", "pad_to_players": 6},
            "pad_to_players cannot be combined with features of your own",
        ),
        ({"timesteps": None}, "timesteps or minutes must be given"),
        ({"stages": [{"after": 10}]}, "stage 1: it must change some of opponents, reward"),
        ({"stages": [{"reward": "win"}]}, "a stage must be a dict with after .*; missing: after"),
        ({"stages": [{"after": 1, "features": "plain-1"}]}, "cannot change features; it can"),
        ({"stages": [{"after": 2_000_000, "reward": "win"}]}, "after must be 0 to 999999, not"),
        ({"stages": [{"after": 5, "reward": "win"}] * 2}, "stage 2: after must be 6 to 999999"),
        ({"stages": [{"after": 5, "reward": "money"}]}, "stage 1: reward must be a sum of"),
        ({"stages": [{"after": 5, "ppo": {"num_envs": 1}}]}, "cannot change ppo.num_envs"),
        ({"stages": [{"after": 5, "objectives": [3]}]}, "the games of stage 1 must be some of"),
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_refused(plain: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as found:
        TrainSettings().changed(plain)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("settings", "changes", "said"),
    [
        (PPOConfig, {"game": GameConfig(6), "num_envs": 65536}, "a rollout must have"),
        (PPOConfig, {"more_players": (3, 5), "num_envs": 2}, "num_envs must be at least 3, one"),
        (PPOConfig, {"more_players": (7,)}, "more_players must be 2 to 6, not 7"),
        (
            PPOConfig,
            {"more_players": (3,), "features": "tests.training.own_parts:Encoder"},
            "more_players cannot be combined with features of your own",
        ),
        (PPOConfig, {"widths": Widths(4096, 4096, 4096)}, "a network with the widths"),
        (DQNConfig, {"replay_rollouts": 10**6}, "a rollout must have 2 to .* decisions"),
    ],
)
def test_learners_in_one_file_refuse_the_same(
    settings: type[RunSettings], changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        settings(**changes)


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
        ("--timesteps 1e6 --objectives 0 2", {"timesteps": 1_000_000, "objectives": [0, 2]}),
        (
            "--opponents 2:greedy random --learning-rate 0.0005 --epochs 2",
            {"opponents": ["2:greedy", "random"], "ppo": {"learning_rate": 5e-4, "epochs": 2}},
        ),
        (
            "--rounds 2 --hand-size 3 --cards 20 --score-order 2 4 1 5 3",
            {
                "game": {
                    "num_rounds": 2,
                    "hand_size": 3,
                    "num_cards": 20,
                    "score_order": [2, 4, 1, 5, 3],
                }
            },
        ),
        (
            "--no-normalize-advantage --target-kl 0.1",
            {"ppo": {"normalize_advantage": False, "target_kl": 0.1}},
        ),
        (
            "--widths 8 4 2 --self-play --pool-size 3 --rllib --env-runners 4",
            {"widths": [8, 4, 2], "self_play": {"pool_size": 3}, "rllib": {"env_runners": 4}},
        ),
    ],
)
def test_a_command_line_gives_settings_and_is_shown_by_them(
    words: str, settings: dict[str, Any]
) -> None:
    assert given(*words.split()) == settings
    shown = command_text(["mindup"], settings, TrainSettings).replace("1000000", "1e6")
    assert shown == f"mindup {words}".strip()
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


@pytest.mark.parametrize("name", ["ppo", "dqn"])
def test_a_learner_overrides_defaults_and_keeps_help_and_range(name: str) -> None:
    settings = type(settings_of(name))
    options = options_of(settings)
    assert {each.name for each in fields(settings)} - options.keys() == {"game", "stages"}
    assert options["learning_rate"] == options_of(PPOSettings)["learning_rate"]
    assert PPOConfig().learning_rate != DQNConfig().learning_rate
    assert options["threads"].help and PPOConfig().threads == 1


@pytest.mark.parametrize("reward", [TrainSettings().reward, PPOConfig().reward, DQNConfig().reward])
def test_the_page_of_rewards_says_why_learners_have_another_one(reward: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "mindup.md").read_text("utf-8")
    paid = inspect.signature(BatchEnv.__init__).parameters["reward"].default
    assert f'Environments pay `"{paid}"` by default' in page
    assert f'learners have `"{reward}"`, because' in page


def test_every_hyperparameter_of_maskable_ppo_is_a_setting() -> None:
    changed = {
        "learning_rate": 0.25, "batch_size": 4, "epochs": 7, "gamma": 0.5, "gae_lambda": 0.25,
        "clip_range": 0.125, "clip_range_vf": 0.375, "normalize_advantage": False,
        "ent_coef": 0.0625, "vf_coef": 0.75, "max_grad_norm": 2.0, "target_kl": 0.03125,
    }  # fmt: skip
    names = {"epochs": "n_epochs"}
    accepted = {*inspect.signature(MaskablePPO).parameters} - NO_SETTINGS
    assert {names.get(name, name) for name in changed} == accepted
    plain = {**LEARNERS["sb3"], "ppo": {"num_envs": 8, **changed}}
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
    made = PPOSettings(learning_rate=0.01, learning_rate_schedule=schedule)
    found = [made.learning_rate_at(remaining) for remaining in (1.0, 0.75, 0.5, 0.0)]
    assert found == pytest.approx([0.01 * rate for rate in rates], abs=1e-5)


def test_checkpoints_are_first_at_doubling_timesteps() -> None:
    def checkpoints(times: CheckpointTimes, after: float = 0) -> list[Any]:
        found: list[Any] = [after]
        for _ in range(5):
            found.append(times.next_after(found[-1]))
        return found[1:]

    assert checkpoints(CheckpointTimes(0, 100)) == [100, 200, 300, 400, 500]
    assert checkpoints(CheckpointTimes(10, 50)) == [10, 20, 40, 80, 130]
    assert checkpoints(CheckpointTimes(10, 50), after=79) == [80, 130, 180, 230, 280]
    assert checkpoints(CheckpointTimes(30, 10)) == [30, 40, 50, 60, 70]
    assert checkpoints(CheckpointTimes(0, 1), after=10**11)[0] == 10**11 + 1
    assert TrainSettings(first_checkpoint=3, checkpoint_every=7).checkpoint_times == (3, 7, False)
    evenly = PPOConfig(timesteps=100, evaluations=3).checkpoint_times
    assert checkpoints(evenly)[:3] == [Fraction(100, 3), Fraction(200, 3), 100]
    doubling = PPOConfig(timesteps=100, evaluations=2, first_checkpoint=10).checkpoint_times
    assert checkpoints(doubling)[:5] == [10, 20, 40, 80, 130]
    timed = PPOConfig(minutes=1, evaluations=2).checkpoint_times
    assert checkpoints(timed, after=31)[:2] == [60, 90] and timed.in_seconds


def test_the_time_left_is_at_the_speed_so_far() -> None:
    clock = TrainingClock(1000, 0.0, CheckpointTimes(0, 300))
    assert clock.left(0) == "", "no speed is known"
    clock.restart(60)
    assert clock.left(250) == "3 min 0 s of training left"
    assert clock.left(1000) == "training done"
    assert [duration(each) for each in (59.6, 3599.9, 3900)] == [
        "1 min 0 s", "1 h 0 min", "1 h 5 min"
    ]  # fmt: skip
    timed = TrainingClock(None, 120.0, CheckpointTimes(0, 300))
    timed.restart(90)
    assert timed.left(10**9) == "30 s of training left"
    assert timed.progress(10**9) == pytest.approx(0.75, abs=0.01)


def test_a_small_game_has_a_name() -> None:
    small = VARIANTS["3p-1t"]
    assert given("--game", "3p-1t") == {"game": "3p-1t"}
    assert TrainSettings().changed({"game": "3p-1t"}).configs == (small,)
    assert PPOConfig().changed({"game": "3p-1t", "seed": 2}).game == small
    assert command_text(["train"], {"game": "3p-1t"}, TrainSettings) == "train --game 3p-1t"
    with pytest.raises(ValueError, match="--game cannot be combined with --rounds"):
        given("--game", "3p-1t", "--rounds", "2")
    with pytest.raises(ValueError, match=r"game must be one of 2p-1t, .*, not '2p'"):
        TrainSettings().changed({"game": "2p"})
