"""Writes docs/results/baselines: learners and games compared, five seeds each.

python -m tools.baselines

It trains in runs/baselines, and continues there after an interruption.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from mindup_agents.policy import load_policy
from mindup_env.runs.files import write_text
from mindup_training.dataset import DatasetSettings, make_dataset
from mindup_training.dataset.card import command_of
from mindup_training.experiment import Experiment, report_folders, run_experiment
from mindup_training.experiment.folder import read_folder
from mindup_training.loggers.csv_files import TIMESTEPS, read_csv_log
from tools.tables.baselines import BEST_RESPONSES, GAMES, LEARNERS, TABLES
from tools.tables.reports import RESULTS

HERE, OUT = Path("tools/baselines"), Path("runs/baselines")
EXPERIMENTS = LEARNERS, BEST_RESPONSES, GAMES, TABLES
"""The files of entries; best responses are to policies of the learners."""
DATASET = DatasetSettings(("predictor",), deals=1323, format="npz")
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
        make_dataset(DATASET, OUT / "dataset", workers=arguments.workers)
        for name in EXPERIMENTS:
            plan = Experiment.read([str(HERE / f"{name}.toml")], {}, {})
            report = run_experiment(plan, OUT / name, command=_COMMAND, workers=arguments.workers)
            if failed := len(report.unfinished):
                sys.exit(f"{failed} runs failed, see above: the same command tries them again")
    keep(RESULTS / "baselines")


def keep(folder: Path) -> None:
    """Writes the reports, their curves, and what else the tables need."""
    (folder / TABLES).mkdir(parents=True, exist_ok=True)
    dataset = {"command": command_of(DATASET, str(OUT / "dataset"))}
    kept: dict[str, Any] = {"command": _COMMAND, "dataset": dataset}
    for name in EXPERIMENTS:
        kept[name] = runs_of(name) if (OUT / name).exists() else {}
        if not kept[name]:
            continue
        report_folders([OUT / name])
        for path in (OUT / TABLES).glob("*/report.json") if name == TABLES else ():
            shutil.copyfile(path, folder / TABLES / f"{path.parent.name}.json")
        if name in (LEARNERS, GAMES):
            shutil.copyfile(OUT / name / "report.json", folder / f"{name}.json")
            shutil.copyfile(OUT / name / "curves.png", folder / f"{name}.png")
    write_text(folder / "runs.json", json.dumps(kept, indent=2) + "\n")


def runs_of(name: str) -> dict[str, Any]:
    """The runs of each entry: seed, command, decisions, CPU time; or that of a best response."""
    runs: dict[str, Any] = {}
    for run in read_folder(OUT / name).runs():
        record = run.result()
        if record is None:
            continue
        decisions = load_policy(run.paths.policy).description.about.get("decisions")
        if decisions is None:  # an imitation: those of its first pass
            decisions = read_csv_log(run.paths.metrics)[0][TIMESTEPS]
        described = {
            "seed": run.seed,
            "command": record.command,
            "decisions": int(decisions),
            "cpu_seconds": record.cpu_seconds,
        }
        if name == BEST_RESPONSES:
            measured = json.loads((run.path / "exploit.json").read_text(encoding="utf-8"))
            runs[run.entry.name] = {**described, **measured}
        else:
            runs.setdefault(run.entry.name, []).append(described)
    return runs


if __name__ == "__main__":
    main()
