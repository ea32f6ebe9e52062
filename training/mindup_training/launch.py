"""Begins training runs, and resumes them."""

import os
from pathlib import Path
from typing import Any

from mindup_env import cli
from mindup_env.agent import make_agent
from mindup_training.learner import Learner
from mindup_training.run_folder import RunFolder
from mindup_training.sb3.learner import Sb3Learner
from mindup_training.session import train
from mindup_training.settings import Settings, read_preset


def begin(preset: str, given: dict[str, Any], out: Path | None) -> None:
    """Trains by a preset, in which ``given`` replaces settings."""
    asked = read_preset(preset).changed(given)
    settings = settled(asked)
    if settings is not asked:
        given = {**given, "threads": settings.threads}
    arguments = ["--preset", preset]
    for name, value in given.items():
        values = list(value) if isinstance(value, list | dict) else [value]  # a switch has none
        arguments += [f"--{name.replace('_', '-')}", *map(str, values)]
    for bot in settings.evaluate_against:
        make_agent(bot, settings.configs[0])
    learner = Sb3Learner(settings)  # before the folder: what cannot be made leaves none behind
    path = out or free_folder(Path(preset).stem, settings)
    folder = RunFolder.create(path, settings, ["train", *arguments])
    train_in(folder, learner)
    _rank(folder)


def settled(settings: Settings) -> Settings:
    """With a number of threads: with another, sums are rounded otherwise.

    What is to be repeated must say it.
    """
    return settings if settings.threads else settings.changed({"threads": os.cpu_count()})


def resume(path: Path) -> None:
    folder = RunFolder.open(path)
    resume_in(folder)
    _rank(folder)


def train_in(folder: RunFolder, learner: Learner) -> None:
    again = f"mindup {folder.subcommand} --resume {folder.path}"
    print(f"the run is in {folder.path}; if it ends early: {again}")
    train(folder, learner)
    print(f"the policy is in {folder.policy}; its learning curve in {folder.curve}")


def resume_in(folder: RunFolder) -> None:
    changed = folder.changed_versions()
    if changed:
        print(f"an unbroken run might end otherwise: it began with {'; '.join(changed)}")
    train_in(folder, Sb3Learner(folder.settings))


def _rank(folder: RunFolder) -> None:
    """The policy among the bots that it was evaluated against."""
    settings = folder.settings
    config = settings.configs[0]
    arguments = ["--players", config.num_players, "--objectives", config.num_objectives]
    arguments += ["--deals", settings.evaluation_deals, "--json", folder.path / "arena.json"]
    arguments += ["--picture", folder.path / "arena.png"]
    bots = [f"policy:{folder.policy}", *settings.evaluate_against]
    cli.main(["arena", *bots, *map(str, arguments)])


def free_folder(about: str, settings: Settings) -> Path:
    name = f"{about}-{settings.players}p-seed{settings.seed}"
    number = 1
    while (path := Path("runs") / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return path
