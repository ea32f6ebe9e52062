"""Any learner from a command line: ``python -m MODULE``, and ``mindup train --learner NAME``."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from mindup_env.agent import find_code
from mindup_env.cli import exit_status
from mindup_training.run_folder import RunFolder
from mindup_training.settings.options import (
    add_run_options,
    add_settings,
    command_text,
    given_settings,
)
from mindup_training.settings.presets import LEARNER, read_any_preset, settings_class_of
from mindup_training.train.learner import Learner, module_of
from mindup_training.train.runs import NewRun, resumed_run, trained_run


def run_learner(learner: type[Learner], words: Sequence[str] | None = None) -> None:
    """``python -m MODULE``, or ``python FILE``: trains with the options in ``words``.

    The process ends with the exit status of a command if it is not 0.
    """
    module, name = module_of(learner), learner_name(learner)
    program = ["python", "-m", module] if "." in module else ["python", f"{module}.py"]
    # Of a module that is run as a program, the class that all others import by its name.
    named: Any = find_code(LEARNER, name).make

    def run() -> int:
        with run_of(named, name, program, words):
            return 0

    if status := exit_status(run):
        sys.exit(status)


@contextmanager
def run_of(
    learner: type[Learner], name: str, program: Sequence[str], words: Sequence[str] | None
) -> Iterator[RunFolder]:
    """Trains a learner, or resumes a run, as words of a command say; yields the folder.

    Args:
        learner: the learner.
        name: its name.
        program: what precedes the words.
        words: the options; those of the process if None.
    """
    settings_class = settings_class_of(learner)
    parser = argparse.ArgumentParser(
        prog=" ".join(program), description=f"Train a policy with {learner.__name__}."
    )
    add_run_options(parser, preset_default=None)
    add_settings(parser, settings_class, show_defaults=True)
    arguments = parser.parse_args(words)
    given = given_settings(arguments, settings_class)
    if arguments.resume:
        timesteps = given.pop("timesteps", None)
        if given or arguments.out or arguments.preset:
            raise ValueError(
                "--resume can only be combined with --timesteps, to extend a finished run: a run "
                "keeps the settings that it began with"
            )
        found = RunFolder.open(arguments.resume).settings.learner_name
        if found != name:
            raise ValueError(f"{arguments.resume} has a run of the learner {found}, not of {name}")
        with resumed_run(arguments.resume, timesteps) as folder:
            yield folder
        return
    settings, label, preset = settings_class(), name.partition(":")[0], list[str]()
    if arguments.preset is not None:
        settings, label = read_any_preset(arguments.preset, name), Path(arguments.preset).stem
        preset = ["--preset", arguments.preset]
    if not isinstance(settings, settings_class):
        raise ValueError(f"preset {arguments.preset} is of the learner {settings.learner_name}")
    settings = settings.changed({**given, "learner": name}).with_threads()
    command = command_text([*program, *preset], given, settings_class)
    with trained_run(settings, NewRun(arguments.out, label, command)) as folder:
        yield folder


def learner_name(learner: type[Learner]) -> str:
    """The registered name of a learner, or its ``module:Class``."""
    where = f"{module_of(learner)}:{learner.__name__}"
    found = [each.name for each in entry_points(group=LEARNER.group or "") if each.value == where]
    return found[0] if found else where
