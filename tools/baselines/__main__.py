"""Writes docs/results/baselines: learners and games compared, five seeds each.

python -m tools.baselines

It trains in runs/baselines, and continues there after an interruption.
"""

import argparse
import json
import shlex
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
from mindup_training.loggers.csv_files import TIMESTEPS, read_csv_log
from tools.tables.results import RESULTS

HERE, OUT = Path("tools/baselines"), Path("runs/baselines")
LEARNERS, GAMES = "learners", "games"
"""The files of entries."""
BEST_RESPONSES = "best_responses"
EXPLOITED_SEED = 0
TEACHER = "predictor"
DATASET = OUT / "dataset"
MAKE_DATASET = [
    *("mindup", "dataset", TEACHER, "--deals", "1323", "--format", "npz", "--out", str(DATASET))
]
"""Nine in ten of its decisions are learned from: about as many as the other learners have."""
_COMMAND = "python -m tools.baselines"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="runs at a time (default 2)")
    workers = parser.parse_args().workers
    dataset = make_dataset()
    compare(Experiment.read([str(HERE / f"{LEARNERS}.toml")], {}, {}), LEARNERS, workers)
    compare(best_responses(), BEST_RESPONSES, workers)
    compare(Experiment.read([str(HERE / f"{GAMES}.toml")], {}, {}), GAMES, workers)
    keep(RESULTS / "baselines", dataset)


def make_dataset() -> dict[str, Any]:
    """Makes the dataset that is imitated; returns its command and CPU time."""
    record = OUT / "dataset.json"
    if not record.exists():
        resumed = ["mindup", "dataset", "--resume", str(DATASET)]
        words = resumed if (DATASET / "dataset.json").exists() else MAKE_DATASET
        if status := cli.main(words[1:]):
            sys.exit(status)
        used = getrusage(RUSAGE_CHILDREN)  # the bots play in processes of their own
        write_text(record, json.dumps({"cpu_seconds": used.ru_utime + used.ru_stime}) + "\n")
    seconds = json.loads(record.read_text(encoding="utf-8"))["cpu_seconds"]
    return {"command": shlex.join(MAKE_DATASET), "cpu_seconds": seconds}


def compare(experiment: Experiment, name: str, workers: int) -> None:
    run_experiment(experiment, OUT / name, command=_COMMAND, workers=workers)


def best_responses() -> Experiment:
    """``mindup exploit`` against one policy of each learner, from as many decisions as it had."""
    entries = tuple(
        CommandEntry(run.entry.name, exploit_command(run))
        for run in runs_of(LEARNERS)
        if run.seed == EXPLOITED_SEED
    )
    settings = ExperimentSettings(
        seeds=1, first_seed=EXPLOITED_SEED, evaluate_against=(TEACHER,), evaluation_deals=2
    )
    return Experiment(entries, settings)


def runs_of(study: str) -> Iterator[ExperimentRun]:
    yield from ExperimentFolder.read(OUT / study).runs()


def exploit_command(run: ExperimentRun) -> str:
    return (
        f"mindup exploit policy:{run.paths.policy} --preset {HERE / 'against_bots.toml'} "
        "--features position-1 --timesteps 100_000 --threads 1 --seed {seed} --out {out}"
    )


def keep(folder: Path, dataset: dict[str, Any]) -> None:
    """Copies the reports and the curves, and writes what else the tables need."""
    folder.mkdir(exist_ok=True)
    entries: dict[str, Any] = {}
    for study in (LEARNERS, GAMES):
        shutil.copyfile(OUT / study / "report.json", folder / f"{study}.json")
        shutil.copyfile(OUT / study / "curves.png", folder / f"{study}.png")
        for run in runs_of(study):
            entries.setdefault(run.entry.name, {"runs": []})["runs"].append(described(run))
    for run in runs_of(BEST_RESPONSES):
        measured = json.loads((run.path / "exploit.json").read_text(encoding="utf-8"))
        entries[run.entry.name]["best_response"] = {**described(run), **measured}
    plain = {"command": _COMMAND, "dataset": dataset, "entries": entries}
    write_text(folder / "runs.json", json.dumps(plain, indent=2) + "\n")


def described(run: ExperimentRun) -> dict[str, Any]:
    """The seed, the command, the decisions and the CPU time of a run."""
    record = run.read_record()
    if record is None:
        raise ValueError(f"{run} has not ended")
    decisions = load_policy(run.paths.policy).description.about.get("decisions")
    if decisions is None:  # an imitation: those of its first pass
        decisions = read_csv_log(run.paths.metrics)[1][TIMESTEPS]
    return {
        "seed": run.seed,
        "command": record.command,
        "decisions": int(decisions),
        "cpu_seconds": record.cpu_seconds,
    }


if __name__ == "__main__":
    main()
