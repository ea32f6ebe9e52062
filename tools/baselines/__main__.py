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
from mindup_env.runs.files import write_text
from mindup_env.runs.run_folder import has_run
from mindup_training.experiment import (
    Experiment,
    ExperimentSettings,
    report_folders,
    run_experiment,
)
from mindup_training.experiment.folder import ExperimentRun, RunRecord, read_folder
from mindup_training.experiment.plan import CommandEntry
from mindup_training.experiment.report_files import REPORT
from mindup_training.loggers.csv_files import TIMESTEPS, read_csv_log
from tools.tables.baselines import BEST_RESPONSES, LEARNERS, STUDIES, TABLES
from tools.tables.results import RESULTS

HERE, OUT = Path("tools/baselines"), Path("runs/baselines")
EXPLOITED_SEED = 0
TEACHER = "predictor"
DATASET = OUT / "dataset"
MAKE_DATASET = [
    *("mindup", "dataset", TEACHER, "--deals", "1323", "--format", "npz", "--out", str(DATASET))
]
"""Nine in ten of its decisions are learned from: about as many as the other learners have."""
_COMMAND = "python -m tools.baselines"


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="runs at a time (default 2)")
    parser.add_argument(
        "--report", action="store_true", help="run nothing; write reports of the runs that ended"
    )
    arguments = parser.parse_args(words)
    if not arguments.report:
        run_all(arguments.workers)
    keep(RESULTS / "baselines")


def run_all(workers: int) -> None:
    """Runs what has not run yet."""
    make_dataset()
    for study in STUDIES:
        compare(Experiment.read([str(HERE / f"{study}.toml")], {}, {}), study, workers)
        if study == LEARNERS:
            compare(best_responses(), BEST_RESPONSES, workers)


def make_dataset() -> None:
    """Makes the dataset that is imitated, and a file with the CPU time that this took."""
    record = OUT / "dataset.json"
    if record.exists():
        return
    resumed = ["mindup", "dataset", "--resume", str(DATASET)]
    words = resumed if has_run(DATASET) else MAKE_DATASET
    if status := cli.main(words[1:]):
        sys.exit(status)
    used = getrusage(RUSAGE_CHILDREN)  # the bots play in processes of their own
    write_text(record, json.dumps({"cpu_seconds": used.ru_utime + used.ru_stime}) + "\n")


def compare(experiment: Experiment, name: str, workers: int) -> None:
    report = run_experiment(experiment, OUT / name, command=_COMMAND, workers=workers)
    if report.unfinished:
        sys.exit(
            f"{len(report.unfinished)} runs failed, see above: the same command tries them again"
        )


def best_responses() -> Experiment:
    """``mindup exploit`` against one policy of each learner, with the decisions of the preset."""
    entries = tuple(
        CommandEntry(run.entry.name, exploit_command(run))
        for run, _ in ended_runs(LEARNERS)
        if run.seed == EXPLOITED_SEED
    )
    settings = ExperimentSettings(
        seeds=1, first_seed=EXPLOITED_SEED, evaluate_against=(TEACHER,), evaluation_deals=2
    )
    return Experiment(entries, settings)


def exploit_command(run: ExperimentRun) -> str:
    return (
        f"mindup exploit policy:{run.paths.policy} --preset {HERE / 'against_bots.toml'} "
        "--features position-1 --minutes 0 --threads 1 --seed {seed} --out {out}"
    )


def ended_runs(study: str) -> Iterator[tuple[ExperimentRun, RunRecord]]:
    """The runs of an experiment that have ended; none if it has not begun."""
    if has_run(OUT / study):
        for run in read_folder(OUT / study).runs():
            record = run.read_record()
            if record is not None and record.is_done:
                yield run, record


def keep(folder: Path) -> None:
    """Writes the reports, their curves, and what else the tables need."""
    folder.mkdir(parents=True, exist_ok=True)
    took = json.loads((OUT / "dataset.json").read_text(encoding="utf-8"))
    dataset = {"command": shlex.join(MAKE_DATASET), **took}
    kept: dict[str, Any] = {"command": _COMMAND, "dataset": dataset}
    for study in STUDIES:
        runs: dict[str, Any] = {}
        for run, record in ended_runs(study):
            runs.setdefault(run.entry.name, []).append(described(run, record))
        if runs:
            keep_report(study, folder)
        kept[study] = runs
    kept[BEST_RESPONSES] = {
        run.entry.name: {**described(run, record), **measured(run)}
        for run, record in ended_runs(BEST_RESPONSES)
    }
    write_text(folder / "runs.json", json.dumps(kept, indent=2) + "\n")


def keep_report(study: str, folder: Path) -> None:
    """Writes the report of a study, or one for each number of players that its entries share."""
    made = OUT / f"report-{study}"
    report_folders([OUT / study], made)
    if study == TABLES:
        (folder / study).mkdir(exist_ok=True)
        for path in made.glob(f"*/{REPORT}"):
            shutil.copyfile(path, folder / study / f"{path.parent.name}.json")
    else:
        shutil.copyfile(made / REPORT, folder / f"{study}.json")
        shutil.copyfile(made / "curves.png", folder / f"{study}.png")


def described(run: ExperimentRun, record: RunRecord) -> dict[str, Any]:
    """The seed, the command, the decisions and the CPU time of a run."""
    decisions = load_policy(run.paths.policy).description.about.get("decisions")
    if decisions is None:  # an imitation: those of its first pass
        decisions = read_csv_log(run.paths.metrics)[0][TIMESTEPS]
    return {
        "seed": run.seed,
        "command": record.command,
        "decisions": int(decisions),
        "cpu_seconds": record.cpu_seconds,
    }


def measured(run: ExperimentRun) -> dict[str, Any]:
    """The win share of a best response."""
    plain: dict[str, Any] = json.loads((run.path / "exploit.json").read_text(encoding="utf-8"))
    return plain


if __name__ == "__main__":
    main()
