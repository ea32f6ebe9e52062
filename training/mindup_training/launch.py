"""Trainings by command: starts and resumes runs of any learner, and ranks their policies."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from mindup_arena import ArenaSettings, draw, print_report, run_arena, write_json
from mindup_env.agent import find_code
from mindup_env.cli import exit_status
from mindup_env.runs.processes import LOCAL
from mindup_training.run_folder import RunFolder
from mindup_training.settings import RunSettings
from mindup_training.settings.options import (
    add_run_options,
    add_settings,
    command_text,
    given_settings,
)
from mindup_training.settings.presets import LEARNER, read_any_preset, settings_class_of
from mindup_training.trainer.learner import Learner, module_of
from mindup_training.trainer.runs import NewRun, resumed_run, trained_run


def start_run(
    preset: str, given: dict[str, Any], out: Path | None = None, address: str = LOCAL
) -> int:
    """Trains a policy with a preset and ranks it.

    Args:
        preset: the name of a preset, or the path of a TOML file.
        given: settings that override those of the preset, by their names.
        out: the folder of the run; a new one in ``runs`` if None.
        address: the address of the Ray cluster for RLlib; it does not change the result.

    Returns:
        the exit status: 0, or that of forfeits in the ranking.
    """
    words, new = ["mindup", "train", "--preset", preset], NewRun(out, Path(preset).stem)
    with _started(read_any_preset(preset), given, words, new, address) as folder:
        return rank_policy(folder)


def resume_run(path: Path, address: str = LOCAL, timesteps: int | None = None) -> int:
    """Resumes a run from its last checkpoint, bit for bit, and ranks the policy.

    Args:
        path: the folder of the run.
        address: the address of the Ray cluster for RLlib.
        timesteps: a new end for a run that is finished.

    Returns:
        the exit status: 0, or that of forfeits in the ranking.
    """
    with resumed_run(path, timesteps, address=address) as folder:
        return rank_policy(folder)


def run_named(name: str, words: Sequence[str]) -> int:
    """``mindup train --learner NAME WORDS``: trains a learner and ranks the policy."""
    learner: Any = find_code(LEARNER, name).make
    with _run_of(learner, name, ["mindup", "train", "--learner", name], words) as folder:
        return rank_policy(folder)


def run_learner(learner: type[Learner], words: Sequence[str] | None = None) -> None:
    """``python -m MODULE``, or ``python FILE``: trains with the options in ``words``.

    The process ends with the exit status of a command if it is not 0.
    """
    module = module_of(learner)
    where = f"{module}:{learner.__name__}"
    registered = [
        each.name for each in entry_points(group=LEARNER.group or "") if each.value == where
    ]
    name = registered[0] if registered else where
    program = ["python", "-m", module] if "." in module else ["python", f"{module}.py"]
    # Of a module that is run as a program, the class that all others import by its name.
    named: Any = find_code(LEARNER, name).make

    def run() -> int:
        with _run_of(named, name, program, words):
            return 0

    if status := exit_status(run):
        sys.exit(status)


@contextmanager
def _run_of(
    learner: type[Learner], name: str, program: Sequence[str], words: Sequence[str] | None
) -> Iterator[RunFolder]:
    """Trains a learner, or resumes a run, as words of a command say; yields the folder."""
    settings_class = settings_class_of(learner)
    parser = argparse.ArgumentParser(
        prog=" ".join(program), description=f"Train a policy with {learner.__name__}."
    )
    add_run_options(parser, preset_default=None)
    add_settings(parser, settings_class, show_defaults=True)
    arguments = parser.parse_args(words)
    given = given_settings(arguments, settings_class)
    path, preset = arguments.resume, arguments.preset
    if path:
        timesteps = timesteps_of_resumed(given, arguments.out or preset, "--timesteps, to")
        found = RunFolder.open(path).settings.learner_name
        if found != name:
            raise ValueError(f"{path} has a run of the learner {found}, not of {name}")
        with resumed_run(path, timesteps) as folder:
            yield folder
        return
    chosen, label = settings_class(), name.partition(":")[0]
    if preset is not None:
        chosen, label = read_any_preset(preset, name), Path(preset).stem
        program = [*program, "--preset", preset]
    if not isinstance(chosen, settings_class):
        raise ValueError(f"preset {preset} is of the learner {chosen.learner_name}")
    chosen = chosen.changed({"learner": name})
    with _started(chosen, given, program, NewRun(arguments.out, label)) as folder:
        yield folder


def timesteps_of_resumed(given: dict[str, Any], other: Any, allowed: str) -> int | None:
    """The new end of a run that is resumed; refuses all else that the command line sets."""
    timesteps: int | None = given.pop("timesteps", None)
    if given or other:
        raise ValueError(
            f"--resume can only be combined with {allowed} extend a finished run: a run keeps the "
            "settings that it began with"
        )
    return timesteps


@contextmanager
def _started(
    chosen: RunSettings,
    given: dict[str, Any],
    program: Sequence[str],
    new: NewRun,
    address: str = LOCAL,
) -> Iterator[RunFolder]:
    """Trains with settings, of which some are given; the run has the command that sets these."""
    settings = chosen.changed(given)
    if not settings.threads:
        settings = settings.with_threads()
        given = {**given, "threads": settings.threads}
    new = new._replace(command=command_text(program, given, type(settings)))
    with trained_run(settings, new, address=address) as folder:
        yield folder


def rank_policy(folder: RunFolder) -> int:
    """Ranks the policy, alone against copies of each bot it was evaluated against.

    A policy for several numbers of players is ranked with each of them.

    Returns:
        the exit status: 0, or that of forfeits.
    """
    settings, bots = folder.settings, folder.settings.evaluation_bots
    several, status = len(settings.tables) > 1, 0
    for players, config in settings.tables.items() if bots else ():
        arena = ArenaSettings(
            (folder.policy_spec, *bots), config, deals=settings.evaluation_deals, one_vs_field=True
        )
        at_table = f" with {players} players" if several else ""
        print(f"arena: the policy against {' '.join(bots)}{at_table}, {arena.deals} deals")
        report = run_arena(arena, workers=max(1, settings.threads))
        print_report(report)
        name = f"arena-{players}p" if several else "arena"
        write_json(folder.path / f"{name}.json", report)
        draw(folder.path / f"{name}.png", report)
        status = max(status, report.exit_status)
    return status
