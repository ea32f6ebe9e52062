"""``mindup train --imitate``: fits a policy, and writes it with its metrics to a folder."""

import argparse
import json
import shlex
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mindup_agents.policy import load_policy, save_policy
from mindup_env.cli import advising
from mindup_env.runs.files import remove_leftovers, write_text
from mindup_env.runs.folder_lock import lock_folder
from mindup_env.runs.run_folder import check_unused
from mindup_env.settings.command_line import given_options
from mindup_env.settings.options import to_words
from mindup_training.dataset import read_dataset
from mindup_training.imitation.config import ImitationConfig
from mindup_training.imitation.curve import plot_errors
from mindup_training.imitation.fit import Epoch, fit
from mindup_training.run_folder import RunPaths
from mindup_training.train.metrics import Metrics
from mindup_training.train.progress import duration


def run(arguments: argparse.Namespace) -> int:
    given = given_options(arguments, ImitationConfig)
    config: ImitationConfig = _defaults(given).changed(given)
    datasets: list[Path] = arguments.imitate
    players = read_dataset(datasets[0]).settings.config.num_players
    out = arguments.out or Path(f"runs/imitate-{players}p-seed{config.seed}")
    words = ["mindup", "train", "--imitate", *map(str, datasets), *to_words(given)]
    if arguments.out is not None:
        words += ["--out", str(out)]
    command = shlex.join(words)
    with advising(lambda: f"an imitation is not resumed; to start it again: {command}"):
        imitate(config, datasets, RunPaths(out), command)
    return 0


def imitate(
    config: ImitationConfig, datasets: Sequence[Path], paths: RunPaths, command: str
) -> None:
    """Fits a policy to datasets and writes it, with its metrics, to a folder."""
    check_unused(paths.path)
    start = time.monotonic()
    with lock_folder(paths.path):
        check_unused(paths.path)
        remove_leftovers(paths.path)
        write_text(paths.path / "imitation.json", _description(config, datasets, command))
        metrics = Metrics(paths, loggers=config.loggers)

        def on_epoch(epoch: Epoch) -> None:
            if epoch.learned is not None:
                metrics.add_rollout(epoch.decisions, _figures(epoch))
            print(f"{_line(epoch)}; {duration(time.monotonic() - start)}", flush=True)

        policy = fit(config, datasets, on_epoch=on_epoch)
        plot_errors(paths)
        save_policy(policy, paths.policy)  # the last file: a folder with it is complete
    print(f"policy: {paths.policy}; learning curve: {paths.curve}")


def _defaults(given: Mapping[str, Any]) -> ImitationConfig:
    """With the features and the widths of the policy to start from."""
    if "start" not in given:
        return ImitationConfig()
    description = load_policy(Path(given["start"])).description
    return ImitationConfig(features=description.features, widths=description.widths)


def _description(config: ImitationConfig, datasets: Sequence[Path], command: str) -> str:
    settings = config.to_dict()
    plain = {"command": command, "datasets": list(map(str, datasets)), "settings": settings}
    return json.dumps(plain, indent=2) + "\n"


def _figures(epoch: Epoch) -> dict[str, float]:
    learned = {} if epoch.learned is None else epoch.learned._asdict()
    held_out = {f"held_out_{name}": value for name, value in epoch.held_out._asdict().items()}
    return {**learned, **held_out}


def _line(epoch: Epoch) -> str:
    errors = epoch.held_out
    return (
        f"epoch {epoch.number:>3}, {epoch.decisions:>11,} decisions, held out: policy loss "
        f"{errors.policy_loss:.4f}, same card {errors.accuracy:.1%}, value error "
        f"{errors.value_error:.4f}"
    )
