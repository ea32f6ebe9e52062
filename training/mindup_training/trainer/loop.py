"""The loop of a training run: rollouts, and checkpoints that a run can be resumed from."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from mindup_agents.policy import Policy, load_policy, save_policy
from mindup_arena.estimate import Estimate
from mindup_env.runs.processes import LOCAL
from mindup_training.callbacks import Callbacks
from mindup_training.loggers.protocol import LoggedRun, open_loggers
from mindup_training.run_folder import RunFolder
from mindup_training.settings import RunSettings
from mindup_training.targets import targets_of
from mindup_training.trainer.checkpoint import (
    LearnerState,
    load_last_checkpoint,
    remove_old_checkpoints,
    save_checkpoint,
)
from mindup_training.trainer.evaluation import evaluate
from mindup_training.trainer.learner import Learner, learner_class, prepare_torch
from mindup_training.trainer.progress import SPEED, ProgressView, TrainingClock

OLDEST, NEWEST = "oldest_snapshot", "newest_snapshot"
"""The names of these two among the opponents of an evaluation."""

_ROUNDING = 1e-9
"""Copies of one policy win exactly an equal share, but 1/3 is not exact in floating point."""


class SnapshotPool:
    """Snapshots are policy files in the run folder, named by their timesteps.

    Snapshots that left the pool keep their files. The pool plays with what it reads from the
    files, so a resumed run has the same opponents, bit for bit.
    """

    def __init__(self, folder: RunFolder, taken_at: Sequence[int] = ()) -> None:
        """``taken_at`` are the timesteps of the snapshots, the oldest first."""
        self._folder = folder
        self._snapshots = {timesteps: load_policy(self._path(timesteps)) for timesteps in taken_at}

    @property
    def taken_at(self) -> list[int]:
        return list(self._snapshots)

    @property
    def policies(self) -> list[Policy]:
        """The snapshots, the oldest first."""
        return [*self._snapshots.values()]

    def evaluation_opponents(self) -> dict[str, Policy]:
        """The oldest and the newest snapshot, by name."""
        policies = self.policies
        newest = {NEWEST: policies[-1]} if policies else {}
        return {OLDEST: policies[0], **newest} if len(policies) > 1 else newest

    def offer(self, policy: Policy, timesteps: int, results: Mapping[str, Estimate]) -> bool:
        """Adds a snapshot of the policy if these results allow it, by SNAPSHOT_RULE."""
        settings = self._folder.settings
        if not settings.self_play or timesteps == 0:
            return False
        if self._snapshots and results[NEWEST].value < settings.equal_share - _ROUNDING:
            return False
        self._folder.snapshots.mkdir(exist_ok=True)
        save_policy(policy, self._path(timesteps))
        self._snapshots[timesteps] = load_policy(self._path(timesteps))
        if len(self._snapshots) > settings.self_play.pool_size:
            del self._snapshots[self.taken_at[1]]
        return True

    def _path(self, timesteps: int) -> Path:
        return self._folder.snapshots / f"{timesteps:012d}.safetensors"


class StagedLearner:
    """``now`` is the learner of the present ``stage``, whose number is 0 before the first stage.

    That of each stage is a new one in the state of the one before. A resumed run has a new one in
    the state of a checkpoint in just the same way, so it resumes bit for bit.
    """

    def __init__(self, settings: RunSettings) -> None:
        self._make, self._settings = learner_class(settings), settings
        for each in reversed(settings.stage_settings):  # refuses before the start what cannot be
            self._make(each).stop()
        self.stage = settings.stage_at(0)
        self.now: Learner = self._new()

    def restore(self, state: LearnerState, snapshots: Sequence[Policy]) -> None:
        """Continues from a state, in the stage of its timesteps."""
        stage = self._settings.stage_at(state.plain["timesteps"])
        if stage != self.stage:
            self.now.stop()
            self.stage = stage
            self.now = self._new()
        self.now.restore(state)
        self.set_snapshots(snapshots)

    def set_snapshots(self, snapshots: Sequence[Policy]) -> None:
        """Gives the snapshots, if there are any, their share of the opponents' seats."""
        if self._settings.self_play and snapshots:
            self.now.set_snapshots(snapshots, self._settings.self_play.snapshot_share)

    def _new(self) -> Learner:
        made = self._make((self._settings, *self._settings.stage_settings)[self.stage])
        made.run_settings = self._settings
        if not made.hands_targets and (names := targets_of(made.network)):
            made.stop()
            raise ValueError(
                f"learner {self._settings.learner_name} has no auxiliary loss, which network "
                f"{type(made.network).__name__} needs for its targets {', '.join(names)}: use sb3 "
                "or ppo"
            )
        return made


@contextmanager
def open_learner(settings: RunSettings, address: str = LOCAL) -> Iterator[StagedLearner]:
    """The learner of a run, which ends its processes with the context."""
    prepare_torch(max(1, settings.threads))
    with learner_class(settings).surroundings(settings, address):
        learner = StagedLearner(settings)
        try:
            yield learner
        finally:
            learner.now.stop()


