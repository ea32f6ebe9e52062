"""Train many seeds of several learners, and compare them in one report."""

import argparse
import os
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from typing import Any

from mindup_env.runs.options import add_folder_options, add_workers, workers_of
from mindup_env.runs.run_folder import check_unused
from mindup_env.settings.command_line import add_options, flag, given_options
from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.experiment.folder import read_folder
from mindup_training.experiment.plan import Experiment, ExperimentSettings, read_sweep
from mindup_training.experiment.report_files import print_experiment
from mindup_training.experiment.run import report_folders, run_experiment
from mindup_training.settings.options import command_text

REPORT = "report"
"""The first word of the command that makes the report again."""
FAILED = 1
"""The exit status if a run failed."""
_OWN = "out", "resume", "sweep", "workers", "ray"
"""The options that are no settings of the experiment."""

_NOTES = f"""With --resume, runs that ended are kept, one that was interrupted resumes, and one that
failed is tried again; a larger --seeds adds runs. Each run has one thread unless its entry sets
another number, so results do not depend on the machine. Without --out, the folder is in runs/. The
exit status is {FAILED} if a run failed. {REPORT} FOLDER... runs nothing: it makes the report of a
folder again, or that of several folders with different seeds together (--out). docs/experiments.md
describes the files of entries and the report."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _NOTES
    add = parser.add_argument
    add(
        "presets",
        nargs="*",
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
    add_workers(parser, "number of runs at a time", default="one per core", on_cluster="run")
    add_folder_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("an experiment", "train", *LIBRARIES)
    given = given_options(arguments, ExperimentSettings)
    presets, out = arguments.presets, arguments.out
    if presets[:1] == [REPORT]:
        _refuse(arguments, given, "report runs nothing: it takes folders and --out", {"out"})
        print_experiment(report_folders([Path(folder) for folder in presets[1:]], out))
        return 0
    workers, address = workers_of(arguments, os.cpu_count() or 1)
    if arguments.resume:
        said = "--resume can only be combined with --seeds, --workers and --ray"
        _refuse(arguments, given, said, {"resume", "seeds", "workers", "ray"})
        if presets:
            raise ValueError(f"{said}, not {' '.join(presets)}")
        out, begun = arguments.resume, read_folder(arguments.resume)
        experiment, command = begun.settings, begun.command
        if given.get("seeds", experiment.settings.seeds) != experiment.settings.seeds:
            seeds = replace(experiment.settings, seeds=given["seeds"])
            experiment = replace(experiment, settings=seeds)
            command += f" && {begun.resume_command} --seeds {given['seeds']}"
    else:
        experiment = Experiment.read(presets, read_sweep(arguments.sweep), given)
        out = out or Path("runs", "-".join(["experiment", *(Path(each).stem for each in presets)]))
        check_unused(out)
        more = {"sweep": arguments.sweep} if arguments.sweep else {}
        program = ["mindup", "experiment", *presets]
        command = command_text(program, {**given, **more, "out": out}, ExperimentSettings)
    report = run_experiment(experiment, out, command=command, workers=workers, address=address)
    print_experiment(report)
    print(f"report: {out / 'report.md'}, {out / 'report.json'}, {out / 'curves.png'}")
    return FAILED if report.unfinished else 0


def _refuse(
    arguments: argparse.Namespace, given: dict[str, Any], said: str, accepted: AbstractSet[str]
) -> None:
    """Refuses the options that mean nothing here."""
    names = {*given, *(name for name in _OWN if getattr(arguments, name))}
    if wrong := sorted(names - accepted):
        raise ValueError(f"{said}, not {' '.join(map(flag, wrong))}")
