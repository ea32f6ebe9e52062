"""Compare learners: a number of decisions, several seeds, and new deals against four bots.

    python learning_track.py --learners maskable ppo --seeds 5 --decisions 250000

A learner is a function of a seed, a number of decisions and a folder, which returns the name of a
bot; add your own to ``LEARNERS``. Every policy plays deals of its own, so that the intervals over
the seeds hold the chance of the trainings and that of the deals.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import stats

from mindup_arena import win_share_against
from mindup_env import GameConfig
from mindup_training import ppo
from mindup_training.torch_setup import prepare_torch
from mindup_training.train import PRESETS, train

CONFIG = GameConfig(num_players=4)
RIVALS = "greedy", "planner", "predictor", "search"
FIRST_DEALS = 10**9
"""The seed of the deals for the first policy; no training has it."""


def train_maskable(seed: int, decisions: int, folder: Path) -> str:
    """MaskablePPO of sb3-contrib, as in ``mindup train``: one seat against bots."""
    settings = replace(
        PRESETS["quick"], timesteps=decisions, seed=seed, evaluate_against=(), threads=1
    )
    return str(train(settings, folder))


def train_ppo(seed: int, decisions: int, folder: Path) -> str:
    """The PPO of the package: self-play in all seats."""
    prepare_torch(1)
    settings = ppo.Settings(timesteps=decisions, seed=seed, evaluations=1, evaluation_deals=2)
    ppo.train(ppo.PPO(settings), folder)
    return str(folder)


LEARNERS: dict[str, Callable[[int, int, Path], str]] = {
    "maskable": train_maskable,
    "ppo": train_ppo,
}


def shown(shares: np.ndarray) -> str:
    """The mean of win shares in %, and Student's interval of 95 %."""
    mean = 100 * shares.mean()
    margin = 100 * stats.sem(shares) * stats.t.ppf(0.975, len(shares) - 1)
    return f"{mean:.1f} ± {margin:.1f}"


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=[*LEARNERS])
    parser.add_argument("--seeds", type=int, default=5, help="how many, at least two")
    parser.add_argument("--decisions", type=int, default=250_000, help="of each training")
    parser.add_argument("--rivals", nargs="+", default=RIVALS)
    parser.add_argument("--deals", type=int, default=100, help="each in all seat rotations")
    parser.add_argument("--out", type=Path, default=Path("runs/track"), help="folder of the runs")
    given = parser.parse_args(words)
    lines = [["learner", *given.rivals, "seconds of a core"], ["---"] * (len(given.rivals) + 2)]
    for learner in given.learners:
        shares = np.zeros((given.seeds, len(given.rivals)))
        begun = time.process_time()
        bots = [
            LEARNERS[learner](seed, given.decisions, given.out / f"{learner}-{seed}")
            for seed in range(given.seeds)
        ]
        seconds = (time.process_time() - begun) / given.seeds
        for seed, bot in enumerate(bots):
            for index, rival in enumerate(given.rivals):
                deals = FIRST_DEALS + seed
                share = win_share_against(bot, rival, CONFIG, given.deals, deals)
                shares[seed, index] = share.value
        lines.append([learner, *map(shown, shares.T), f"{seconds:.0f}"])
    print(f"\nWin shares in % ({given.seeds} seeds, {given.decisions:,} decisions each)\n")
    for line in lines:
        print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main()
