"""Optuna: a search for the settings of a training.

    python optuna_search.py --trials 30 --timesteps 200000

Each trial is a training with settings that Optuna chooses, and its value is the mean
win share of the final policy. The study is kept: the same command adds trials. One run per trial
is noisy: the script ends with the settings as a preset, to be trained with several seeds.
"""

import argparse
from pathlib import Path
from typing import Any

import optuna

from mindup_training import TrainingResult, read_preset, train


def chosen_settings(trial: optuna.Trial) -> dict[str, Any]:
    """The settings to search, by the names of a preset."""
    return {
        "learning_rate": trial.suggest_float("learning_rate", 1e-4, 3e-3, log=True),
        "ent_coef": trial.suggest_float("ent_coef", 1e-3, 1e-1, log=True),
        "gae_lambda": trial.suggest_float("gae_lambda", 0.0, 1.0),
        "epochs": trial.suggest_int("epochs", 1, 8),
    }


def final_win_share(result: TrainingResult) -> float:
    """The mean win share of the last evaluation, over the bots."""
    evaluations = result.evaluations
    last = evaluations["timesteps"] == evaluations["timesteps"].max()
    return float(evaluations["value"][last].mean())


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--preset", default="quick")
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--timesteps", type=int, default=200_000, help="of each trial")
    parser.add_argument("--deals", type=int, default=300, help="per bot in an evaluation")
    parser.add_argument("--out", type=Path, default=Path("runs/optuna"), help="folder of the runs")
    given = parser.parse_args(words)

    def objective(trial: optuna.Trial) -> float:
        changes = {
            "timesteps": given.timesteps,
            "evaluation_deals": given.deals,
            "threads": 1,
            **chosen_settings(trial),
        }
        settings = read_preset(given.preset).changed(changes)
        return final_win_share(train(settings, out=given.out / f"trial-{trial.number}", quiet=True))

    given.out.mkdir(parents=True, exist_ok=True)
    study = optuna.create_study(
        study_name="mindup",
        storage=f"sqlite:///{given.out / 'study.db'}",
        load_if_exists=True,
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=0),
    )
    study.optimize(objective, n_trials=given.trials)
    print(f"best win share: {study.best_value:.3f}; its settings of preset {given.preset}:\n")
    for name, value in study.best_params.items():
        print(f"{name} = {value}")


if __name__ == "__main__":
    main()
