"""Starts training runs, and resumes them."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mindup_agents.policy import load_policy
from mindup_agents.policy.file import check_policy
from mindup_env.agent import make_agent
from mindup_env.runs.run_folder import RUN, check_unused
from mindup_training.callbacks import Callbacks
from mindup_training.run_folder import ANY_SETTINGS, TRAIN, RunFolder, make_folder
from mindup_training.settings import RunSettings
from mindup_training.settings.presets import find_learner
from mindup_training.trainer.learner import Learner, check_start, prepare_torch
from mindup_training.trainer.loop import Training


@contextmanager
def trained_run(
    settings: RunSettings,
    out: Path | None = None,
    *,
    label: str = TRAIN,
    kind: str = TRAIN,
    command: str | None = None,
    details: Mapping[str, Any] | None = None,
    quiet: bool = False,
) -> Iterator[RunFolder]:
    """Trains from the start; yields the folder of the run, which stays locked.

    The arguments are those of ``mindup_training.train``; the settings must have a number of
    threads. A new folder in ``runs`` has a name that begins with ``label``. ``kind`` is the command
    that resumes the run, ``command`` the one that repeats it, for people; by default, it reads the
    settings from the folder, which also keeps ``details``.
    """
    if out is not None:
        check_unused(out)
    for bot in settings.evaluate_against:
        make_agent(bot, settings.game)
    callbacks, learner = Callbacks(settings.callbacks), _make_learner(settings)
    # The folder comes after the learner: an error above leaves no folder behind.
    _check_policies(learner)
    path = out or make_folder(f"{label}-{settings.game.num_players}p-seed{settings.seed}")
    with RunFolder.create(
        path,
        kind,
        settings,
        command=command or shlex.join(["mindup", kind, "--preset", str(path / RUN)]),
        details=dict(details or {}),
    ) as folder:
        _train(folder, learner, callbacks, quiet=quiet)
        yield folder


@contextmanager
def resumed_run(path: Path, *, kind: str = TRAIN, quiet: bool = False) -> Iterator[RunFolder]:
    """Trains from the checkpoint; yields the folder of the run, which stays locked.

    ``kind`` is the command that began it.
    """
    with RunFolder.resume(path, kind, ANY_SETTINGS) as folder:
        callbacks = Callbacks(folder.settings.callbacks)
        _train(folder, _make_learner(folder.settings), callbacks, quiet=quiet)
        yield folder


def _make_learner(settings: RunSettings) -> Learner:
    prepare_torch(settings.threads)
    learner_class: type[Learner] = find_learner(settings.learner)
    needed, given = learner_class.settings_class, type(settings)
    if not isinstance(settings, needed):
        raise ValueError(
            f"learner {settings.learner} takes {needed.__name__}, not {given.__name__}"
        )
    return learner_class(settings)


def _train(folder: RunFolder, learner: Learner, callbacks: Callbacks, *, quiet: bool) -> None:
    if not quiet:
        resume = folder.resume_command
        print(f"run folder: {folder.path}; to resume after an interruption: {resume}")
    Training(folder, learner, callbacks, quiet=quiet).run()
    if not quiet:
        print(f"policy: {folder.policy}; learning curve: {folder.curve}")


def _check_policies(learner: Learner) -> None:
    """Refuses a policy to start from that does not fit, and a network that no file can hold."""
    policy = learner.policy()
    check_policy(policy)
    path = learner.settings.init
    if path is None:
        return
    found = load_policy(path).description
    try:
        found.check_plays(learner.settings.game)
    except ValueError as error:
        raise ValueError(f"a training cannot start from {path}: {error}") from None
    check_start(path, found, policy.description)