class Training:
    """A run from its last checkpoint, or from the start, to its end."""

    def __init__(self, folder: RunFolder, learner: StagedLearner, callbacks: Callbacks) -> None:
        self._folder, self._learner, self._callbacks = folder, learner, callbacks
        self._settings = settings = folder.settings
        self._clock = TrainingClock(
            learner.now.end, settings.seconds, settings.checkpoint_times, folder.extensions
        )
        remove_old_checkpoints(folder.checkpoints)  # a killed process may not have come to it
        checkpoint = load_last_checkpoint(folder.checkpoints)
        self._pool = SnapshotPool(folder, checkpoint.plain["snapshots"] if checkpoint else ())
        self._resumed_at = None
        if checkpoint:
            self._restore(checkpoint)
            self._resumed_at = self._timesteps
        elif settings.init is not None:
            learner.now.set_policy_tensors(load_policy(settings.init).tensors)
        self._shown_stage = 0

    def _restore(self, checkpoint: LearnerState) -> None:
        try:
            self._learner.restore(checkpoint, self._pool.policies)
        except (LookupError, RuntimeError, TypeError, ValueError) as error:
            raise ValueError(
                f"the last checkpoint in {self._folder.checkpoints} does not fit the learner "
                f"({type(error).__name__}: {error}): resume it with the code that it began with"
            ) from None
        self._clock.restart(checkpoint.plain["seconds"])
        self._callbacks.load_state(checkpoint.plain)

    def run(self, *, quiet: bool) -> None:
        """Trains to the end."""
        folder, settings, clock = self._folder, self._settings, self._clock
        logged = LoggedRun(folder.path, settings.to_dict(), self._resumed_at)
        self._view = view = ProgressView(clock, quiet=quiet)
        with view.bar, open_loggers(settings.loggers, logged, view) as self._loggers:
            self._callbacks.call("on_start", folder.path, self._timesteps)
            if self._resumed_at is None:
                self._save_and_evaluate()
                clock.restart()  # compiling took most of the time so far, and is no training
            else:
                self._go_on_if_extended()
                self._save_policy()  # a run that is resumed after its end writes none otherwise
            while not self._is_over():
                next_checkpoint = clock.next_checkpoint(self._timesteps)
                self._learn()
                if self._is_over() or clock.now(self._timesteps) >= next_checkpoint:
                    self._save_and_evaluate()
            if self._callbacks.end_reason:
                view.print(f"a callback ended the training: {self._callbacks.end_reason}")

    @property
    def _timesteps(self) -> int:
        return self._learner.now.timesteps

    def _is_over(self) -> bool:
        ended = self._callbacks.end_reason is not None
        return ended or self._clock.progress(self._timesteps) >= 1

    def _save_and_evaluate(self) -> None:
        """Saves the policy, evaluates it, offers it to the pool, and saves a checkpoint.

        The checkpoint comes last: a run that resumes from it has done all of this.
        """
        folder, timesteps = self._folder, self._timesteps
        policy = self._save_policy()
        kept = folder.kept_policy(timesteps)
        if kept is not None:
            kept.parent.mkdir(exist_ok=True)
            save_policy(policy, kept)
        results = dict(evaluate(policy, self._settings, self._pool.evaluation_opponents()))
        for logger in self._loggers:
            logger.log_evaluation(timesteps, results)
        self._learner.now.plot(folder)
        if self._pool.offer(policy, timesteps, results):
            self._learner.set_snapshots(self._pool.policies)
            self._view.print(f"{timesteps:>11,} decisions, snapshot added to the pool")
        self._callbacks.call("on_checkpoint", timesteps, policy, results)
        self._go_on_if_extended()
        tensors, plain = self._learner.now.state()
        plain |= {"seconds": self._clock.seconds, "snapshots": self._pool.taken_at}
        plain |= self._callbacks.state()
        save_checkpoint(folder.checkpoints, LearnerState(tensors, plain))

    def _go_on_if_extended(self) -> None:
        """A callback may have ended the run where it was extended later."""
        if any(each.at == self._timesteps for each in self._folder.extensions):
            self._callbacks.end_reason = None

    def _save_policy(self) -> Policy:
        policy = self._learner.now.policy(self._folder.command)
        save_policy(policy, self._folder.policy)
        return policy

    def _learn(self) -> None:
        if self._settings.stage_at(self._timesteps) != self._learner.stage:
            self._learner.restore(self._learner.now.state(), self._pool.policies)
        stage, stages = self._learner.stage, len(self._settings.stages)
        if stage != self._shown_stage:
            self._view.print(f"{self._timesteps:>11,} decisions, stage {stage} of {stages}")
            self._shown_stage = stage
        learner, start, timesteps = self._learner.now, time.monotonic(), self._timesteps
        figures = learner.learn(self._clock.remaining(timesteps))
        if learner.timesteps <= timesteps:
            raise ValueError(
                f"learner {learner.settings.learner} must add the decisions of a rollout to its "
                f"timesteps, which stay at {timesteps}"
            )
        self._refuse_divergence()
        figures[SPEED] = learner.rollout_size / (time.monotonic() - start)
        for logger in self._loggers:
            logger.log_rollout(learner.timesteps, figures)
        self._callbacks.call("on_rollout", learner.timesteps, figures)

    def _refuse_divergence(self) -> None:
        """Ends the run before any file takes weights that no policy can play with."""
        weights = self._learner.now.network.parameters()
        if not all(weight.isfinite().all() for weight in weights):
            raise ValueError(
                f"the training diverged: after {self._timesteps:,} decisions, weights of the "
                "network are not finite. The policy of the last evaluation stays in "
                f"{self._folder.policy}, earlier ones in {self._folder.policies}: train with a "
                "smaller learning rate"
            )
