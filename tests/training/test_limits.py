"""Numbers of settings that each are in their range, but not together."""

from typing import Any

import pytest

from mindup_agents.policy import Widths
from mindup_env import GameConfig
from mindup_training.ppo import PPOConfig
from mindup_training.settings import TrainSettings


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"ppo": {"num_envs": 65536, "rollout_games": 1024}}, "a rollout must have 2 to 4194304"),
        ({"ppo": {"num_envs": 1, "batch_size": 20}}, "must not leave a minibatch of a single"),
        ({"game": {"num_rounds": 1, "hand_size": 2}, "ppo": {"num_envs": 1}}, "a rollout must"),
        ({"widths": [4096, 4096, 4096]}, "a network with the widths 4096 4096 4096 has"),
        (
            {"objectives": [0] * 300},
            "num_envs must be at least 300, one for each number of players and of objectives",
        ),
        ({"opponents": ["1" + 400 * "0" + ":random"]}, "the weight of an opponent must be above 0"),
        ({"ppo": {"learning_rate": 10**400}}, "learning_rate must be a finite number|above 0"),
        ({"ppo": {"batch_size": 1}}, "batch_size must be 2 to 4194304, not 1"),
        ({"ppo": {"gae_lambda": 5}}, "gae_lambda must be 0 to 1, not 5"),
        ({"minutes": float("inf")}, "minutes must be a finite number, not inf"),
        ({"minutes": 1e9}, "minutes must be 0 to 525600"),
        ({"evaluation_deals": 10**9}, "evaluation_deals must be 1 to 1000000"),
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_refused(plain: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TrainSettings().changed(plain)


def test_ppo_in_one_file_refuses_the_same() -> None:
    with pytest.raises(ValueError, match="a rollout must have"):
        PPOConfig(GameConfig(6), num_envs=65536)
    with pytest.raises(ValueError, match="a network with the widths"):
        PPOConfig(widths=Widths(4096, 4096, 4096))


def test_many_checkpoints_are_counted_and_not_listed() -> None:
    settings = TrainSettings(timesteps=10**12, checkpoint_every=1)
    assert next(settings.checkpoint_times.after(10**11)) == 10**11 + 1
    assert settings.checkpoint_times.count_between(10**11, 10**12) == 9 * 10**11 - 1
    doubling = TrainSettings(first_checkpoint=10, checkpoint_every=50)
    counted = [
        doubling.checkpoint_times.count_between(0, before) for before in (10, 11, 40, 80, 81, 131)
    ]
    assert counted == [0, 1, 2, 3, 4, 5]
