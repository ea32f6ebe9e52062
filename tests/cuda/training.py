"""Trains for a rollout on a device: ``python -m tests.cuda.training DEVICE CRITIC FILE``."""

import sys
from typing import Any

import numpy as np

from mindup_env import GameConfig
from mindup_training.ppo import PPO, PPOConfig

GAME = GameConfig(num_players=3, num_rounds=1, hand_size=3)


def train(device: str, critic: str) -> dict[str, Any]:
    """The tensors of the policy after a rollout and its update, and the metrics."""
    ppo = PPO(PPOConfig(game=GAME, num_envs=4, batch_size=8, device=device, critic=critic))
    metrics = ppo.learn(1.0)
    return {**ppo.policy().tensors, **metrics}


if __name__ == "__main__":
    np.savez(sys.argv[3], **train(*sys.argv[1:3]))
