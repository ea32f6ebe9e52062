"""Begins training runs, and resumes them."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mindup_arena.ray_cluster import LOCAL, connected
from mindup_env import cli
from mindup_env.agent import make_agent
from mindup_training.learner import Learner
from mindup_training.run import train
from mindup_training.run_folder import RunFolder
from mindup_training.sb3.learner import Sb3Learner
from mindup_training.settings import TrainSettings, read_preset


def begin(preset: str, given: dict[str, Any], out: Path | None, address: str = LOCAL) -> None:
    """Trains by a preset, in which ``given`` replaces settings.

    The address is that of the Ray cluster, if RLlib is to learn; it changes no result.
    """
    asked = read_preset(preset).changed(given)
    settings = settled(asked)
    if settings is not asked:
        given = {**given, "threads": settings.threads}
    arguments = ["--preset", preset, *_words(given)]
    for bot in settings.evaluate_against:
        make_agent(bot, settings.configs[0])
    with _learner(settings, address) as learner:
        # After the learner: what cannot be made leaves no folder behind.
        path = out or free_folder(Path(preset).stem, settings)
        folder = RunFolder.create(path, settings, ["train", *arguments])
        train_in(folder, learner)
    _rank(folder)


def settled(settings: TrainSettings) -> TrainSettings:
    """With a number of threads: with another, sums are rounded otherwise.

    What is to be repeated must say it.
    """
    return settings if settings.threads else settings.changed({"threads": os.cpu_count()})


def resume(path: Path, address: str = LOCAL) -> None:
    folder = RunFolder.open(path)
    resume_in(folder, address)
    _rank(folder)


def resume_in(folder: RunFolder, address: str = LOCAL) -> None:
    changed = folder.changed_versions()
    if changed:
        print(f"an unbroken run might end otherwise: it began with {'; '.join(changed)}")
    with _learner(folder.settings, address) as learner:
        train_in(folder, learner)


def train_in(folder: RunFolder, learner: Learner) -> None:
    again = f"mindup {folder.subcommand} --resume {folder.path}"
    print(f"the run is in {folder.path}; if it ends early: {again}")
    train(folder, learner)
    print(f"the policy is in {folder.policy}; its learning curve in {folder.curve}")


@contextmanager
def _learner(settings: TrainSettings, address: str) -> Iterator[Learner]:
    if settings.rllib is None:
        if address != LOCAL:
            raise ValueError("only RLlib learns on a cluster: add --rllib to --address")
        yield Sb3Learner(settings)
        return
    with connected(address, settings.rllib.env_runners):
        from mindup_training.rllib.learner import RllibLearner  # noqa: PLC0415  # it needs Ray

        learner = RllibLearner(settings)
        try:
            yield learner
        finally:
            learner.stop()


def _words(given: Mapping[str, Any]) -> Iterator[str]:
    """The settings as arguments; a section is a switch, with arguments of its own."""
    for name, value in given.items():
        yield f"--{name.replace('_', '-')}"
        if isinstance(value, Mapping):
            yield from _words(value)
        else:
            yield from map(str, value if isinstance(value, list) else [value])


def _rank(folder: RunFolder) -> None:
    """The policy against the bots that it was evaluated against, one at a table."""
    settings = folder.settings
    config = settings.configs[0]
    arguments = ["--one-vs-field", "--players", config.num_players]
    arguments += ["--objectives", config.num_objectives]
    arguments += ["--deals", settings.evaluation_deals, "--json", folder.path / "arena.json"]
    arguments += ["--picture", folder.path / "arena.png"]
    bots = [f"policy:{folder.policy}", *settings.evaluate_against]
    cli.main(["arena", *bots, *map(str, arguments)])


def free_folder(about: str, settings: TrainSettings) -> Path:
    name = f"{about}-{settings.players}p-seed{settings.seed}"
    number = 1
    while (path := Path("runs") / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return path
