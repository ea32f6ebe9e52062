"""Plays in Numba's simulator of a GPU: ``python -m tests.cuda.simulated HOW FOLDER CASE...``.

``games`` plays the cases; ``lanes`` writes their observations by several threads for each game;
``features`` computes features; ``train-cuda`` and ``train-cpu`` train with the critics that are
named as cases; ``benchmark`` measures the device.
"""

import sys
import warnings
from pathlib import Path
from threading import current_thread
from typing import Any

import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDAModule

from mindup_env import GameConfig, IllegalActionWarning, cli
from mindup_env.bench import measuring
from mindup_env.cuda import kernels
from mindup_env.observation import wide_writes, writer
from tests.cuda.playing import CASES, FEW, Shown, play, play_features

GAME = GameConfig(num_players=2, num_rounds=1, hand_size=2, num_cards=FEW)


def play_in_lanes(case: str) -> Shown:
    simulated: Any = FakeCUDAModule
    threads: Any = current_thread
    simulated.syncwarp = lambda _self: threads().syncthreads()  # not simulated by Numba itself
    kernels.LANES = 4
    for in_lanes in kernels.IN_LANES:
        for module in (wide_writes, writer):
            setattr(module, in_lanes.__name__, in_lanes)
    return play(CASES[case], "cuda", episodes=1)


def train(device: str, critic: str) -> dict[str, Any]:
    """The tensors of the policy after a rollout and its update, and the metrics."""
    from mindup_training.ppo import PPO, PPOConfig  # noqa: PLC0415  # loads PyTorch

    ppo = PPO(PPOConfig(game=GAME, num_envs=2, batch_size=8, device=device, critic=critic))
    metrics = ppo.learn(1.0)
    return {**ppo.policy().tensors, **metrics}


HOW = {
    "games": lambda case: play(CASES[case], "cuda"),
    "lanes": play_in_lanes,
    "features": lambda case: play_features(CASES[case], "cuda"),
    "train-cuda": lambda critic: train("cuda", critic),
    "train-cpu": lambda critic: train("cpu", critic),
}

if __name__ == "__main__":
    how, folder, *cases = sys.argv[1:]
    warnings.simplefilter("ignore", IllegalActionWarning)
    if how == "benchmark":
        measuring._PERIODS = 1
        words = "bench", "env", "--device", "cuda", "--players", "2", "--num-envs", "1"
        assert cli.main([*words, "--seconds", "0.001"]) == 0
    for each in cases:
        np.savez(Path(folder, f"{each}.npz"), **HOW[how](each))  # type: ignore[no-untyped-call]
