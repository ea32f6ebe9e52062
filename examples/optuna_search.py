"""Optuna: a search for the settings of a training.

    python optuna_search.py --trials 30 --timesteps 200000

Each trial is a training with settings that Optuna chooses, and its value is the mean win share of
the policy against the bots of the preset, over deals of which it learned nothing. The study
is kept: the same command adds other trials. The best of many was lucky too, so its policy is
measured again on new deals. One run per trial is noisy: train the best settings with several seeds.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import optuna

from mindup_arena import win_share_against
from mindup_training.settings import EVALUATION_SEED, MEASUREMENT_SEED
from mindup_training.train import PRESETS, train


def chosen_settings(trial: optuna.Trial) -> dict[str, Any]:
    """The settings to search, by their names."""
    return {
        "learning_rate": trial.suggest_float("learning_rate", 5e-4, 1e-2, log=True),
        "ent_coef": trial.suggest_float("ent_coef", 1e-3, 1e-1, log=True),
        "gae_lambda": trial.suggest_float("gae_lambda", 0.0, 1.0),
        "epochs": trial.suggest_int("epochs", 1, 4),
    }


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--preset", default="quick", choices=PRESETS)
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--timesteps", type=int, default=200_000, help="of each trial")
    parser.add_argument("--deals", type=int, default=300, help="per bot in the measurement")
    parser.add_argument("--out", type=Path, default=Path("runs/optuna"), help="folder of the runs")
    given = parser.parse_args(words)
    preset = replace(
        PRESETS[given.preset], timesteps=given.timesteps, evaluate_against=(), threads=1
    )

    def win_share(number: int, seed: int) -> float:
        bot = str(given.out / f"trial-{number}")
        shares = [
            win_share_against(bot, opponent, preset.config(), given.deals, seed).value
            for opponent in PRESETS[given.preset].evaluate_against
        ]
        return float(np.mean(shares))

    def objective(trial: optuna.Trial) -> float:
        train(replace(preset, **chosen_settings(trial)), given.out / f"trial-{trial.number}")
        return win_share(trial.number, EVALUATION_SEED)

    given.out.mkdir(parents=True, exist_ok=True)
    study = optuna.create_study(
        study_name="mindup",
        storage=f"sqlite:///{given.out / 'study.db'}",
        load_if_exists=True,
        direction="maximize",
    )
    # With the same seed again, the random trials of the sampler would come again.
    study.sampler = optuna.samplers.TPESampler(seed=len(study.trials))
    study.optimize(objective, n_trials=given.trials)
    best = study.best_trial.number
    share = win_share(best, MEASUREMENT_SEED)
    print(f"best trial {best}, win share on new deals: {share:.3f}, by preset {given.preset} with")
    for name, value in study.best_params.items():
        print(f"  --{name.replace('_', '-')} {value}")


if __name__ == "__main__":
    main()
