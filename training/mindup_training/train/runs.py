"""Starts training runs, resumes them, and extends them."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mindup_agents.policy import load_policy
from mindup_agents.policy.file import check_policy
from mindup_env.agent import make_agent
from mindup_env.runs.processes import LOCAL
from mindup_env.runs.run_folder import RUN, check_unused
from mindup_env.settings.checks import check_int
from mindup_training.callbacks import Callback, check_callbacks, make_callbacks
from mindup_training.loggers import check_loggers
from mindup_training.run_folder import TRAIN, AnySettings, RunFolder, make_folder
from mindup_training.settings import RunSettings
from mindup_training.settings.hyperparameters import MAX_TIMESTEPS
from mindup_training.train.checkpoint import load_last_checkpoint
from mindup_training.train.fingerprints import changes_since, fingerprints_of
from mindup_training.train.learner import Learner
from mindup_training.train.loop import run_training
from mindup_training.train.stages import StagedLearner, open_learner


class RunOptions(NamedTuple):
    """How a run is carried out, besides its settings.

    Attributes:
        callbacks: callbacks after those of the settings.
        address: the address of the Ray cluster for RLlib; it does not change the result.
        quiet: whether to print no progress.
    """

    callbacks: Sequence[Callback] = ()
    address: str = LOCAL
    quiet: bool = False


DEFAULT = RunOptions()


class NewRun(NamedTuple):
    """What a new run has besides its settings.

    Attributes:
        out: the folder; a new one in ``runs`` if None.
        label: the beginning of the name of a new one.
        command: the command that repeats the run, for people; by default, one that reads the
            settings from the folder.
        kind: the command that resumes the run.
        details: what else the folder keeps.
    """

    out: Path | None = None
    label: str = TRAIN
    command: str | None = None
    kind: str = TRAIN
    details: Mapping[str, Any] = {}


@contextmanager
def trained_run(
    settings: RunSettings, new: NewRun, options: RunOptions = DEFAULT
) -> Iterator[RunFolder]:
    """Trains from the start; yields the folder of the run, which stays locked.

    The settings must have a number of threads.
    """
    if new.out is not None:
        check_unused(new.out)
    for bot in settings.evaluation_bots:
        for config in settings.tables.values():
            make_agent(bot, config)
    check_loggers(settings.loggers)
    callbacks = _all_callbacks(settings, options)
    with ExitStack() as lock:
        with open_learner(settings, options.address) as learner:
            # The folder comes after the learner: an error above leaves no folder behind.
            _check_policies(learner.now)
            fingerprints = fingerprints_of(settings)
            path = new.out or make_folder(settings.folder_name(new.label))
            command = new.command or shlex.join(["mindup", new.kind, "--preset", str(path / RUN)])
            made = RunFolder.create(
                path,
                new.kind,
                settings,
                command=command,
                fingerprints=fingerprints,
                details=dict(new.details),
            )
            folder = lock.enter_context(made)
            _train(folder, learner, callbacks, quiet=options.quiet)
        yield folder


@contextmanager
def resumed_run(
    path: Path,
    timesteps: int | None = None,
    options: RunOptions = DEFAULT,
    kind: str = TRAIN,
) -> Iterator[RunFolder]:
    """Trains from the last checkpoint; yields the folder of the run, which stays locked.

    Args:
        path: the folder of the run.
        timesteps: a new end for a run that is finished.
        options: how the run is carried out.
        kind: the command that began the run.
    """
    any_settings: Any = AnySettings
    with RunFolder.resume(path, kind, any_settings) as folder:
        if timesteps is not None:
            _extend(folder, timesteps)
        changes = changes_since(folder.fingerprints[0], folder.settings)
        if changes:
            print(f"changed since the run began: {'; '.join(changes)}: results may differ")
        callbacks = _all_callbacks(folder.settings, options)
        with open_learner(folder.settings, options.address) as learner:
            _train(folder, learner, callbacks, quiet=options.quiet)
        yield folder


def _train(
    folder: RunFolder, learner: StagedLearner, callbacks: Sequence[Callback], *, quiet: bool
) -> None:
    if not quiet:
        resume = folder.resume_command
        print(f"run folder: {folder.path}; to resume after an interruption: {resume}")
    for results in (folder.checkpoints, folder.snapshots, folder.policies):
        if results.exists():
            folder.subfolder(results.name)
    run_training(folder, learner, callbacks, quiet=quiet)
    if not quiet:
        print(f"policy: {folder.policy}; learning curve: {folder.curve}")


def _all_callbacks(settings: RunSettings, options: RunOptions) -> list[Callback]:
    check_callbacks(options.callbacks)
    return [*make_callbacks(settings.callbacks), *options.callbacks]


def _check_policies(learner: Learner) -> None:
    """Refuses a policy to start from that does not fit, and a network that no file can hold."""
    policy = learner.policy()
    check_policy(policy)
    path = learner.settings.first_policy
    if path is None:
        return
    found, own = load_policy(Path(path)).description, policy.description
    differences = [
        f"{name} {before}, not {now}"
        for name, before, now in (
            ("features", found.features, own.features),
            ("network", found.network or "of the package", own.network or "of the package"),
            ("widths", " ".join(map(str, found.widths)), " ".join(map(str, own.widths))),
            ("pad_to_players", found.pad_to_players, own.pad_to_players),
            ("rows", found.feature_shape(), own.feature_shape()),
        )
        if before != now
    ]
    if differences:
        raise ValueError(f"a training cannot start from {path}: it has {'; '.join(differences)}")
    for config in own.configs:
        try:
            found.check_plays(config)
        except ValueError as error:
            raise ValueError(f"a training cannot start from {path}: {error}") from None


def _extend(folder: RunFolder, timesteps: int) -> None:
    end = folder.settings.end
    check_int("timesteps", timesteps, 1, MAX_TIMESTEPS)
    if end is None:
        raise ValueError("only a run that is limited by timesteps can be extended")
    if timesteps == end:
        return  # it was extended before, and interrupted
    checkpoint = load_last_checkpoint(folder.checkpoints)
    learned = 0 if checkpoint is None else checkpoint.plain["timesteps"]
    ended = checkpoint is not None and checkpoint.plain.get("end_reason") is not None
    if learned < end and not ended:
        raise ValueError(
            f"only a finished run can be extended, and {folder.path} has learned from {learned} of "
            f"{end} timesteps: finish it with {folder.resume_command}"
        )
    if timesteps <= learned:
        raise ValueError(
            f"timesteps must be above {learned}, which the run has learned from, not {timesteps}"
        )
    folder.extend(learned, timesteps)
