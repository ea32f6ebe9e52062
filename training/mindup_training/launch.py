"""Trainings by command: starts and resumes runs of any learner, and ranks their policies."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindup_arena import ArenaSettings, Report, draw, print_report, run_arena, write_json
from mindup_env.agent import find_code
from mindup_env.cli import exit_status
from mindup_env.cli.parser import CommandParser
from mindup_env.config import GameConfig
from mindup_env.runs.options import run_path
from mindup_env.runs.processes import LOCAL
from mindup_training.own_code import LEARNER
from mindup_training.run_folder import RunFolder
from mindup_training.settings import RunSettings, TrainSettings
from mindup_training.settings.options import (
    add_run_options,
    add_settings,
    command_text,
    given_settings,
)
from mindup_training.settings.presets import read_any_preset, settings_class_of
from mindup_training.trainer.learner import Learner, module_of
from mindup_training.trainer.runs import resumed_run, trained_run

_TRAIN = ["mindup", "train"]
_PLANNER = "planner"


def run_learner(learner: type[Learner], words: Sequence[str] | None = None) -> None:
    """``python -m MODULE``, or ``python FILE``: trains with the options in ``words``.

    The process ends with the exit status of a command if it is not 0.
    """
    module = module_of(learner)
    where = f"{module}:{learner.__name__}"
    registered = entry_points(group=LEARNER.group or "")
    name = next((each.name for each in registered if each.value == where), where)
    program = ["python", "-m", module] if "." in module else ["python", f"{module}.py"]
    if status := exit_status(partial(run_named, name, words, program, ranks=False)):
        sys.exit(status)


def run_named(
    name: str, words: Sequence[str] | None, program: Sequence[str] = (), *, ranks: bool = True
) -> int:
    """``mindup train --learner NAME WORDS``, or another program with the same options."""
    program = program or [*_TRAIN, "--learner", name]
    # Of a module that is run as a program, the class that all others import by its name.
    learner: Any = find_code(LEARNER, name).make
    settings_class = settings_class_of(learner)
    parser = CommandParser(
        prog=" ".join(program), description=f"Train a policy with {learner.__name__}."
    )
    add_run_options(parser, preset_default=None, beside_resume=["timesteps"])
    add_settings(parser, settings_class, show_defaults=True)
    return run_parsed(parser.parse_args(words), program, name, settings_class, ranks=ranks)


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
    address = getattr(arguments, "ray", None) or LOCAL
    if arguments.resume:
        if name and (found := RunFolder.open(arguments.resume).settings.learner_name) != name:
            raise ValueError(f"{path} has a run of the learner {found}, not of {name}")
        run: AbstractContextManager[RunFolder] = resumed_run(
            arguments.resume, given.get("timesteps"), address=address
        )
    else:
        if (preset := arguments.preset) is None:
            settings, label = settings_class(), str(name).partition(":")[0]
        else:
            settings = read_any_preset(preset, name or TrainSettings.learner)
            label, program = Path(preset).stem, [*program, "--preset", preset]
        if name is not None:
            if not isinstance(settings, settings_class):
                raise ValueError(f"preset {preset} is of the learner {settings.learner_name}")
            settings = settings.changed({"learner": name})
        settings = settings.changed(given)
        if not settings.threads:
            settings = settings.with_threads()
            given["threads"] = settings.threads
        command = command_text(program, given, type(settings))
        run = trained_run(settings, path, label=label, command=command, address=address)
    with run as folder:
        return rank_policy(folder) if ranks else 0


def rank_policy(folder: RunFolder) -> int:
    """Ranks the policy, alone against copies of each bot it was evaluated against.

    A policy for several numbers of players is ranked with each of them. The exit status is 0, or
    that of forfeits.
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
        if line := standing(report):
            print(line)
        status = max(status, report.exit_status)
    return status


def standing(report: Report) -> str | None:
    """Where the first bot of a report stands among the bots of the package; None if not known.

    The others were measured against planner, in the published game for four players.
    """
    config, bots = report.settings.config, report.settings.bots
    if config != GameConfig() or _PLANNER not in bots:
        return None
    own = next(each for each in report.cross_table if each.field == bots.index(_PLANNER))
    shares = json.loads((files("mindup_training") / "against_planner.json").read_bytes())
    shares |= {f"{_PLANNER} itself": 100 / config.num_players, "this policy": own.win_share.value}
    ranked = sorted(shares.items(), key=lambda each: each[1])
    return "win share in % against three planner: " + ", ".join(
        f"{name} {share:.1f}" for name, share in ranked
    )
