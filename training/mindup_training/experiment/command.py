"""Train many seeds of several learners, and compare them in one report.

Example: mindup experiment run quick --seeds 5 --sweep ppo.epochs=1,3
"""

import argparse
import os
from dataclasses import replace
from pathlib import Path

from mindup_env.runs.options import add_folder_options, add_workers, run_path, workers_of
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.experiment.folder import read_folder
from mindup_training.experiment.plan import Experiment, ExperimentSettings, read_sweep
from mindup_training.experiment.report_files import print_experiment
from mindup_training.experiment.run import run_experiment
from mindup_training.run_folder import make_folder
from mindup_training.settings.options import command_text

FAILED = 1
"""The exit status if a run failed."""

_NOTES = f"""With --resume, runs that ended are kept, one that was interrupted resumes, and one that
failed is tried again; a larger --seeds adds runs. Each run has one thread unless its entry sets
another number, so results do not depend on the machine. The exit status is {FAILED} if a run
failed. docs/experiments.md describes the files of entries and the report."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _NOTES
    add = parser.add_argument
    add(
        "presets",
        nargs="*",
        metavar="PRESET",
        help="name or path of a preset, or path of a TOML file with [entries]",
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
    add_workers(parser, "number of runs at a time", default="one per core", on_cluster="run")
    out = "folder of the experiment (default: a new one in runs/)"
    add_folder_options(parser, out, beside_resume=["seeds", "workers", "ray"])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("an experiment", "train", *LIBRARIES)
    given = given_options(arguments, ExperimentSettings)
    path, (workers, address) = run_path(arguments), workers_of(arguments, os.cpu_count() or 1)
    if arguments.resume:
        out: Path = arguments.resume
        begun = read_folder(out)
        experiment, command = begun.settings, begun.command
        if given.get("seeds", experiment.settings.seeds) != experiment.settings.seeds:
            seeds = replace(experiment.settings, seeds=given["seeds"])
            experiment = replace(experiment, settings=seeds)
            command += f" && {begun.resume_command} --seeds {given['seeds']}"
    else:
        experiment = Experiment.read(arguments.presets, read_sweep(arguments.sweep), given)
        experiment.check()  # a wrong bot leaves no folder behind
        stems = (Path(each).stem for each in arguments.presets)
        out = path or make_folder("-".join(["experiment", *stems]))
        more = {"sweep": arguments.sweep} if arguments.sweep else {}
        program = ["mindup", "experiment", "run", *arguments.presets]
        command = command_text(program, {**given, **more, "out": out}, ExperimentSettings)
    report = run_experiment(experiment, out, command=command, workers=workers, address=address)
    print_experiment(report)
    print(f"report: {out / 'report.md'}, {out / 'report.json'}, {out / 'curves.png'}")
    return FAILED if report.unfinished else 0
