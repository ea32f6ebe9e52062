"""Writes docs/results/baselines: learners and games compared, five seeds each.

python -m tools.baselines

It trains in runs/baselines, and continues there after an interruption.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from mindup_agents.policy import load_policy
from mindup_env import cli
from mindup_env.files import write_text
from mindup_training.experiment import Experiment, ExperimentSettings, run_experiment
from mindup_training.experiment.entry import CommandEntry
from mindup_training.experiment.folder import ExperimentFolder, ExperimentRun
from tools.tables.results import RESULTS

HERE, OUT = Path("tools/baselines"), Path("runs/baselines")
STUDIES = ["learners", "games"]
DATASET = OUT / "dataset"
TEACHER = "predictor"
MADE_DATASET = [
    *("mindup", "dataset", TEACHER, "--deals", "1984", "--format", "npz", "--out", str(DATASET))
]
"""Of its decisions, nine in ten are learned from: 150,000."""
EXPLOITED_SEED = 0
BEST_RESPONSES = "best_responses"
KEPT = RESULTS / "baselines"
_COMMAND = "python -m tools.baselines"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="runs at a time (default 2)")
    workers = parser.parse_args().workers
    cpu_seconds = make_dataset()
    for study in STUDIES:
        experiment = Experiment.read([str(HERE / f"{study}.toml")], {}, {})
        run_experiment(experiment, OUT / study, command=_COMMAND, workers=workers)
    run_experiment(best_responses(), OUT / BEST_RESPONSES, command=_COMMAND, workers=workers)
    keep(cpu_seconds)


def make_dataset() -> float:
    """Makes the dataset that is imitated; returns the CPU time that this took."""
    record = OUT / "dataset.json"
    if not record.exists():
        resumed = ["mindup", "dataset", "--resume", str(DATASET)]
        words = resumed if (DATASET / "dataset.json").exists() else MADE_DATASET
        if status := cli.main(words[1:]):
            sys.exit(status)
        used = getrusage(RUSAGE_CHILDREN)  # the bots play in processes of their own
        write_text(record, json.dumps({"cpu_seconds": used.ru_utime + used.ru_stime}) + "\n")
    seconds: float = json.loads(record.read_text(encoding="utf-8"))["cpu_seconds"]
    return seconds


def best_responses() -> Experiment:
    """``mindup exploit`` against the first policy of each entry, which learns as much as it did."""
    entries = tuple(CommandEntry(run.entry.name, exploit_command(run)) for run in exploited_runs())
    settings = ExperimentSettings(
        seeds=1, first_seed=EXPLOITED_SEED, evaluate_against=(TEACHER,), evaluation_deals=2
    )
    return Experiment(entries, settings)


def exploited_runs() -> Iterator[ExperimentRun]:
    for study in STUDIES:
        for run in ExperimentFolder.read(OUT / study).runs():
            if run.seed == EXPLOITED_SEED:
                yield run


def exploit_command(run: ExperimentRun) -> str:
    (config,) = load_policy(run.paths.policy).description.configs
    return (
        f"mindup exploit policy:{run.paths.policy} --preset {HERE / 'against_bots.toml'} "
        f"--players {config.num_players} --objectives {config.num_objectives} "
        "--timesteps 150_000 --threads 1 --seed {seed} --out {out}"
    )


def keep(dataset_cpu_seconds: float) -> None:
    """Copies the reports, and writes what else the tables need."""
    KEPT.mkdir(exist_ok=True)
    for study in STUDIES:
        shutil.copyfile(OUT / study / "report.json", KEPT / f"{study}.json")
        shutil.copyfile(OUT / study / "curves.png", KEPT / f"{study}-curves.png")
    responses = {run.entry.name: run for run in ExperimentFolder.read(OUT / BEST_RESPONSES).runs()}
    found: dict[str, Any] = {
        "dataset": {"cpu_seconds": dataset_cpu_seconds, "command": MADE_DATASET}
    }
    write_text(KEPT / "runs.json", json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
