"""One training with several seeds: how much of a result is chance.

    python several_seeds.py --seeds 5 --timesteps 200000 --opponent planner

Prints the win share of each seed with its interval over deals, their mean with its interval over
seeds, which is what a comparison of two methods needs, and the ranking of all in one arena.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import stats

from mindup_arena import ArenaSettings, print_report, run_arena, win_share_against
from mindup_training.train import PRESETS, train


def mean_and_interval(values: list[float]) -> tuple[float, float, float]:
    """The mean, and the ends of Student's interval of 95 %."""
    mean = float(np.mean(values))
    margin = float(stats.sem(values)) * stats.t.ppf(0.975, len(values) - 1)
    return mean, mean - margin, mean + margin


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=5, help="how many, at least two")
    parser.add_argument("--preset", default="quick", choices=PRESETS)
    parser.add_argument("--timesteps", type=int, default=200_000, help="of each training")
    parser.add_argument("--opponent", default="planner")
    parser.add_argument("--deals", type=int, default=300, help="each in all seat rotations")
    parser.add_argument("--out", type=Path, default=Path("runs/seeds"), help="folder of the runs")
    given = parser.parse_args(words)
    # The bots are evaluated below. One thread gives the same numbers on machines with other cores.
    settings = replace(
        PRESETS[given.preset], timesteps=given.timesteps, evaluate_against=(), threads=1
    )
    config = settings.config()
    bots = []
    shares = []
    for seed in range(given.seeds):
        bot = str(train(replace(settings, seed=seed), given.out / f"seed-{seed}"))
        share = win_share_against(bot, given.opponent, config, given.deals)
        print(f"seed {seed}: {share.value:.3f} ({share.low:.3f} to {share.high:.3f}, over deals)")
        bots.append(bot)
        shares.append(share.value)
    mean, low, high = mean_and_interval(shares)
    print(f"mean of {given.seeds} seeds: {mean:.3f} ({low:.3f} to {high:.3f}, over seeds)")
    print_report(run_arena(ArenaSettings((*bots, given.opponent), config, deals=given.deals)))


if __name__ == "__main__":
    main()
