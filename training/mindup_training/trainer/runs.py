"""Starts training runs, resumes them, and extends them."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from mindup_agents.mixture import parse_share
from mindup_agents.policy import load_policy
from mindup_agents.policy.file import check_policy, policy_path
from mindup_env.agent import agent_options, find_agent, find_code, make_agent, names_code
from mindup_env.runs.fingerprints import (
    LIBRARIES,
    Fingerprints,
    changed,
    hash_code,
    hash_file,
    machine_versions,
    versions_of,
)
from mindup_env.runs.processes import LOCAL
from mindup_env.runs.run_folder import RUN, check_unused
from mindup_env.settings.checks import check_int
from mindup_training.callbacks import Callback, Callbacks
from mindup_training.loggers.protocol import check_loggers
from mindup_training.own_code import named_code
from mindup_training.run_folder import ANY_SETTINGS, TRAIN, RunFolder, make_folder
from mindup_training.settings import RunSettings
from mindup_training.settings.hyperparameters import MAX_TIMESTEPS
from mindup_training.trainer.checkpoint import load_last_checkpoint
from mindup_training.trainer.learner import Learner, check_start
from mindup_training.trainer.loop import StagedLearner, Training, open_learner

_TRAINED_WITH = *LIBRARIES, "torch", "stable-baselines3", "sb3-contrib"


@contextmanager
def trained_run(  # noqa: PLR0913  # what a new run has besides its settings
    settings: RunSettings,
    out: Path | None = None,
    *,
    label: str = TRAIN,
    kind: str = TRAIN,
    command: str | None = None,
    details: Mapping[str, Any] | None = None,
    callbacks: Sequence[Callback] = (),
    address: str = LOCAL,
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
    for bot in settings.evaluation_bots:
        for config in settings.tables.values():
            make_agent(bot, config)
    check_loggers(settings.loggers)
    all_callbacks = Callbacks(settings.callbacks, callbacks)
    with ExitStack() as lock:
        with open_learner(settings, address) as learner:
            # The folder comes after the learner: an error above leaves no folder behind.
            _check_policies(learner.now)
            fingerprints = fingerprints_of(settings)
            path = out or make_folder(settings.folder_name(label))
            made = RunFolder.create(
                path,
                kind,
                settings,
                command=command or shlex.join(["mindup", kind, "--preset", str(path / RUN)]),
                fingerprints=fingerprints,
                details=dict(details or {}),
            )
            folder = lock.enter_context(made)
            _train(folder, learner, all_callbacks, quiet=quiet)
        yield folder


@contextmanager
def resumed_run(
    path: Path,
    timesteps: int | None = None,
    callbacks: Sequence[Callback] = (),
    address: str = LOCAL,
    *,
    kind: str = TRAIN,
    quiet: bool = False,
) -> Iterator[RunFolder]:
    """Trains from the last checkpoint; yields the folder of the run, which stays locked.

    The arguments are those of ``mindup_training.resume``; ``kind`` is the command that began it.
    """
    with RunFolder.resume(path, kind, ANY_SETTINGS) as folder:
        if timesteps is not None:
            _extend(folder, timesteps)
        # What it started from is in the checkpoint, and may be gone.
        now = fingerprints_of(folder.settings, with_init=False)
        if names := changed(folder.fingerprints, now):
            print(f"{', '.join(names)} changed since the run began: results may differ")
        all_callbacks = Callbacks(folder.settings.callbacks, callbacks)
        with open_learner(folder.settings, address) as learner:
            _train(folder, learner, all_callbacks, quiet=quiet)
        yield folder


def fingerprints_of(settings: RunSettings, *, with_init: bool = True) -> Fingerprints:
    """The versions of libraries, and hashes of all code of the user's own."""
    libraries = (*_TRAINED_WITH, "ray") if settings.learner_name == "rllib" else _TRAINED_WITH
    found: dict[str, str] = {**machine_versions(), **versions_of(libraries)}
    bots = [*settings.evaluation_bots]
    for stage in (settings, *settings.stage_settings):
        bots += [parse_share(text).spec for text in getattr(stage, "opponents", ())]
        for kind, text in named_code(stage):
            if names_code(text):
                found[f"{kind.name} {text}"] = hash_code(find_code(kind, text), {})
    for bot in filter(names_code, bots):
        code = find_agent(bot)
        found[f"bot {bot}"] = hash_code(code, agent_options(code))
    if settings.init is not None and with_init:
        found[f"init {settings.init}"] = hash_file(policy_path(settings.init))
    return found


def _train(folder: RunFolder, learner: StagedLearner, callbacks: Callbacks, *, quiet: bool) -> None:
    if not quiet:
        resume = folder.resume_command
        print(f"run folder: {folder.path}; to resume after an interruption: {resume}")
    for results in (folder.checkpoints, folder.snapshots, folder.policies):
        if results.exists():
            folder.subfolder(results.name)
    Training(folder, learner, callbacks).run(quiet=quiet)
    if not quiet:
        print(f"policy: {folder.policy}; learning curve: {folder.curve}")


def _check_policies(learner: Learner) -> None:
    """Refuses a policy to start from that does not fit, and a network that no file can hold."""
    policy = learner.policy()
    check_policy(policy)
    path = learner.settings.init
    if path is None:
        return
    found, own = load_policy(path).description, policy.description
    for config in own.configs:
        try:
            found.check_plays(config)
        except ValueError as error:
            raise ValueError(f"a training cannot start from {path}: {error}") from None
    check_start(path, found, own)


def _extend(folder: RunFolder, timesteps: int) -> None:
    end = folder.settings.end
    check_int("timesteps", timesteps, 1, MAX_TIMESTEPS)
    if end is None:
        raise ValueError("only a run that is limited by timesteps can be extended")
    if timesteps == end:
        return  # it was extended before, and interrupted
    plain = getattr(load_last_checkpoint(folder.checkpoints), "plain", {"timesteps": 0})
    learned = plain["timesteps"]
    if learned < end and plain.get("end_reason") is None:
        raise ValueError(
            f"only a finished run can be extended, and {folder.path} has learned from {learned} of "
            f"{end} timesteps: finish it with {folder.resume_command}"
        )
    if timesteps <= learned:
        raise ValueError(
            f"timesteps must be above {learned}, which the run has learned from, not {timesteps}"
        )
    folder.extend(learned, timesteps)
