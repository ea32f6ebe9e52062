"""Starts training runs, resumes them, and extends them."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from mindup_agents.policy import Policy, load_policy
from mindup_agents.policy.file import check_policy
from mindup_arena.ray_cluster import LOCAL
from mindup_env.agent import make_agent
from mindup_env.settings.checks import check_int
from mindup_training import limits
from mindup_training.callbacks import Callback, check_callbacks, make_callbacks
from mindup_training.code_record import changed_code
from mindup_training.loggers import check_loggers
from mindup_training.run_folder import DESCRIPTION, RunFolder, make_folder, new_run, open_run
from mindup_training.settings import TrainSettings
from mindup_training.train.checkpoint import load_last_checkpoint
from mindup_training.train.learner import Learner
from mindup_training.train.loop import run_training
from mindup_training.train.staged_learner import open_learner


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


@contextmanager
def trained_run(
    settings: TrainSettings,
    words: list[str] | None,
    out: Path | None,
    label: str,
    options: RunOptions = DEFAULT,
) -> Iterator[RunFolder]:
    """Trains from the start; yields the folder of the run, which stays locked.

    Args:
        settings: the settings, with a number of threads.
        words: the command that repeats the run, from the subcommand on; by default, one that reads
            the settings from the folder.
        out: the folder of the run; a new one in ``runs`` if None.
        label: the beginning of the name of a new one.
        options: how the run is carried out.
    """
    for bot in settings.evaluate_against:
        for config in settings.tables.values():
            make_agent(bot, config)
    check_loggers(settings.loggers)
    callbacks = _all_callbacks(settings, options)
    with ExitStack() as lock:
        with open_learner(settings, options.address) as learner:
            # The folder comes after the learner: an error above leaves no folder behind.
            _check_policies(settings, learner)
            path = out or make_folder(label, settings)
            words = words or ["train", "--preset", str(path / DESCRIPTION)]
            folder = lock.enter_context(new_run(path, settings, words))
            _train(folder, learner, callbacks, quiet=options.quiet)
        yield folder


@contextmanager
def resumed_run(
    path: Path, timesteps: int | None = None, options: RunOptions = DEFAULT
) -> Iterator[RunFolder]:
    """Trains from the last checkpoint; yields the folder of the run, which stays locked.

    Args:
        path: the folder of the run.
        timesteps: a new end for a run that is finished.
        options: how the run is carried out.
    """
    with open_run(path) as folder:
        if timesteps is not None:
            _extend(folder, timesteps)
        resume_in(folder, options)
        yield folder


def resume_in(folder: RunFolder, options: RunOptions = DEFAULT) -> None:
    """Trains from the last checkpoint in a folder that is locked."""
    description, settings = folder.description, folder.settings
    changed = {
        "versions": description.changed_versions(),
        "code": changed_code(description.code, settings),
    }
    for what, changes in changed.items():
        if changes:
            print(f"{what} changed since the run began ({'; '.join(changes)}): results may differ")
    callbacks = _all_callbacks(settings, options)
    with open_learner(settings, options.address) as learner:
        _train(folder, learner, callbacks, quiet=options.quiet)


def _train(
    folder: RunFolder, learner: Learner, callbacks: Sequence[Callback], *, quiet: bool
) -> None:
    if quiet:
        run_training(folder, learner, callbacks, quiet=True)
        return
    print(f"run folder: {folder.path}; to resume after an interruption: {folder.resume_command}")
    run_training(folder, learner, callbacks)
    print(f"policy: {folder.policy}; learning curve: {folder.curve}")


def _all_callbacks(settings: TrainSettings, options: RunOptions) -> list[Callback]:
    check_callbacks(options.callbacks)
    return [*make_callbacks(settings.callbacks), *options.callbacks]


def _check_policies(settings: TrainSettings, learner: Learner) -> None:
    """Refuses a policy to start from that does not fit, and a network that no file can hold."""
    policy = Policy(settings.describe_policy(), learner.policy_tensors())
    check_policy(policy)
    if settings.init is not None:
        _check_init(settings.init, policy)


def _check_init(path: str, needed: Policy) -> None:
    found, own = load_policy(Path(path)).description, needed.description
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
    settings = folder.settings
    check_int("timesteps", timesteps, 1, limits.MAX_TIMESTEPS)
    if timesteps == settings.timesteps:
        return  # it was extended before, and interrupted
    if settings.minutes > 0:
        raise ValueError("a run that is limited by minutes cannot be extended")
    checkpoint = load_last_checkpoint(folder.checkpoints)
    learned = 0 if checkpoint is None else checkpoint.plain["timesteps"]
    ended = checkpoint is not None and checkpoint.plain.get("end_reason") is not None
    if learned < settings.timesteps and not ended:
        raise ValueError(
            f"only a finished run can be extended, and {folder.path} has learned from {learned} of "
            f"{settings.timesteps} timesteps: finish it with {folder.resume_command}"
        )
    if timesteps <= learned:
        raise ValueError(
            f"timesteps must be above {learned}, which the run has learned from, not {timesteps}"
        )
    folder.extend(learned, timesteps)
