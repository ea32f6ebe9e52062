"""Trainings by command: starts and resumes runs of any learner, and ranks their policies."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from mindup_arena import ArenaSettings, draw, print_report, run_arena, write_json
from mindup_env.cli import exit_status
from mindup_env.cli.parser import CommandParser
from mindup_env.runs.options import run_path
from mindup_training.run_folder import RunFolder
from mindup_training.settings import RunSettings, TrainSettings
from mindup_training.settings.options import (
    add_run_options,
    add_settings,
    command_text,
    given_settings,
)
from mindup_training.settings.presets import LEARNERS, SB3, find_learner, read_preset
from mindup_training.trainer.learner import Learner, module_of
from mindup_training.trainer.runs import resumed_run, trained_run

_TRAIN = ["mindup", "train"]


def run_learner(learner: type[Learner], words: Sequence[str] | None = None) -> None:
    """``python -m MODULE``, or ``python FILE``: trains with the options in ``words``.

    The process ends with the exit status of a command if it is not 0.
    """
    module = module_of(learner)
    where = f"{module}:{learner.__name__}"
    name = next((each for each, place in LEARNERS.items() if place == where), where)
    program = ["python", "-m", module] if "." in module else ["python", f"{module}.py"]
    if status := exit_status(partial(run_named, name, words, program, ranks=False)):
        sys.exit(status)


def run_named(
    name: str, words: Sequence[str] | None, program: Sequence[str] = (), *, ranks: bool = True
) -> int:
    """``mindup train --learner NAME WORDS``, or another program with the same options."""
    program = program or [*_TRAIN, "--learner", name]
    # Of a module that is run as a program, the class that all others import by its name.
    learner = find_learner(name)
    parser = CommandParser(
        prog=" ".join(program), description=f"Train a policy with {learner.__name__}."
    )
    add_run_options(parser, preset_default=None)
    add_settings(parser, learner.settings_class, show_defaults=True)
    return run_parsed(parser.parse_args(words), program, name, learner.settings_class, ranks=ranks)


def run_parsed(
    arguments: argparse.Namespace,
    program: Sequence[str] = _TRAIN,
    name: str | None = None,
    settings_class: type[RunSettings] = TrainSettings,
    *,
    ranks: bool = True,
) -> int:
    """Trains, or resumes a run, as parsed options say, and ranks the policy."""
    path, given = run_path(arguments), given_settings(arguments, settings_class)
    if arguments.resume:
        run: AbstractContextManager[RunFolder] = resumed_run(arguments.resume)
    else:
        if (preset := arguments.preset) is None:
            settings, label = settings_class(), str(name).partition(":")[0]
        else:
            settings, label = read_preset(preset, name or SB3), Path(preset).stem
            program = [*program, "--preset", preset]
        if name is not None:
            if not isinstance(settings, settings_class):
                raise ValueError(f"preset {preset} is of the learner {settings.learner}")
            settings = settings.changed({"learner": name})
        settings = settings.changed(given)
        if not settings.threads:
            settings = settings.with_threads()
            given["threads"] = settings.threads
        run = trained_run(settings, path, label=label, command=command_text(program, given))
    with run as folder:
        return rank_policy(folder) if ranks else 0


def rank_policy(folder: RunFolder) -> int:
    """Ranks the policy, alone against copies of each bot it was evaluated against.

    The exit status is 0, or that of forfeits.
    """
    settings, bots = folder.settings, folder.settings.evaluate_against
    if not bots:
        return 0
    arena = ArenaSettings(
        (folder.policy_spec, *bots),
        settings.game,
        deals=settings.evaluation_deals,
        one_vs_field=True,
    )
    print(f"arena: the policy against {' '.join(bots)}, {arena.deals} deals")
    report = run_arena(arena, workers=max(1, settings.threads))
    print_report(report)
    write_json(folder.path / "arena.json", report)
    draw(folder.path / "arena.png", report)
    return report.exit_status
