"""Every hyperparameter reaches MaskablePPO, and the schedules of the learning rate."""

import inspect
from typing import Any

import pytest
from sb3_contrib import MaskablePPO

from mindup_training.learners.sb3.learner import Sb3Learner
from mindup_training.settings import PPOSettings, RllibSettings, TrainSettings

SMALL: dict[str, Any] = {
    "players": 3,
    "game": {"num_rounds": 1, "hand_size": 3},
    "widths": [4, 4, 4],
    "threads": 1,
    "ppo": {"num_envs": 8, "batch_size": 8},
}
NO_SETTINGS = {
    "policy", "env", "n_steps", "policy_kwargs", "seed", "device", "verbose", "tensorboard_log",
    "stats_window_size", "rollout_buffer_class", "rollout_buffer_kwargs", "_init_setup_model",
}  # fmt: skip
"""What the learner sets by itself: SB3 counts steps of an environment, the settings games."""


def learner(**ppo: Any) -> Any:
    return Sb3Learner(TrainSettings().changed(SMALL).changed({"ppo": ppo}))


def test_every_hyperparameter_of_maskable_ppo_is_a_setting() -> None:
    changed = {
        "learning_rate": 0.25, "batch_size": 4, "epochs": 7, "gamma": 0.5, "gae_lambda": 0.25,
        "clip_range": 0.125, "clip_range_vf": 0.375, "normalize_advantage": False,
        "ent_coef": 0.0625, "vf_coef": 0.75, "max_grad_norm": 2.0, "target_kl": 0.03125,
    }  # fmt: skip
    names = {"epochs": "n_epochs"}
    accepted = {*inspect.signature(MaskablePPO).parameters} - NO_SETTINGS
    assert {names.get(name, name) for name in changed} == accepted
    made = learner(**changed)
    made.learn(1.0)
    for name, value in changed.items():
        found = getattr(made._model, names.get(name, name))
        assert (found(1.0) if callable(found) else found) == value, name


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [("linear", [1, 0.75, 0.5, 0]), ("constant", [1, 1, 1, 1]), ("cosine", [1, 0.854, 0.5, 0])],
)
def test_the_learning_rate_follows_its_schedule(schedule: str, rates: list[float]) -> None:
    made = learner(learning_rate=0.01, learning_rate_schedule=schedule)
    for remaining, rate in zip((1.0, 0.75, 0.5, 0.0), rates, strict=True):
        figures = made.learn(remaining)
        assert figures["train/learning_rate"] == pytest.approx(0.01 * rate, abs=1e-5)


@pytest.mark.parametrize(
    ("ppo", "said"),
    [
        ({"learning_rate_schedule": "steps"}, "must be linear, cosine, constant, not 'steps'"),
        ({"target_kl": 0}, "target_kl must be above 0 and at most 100.0, not 0"),
        ({"clip_range_vf": "x"}, "clip_range_vf must be a finite number, not 'x'"),
        ({"normalize_advantage": 1}, "normalize_advantage must be true or false, not 1"),
    ],
)
def test_a_wrong_hyperparameter_is_refused(ppo: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TrainSettings().changed({"ppo": ppo})


def test_rllib_refuses_what_it_does_not_have() -> None:
    ppo = PPOSettings(target_kl=0.5, normalize_advantage=False)
    with pytest.raises(ValueError, match="normalize_advantage, target_kl cannot be combined with"):
        TrainSettings(ppo=ppo, rllib=RllibSettings())
