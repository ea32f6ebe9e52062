"""Train many seeds of several learners, and compare them in one report."""

import argparse
import os
import shlex
from pathlib import Path
from typing import Any

from mindup_arena.ray_cluster import LOCAL
from mindup_arena.run import MAX_WORKERS
from mindup_env.cli import advising
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, flag, given_options
from mindup_env.settings.extras import require
from mindup_env.settings.options import to_words
from mindup_training.api import LIBRARIES
from mindup_training.experiment.plan import Experiment
from mindup_training.experiment.run import report_folders, run_experiment
from mindup_training.experiment.settings import ExperimentSettings
from mindup_training.experiment.sweep import read_sweep
from mindup_training.experiment.terminal import print_experiment

REPORT = "report"
"""The first word of the command that makes the report again."""
FAILED = 1
"""The exit status if a run failed."""

_NOTES = f"""The same command continues an experiment that was interrupted: runs that ended are
kept, one that was interrupted resumes, and one that failed is tried again. Each run has one thread
unless its entry sets another number, so results do not depend on the machine. The exit status is
{FAILED} if a run failed. {REPORT} FOLDER... runs nothing: it makes the report of a folder again, or
that of several folders with different seeds together (--out). docs/experiments.md describes the
files of entries and the report."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _NOTES
    add = parser.add_argument
    add(
        "presets",
        nargs="+",
        metavar="PRESET",
        help="name or path of a preset, or path of a TOML file with [entries]; or the word report "
        "and FOLDER...",
    )
    add_options(parser, ExperimentSettings)
    add(
        "--sweep",
        nargs="+",
        default=[],
        metavar="SETTING=VALUE,...",
        help="run each preset with each value, such as ppo.learning_rate=1e-4,3e-4; several "
        "settings make a grid",
    )
    add(
        "--workers",
        type=int,
        metavar="N",
        help="number of runs at a time (default: one per core)",
    )
    add(
        "--ray",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help="run on all cores of a Ray cluster instead: auto for the cluster of this machine, or "
        "ray://HOST:10001; without an address, Ray is started on this machine",
    )
    add("--out", type=Path, metavar="FOLDER", help="folder (default: by the presets, in runs/)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("an experiment", "train", *LIBRARIES)
    given = given_options(arguments, ExperimentSettings)
    first, *folders = arguments.presets
    if first == REPORT:
        _check_report(arguments, given)
        report = report_folders([Path(folder) for folder in folders], arguments.out)
        print_experiment(report)
        return 0
    workers = _workers(arguments)
    experiment = Experiment.read(arguments.presets, read_sweep(arguments.sweep), given)
    out = arguments.out or Path("runs") / "-".join(
        ["experiment", *(Path(preset).stem for preset in arguments.presets)]
    )
    words = ["mindup", "experiment", *arguments.presets, *to_words(given)]
    words += ["--sweep", *arguments.sweep] if arguments.sweep else []
    words += ["--out", str(out)]
    where = ["--workers", str(arguments.workers)] if arguments.workers else []
    where = ["--ray", arguments.ray] if arguments.ray else where
    with advising(lambda: f"to continue: {shlex.join([*words, *where])}"):
        report = run_experiment(
            experiment, out, command=shlex.join(words), workers=workers, address=arguments.ray
        )
    print_experiment(report)
    print(f"report: {out / 'report.md'}, {out / 'report.json'}, {out / 'curves.png'}")
    return FAILED if report.unfinished else 0


def _workers(arguments: argparse.Namespace) -> int:
    if arguments.ray is not None and arguments.workers is not None:
        raise ValueError("--ray uses all cores of the cluster: leave out --workers")
    if arguments.workers is None:
        return os.cpu_count() or 1
    return check_int("--workers", arguments.workers, 1, MAX_WORKERS)


def _check_report(arguments: argparse.Namespace, given: dict[str, Any]) -> None:
    wrong = [*given, *(name for name in ("sweep", "workers", "ray") if getattr(arguments, name))]
    if wrong:
        raise ValueError(
            f"report runs nothing: it takes folders and --out, not {' '.join(map(flag, wrong))}"
        )
