"""The loop of a training run: rollouts, and checkpoints that a run can be resumed from."""

import time
from collections.abc import Sequence
from pathlib import Path

from mindup_agents.policy import Policy, load_policy, save_policy
from mindup_env.settings.checks import check_int
from mindup_training.callbacks import Callback, Callbacks
from mindup_training.run_folder import RunFolder
from mindup_training.train.checkpoint import (
    LearnerState,
    load_last_checkpoint,
    remove_old_checkpoints,
    save_checkpoint,
)
from mindup_training.train.curve import plot_learning_curve
from mindup_training.train.evaluation import evaluate
from mindup_training.train.learner import Learner
from mindup_training.train.metrics import Metrics
from mindup_training.train.progress import ProgressView, TrainingClock
from mindup_training.train.snapshot_pool import SnapshotPool


def run_training(
    folder: RunFolder, learner: Learner, callbacks: Sequence[Callback] = (), *, quiet: bool = False
) -> None:
    """Trains to the end, starting from the last checkpoint if there is one."""
    remove_old_checkpoints(folder.checkpoints)  # a killed process may not have come to it
    checkpoint = load_last_checkpoint(folder.checkpoints)
    clock = TrainingClock(folder.settings, folder.description.extensions)
    pool = restore(folder, checkpoint, learner, clock) if checkpoint else SnapshotPool(folder)
    asked = Callbacks(callbacks)
    if checkpoint:
        asked.load_state(checkpoint.plain)
    elif folder.settings.init is not None:
        learner.set_policy_tensors(load_policy(Path(folder.settings.init)).tensors)
    metrics = Metrics(
        folder,
        learner.timesteps if checkpoint else None,
        loggers=folder.settings.loggers,
        settings=folder.settings.to_dict(),
    )
    with metrics, ProgressView.open(quiet=quiet) as view:
        loop = _TrainingLoop(folder, learner, pool, clock, metrics, view, asked)
        asked.on_start(folder.path, learner.timesteps)
        if checkpoint:
            loop.go_on_if_extended()
            loop.save_policy()  # a run that is resumed after its end writes none otherwise
        else:
            loop.save_and_evaluate()
            clock.restart()  # compiling took most of the time so far, and is not training
        loop.run()


def restore(
    folder: RunFolder, checkpoint: LearnerState, learner: Learner, clock: TrainingClock
) -> SnapshotPool:
    """Brings the learner and the clock to a checkpoint; returns the pool of that time."""
    try:
        check_int("timesteps", checkpoint.plain["timesteps"], 0)
        learner.restore(checkpoint)
        pool = SnapshotPool(folder, checkpoint.plain.get("snapshots", []))
        clock.restart(checkpoint.plain["seconds"])
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
        RuntimeError,
    ) as error:
        raise ValueError(
            f"the last checkpoint in {folder.checkpoints} is not one of this run "
            f"({type(error).__name__}: {error}): remove it to resume from the one before"
        ) from None
    pool.play_against(learner)
    return pool


class _TrainingLoop:
    def __init__(
        self,
        folder: RunFolder,
        learner: Learner,
        pool: SnapshotPool,
        clock: TrainingClock,
        metrics: Metrics,
        view: ProgressView,
        callbacks: Callbacks,
    ) -> None:
        self._folder, self._settings = folder, folder.settings
        self._learner, self._pool = learner, pool
        self._clock, self._metrics, self._view = clock, metrics, view
        self._callbacks = callbacks
        self._stage = 0
        self._extended_at = [each.at for each in folder.description.extensions]

    def run(self) -> None:
        learner = self._learner
        while not self._is_over():
            next_checkpoint = self._next_checkpoint(learner.timesteps)
            self._learn()
            if self._is_over() or learner.timesteps >= next_checkpoint:
                self.save_and_evaluate()
        if self._callbacks.end_reason:
            self._view.print(f"a callback ended the training: {self._callbacks.end_reason}")

    def _next_checkpoint(self, timesteps: int) -> int:
        """A run has one where it was extended, also if it goes back to before that."""
        regular = next(self._settings.checkpoint_times.after(timesteps))
        return min([regular, *(at for at in self._extended_at if at > timesteps)])

    def _is_over(self) -> bool:
        ended = self._callbacks.end_reason is not None
        return ended or self._clock.progress(self._learner.timesteps) >= 1

    def save_and_evaluate(self) -> None:
        """Saves the policy, evaluates it, offers it to the pool, and saves a checkpoint.

        The checkpoint comes last: a run that resumes from it has done all of this.
        """
        folder, timesteps, start = self._folder, self._learner.timesteps, time.monotonic()
        policy = self.save_policy()
        kept = folder.kept_policy(timesteps)
        if kept is not None:
            kept.parent.mkdir(exist_ok=True)
            save_policy(policy, kept)
        results = dict(evaluate(policy, self._settings, self._pool.evaluation_opponents()))
        self._metrics.add_evaluation(timesteps, results)
        log_scale = self._settings.first_checkpoint > 0
        plot_learning_curve(folder, self._settings.equal_share, log_scale=log_scale)
        entered = self._pool.offer(policy, timesteps, results)
        if entered:
            self._pool.play_against(self._learner)
        self._callbacks.on_checkpoint(timesteps, policy, results)
        self.go_on_if_extended()
        self._clock.add_evaluation(time.monotonic() - start)
        self._view.show_evaluation(timesteps, results, entered=entered)
        self._view.show_time_left(self._clock.seconds_left(timesteps))
        tensors, plain = self._learner.state()
        plain |= {"seconds": self._clock.seconds, "snapshots": self._pool.taken_at}
        plain |= self._callbacks.state()
        save_checkpoint(folder.checkpoints, LearnerState(tensors, plain))

    def go_on_if_extended(self) -> None:
        """A callback may have ended the run where it was extended later."""
        if self._learner.timesteps in self._extended_at:
            self._callbacks.end_reason = None

    def save_policy(self) -> Policy:
        policy = self._policy()
        save_policy(policy, self._folder.policy)
        return policy

    def _learn(self) -> None:
        self._show_stage()
        learner, clock, start = self._learner, self._clock, time.monotonic()
        figures = learner.learn(clock.remaining(learner.timesteps))
        seconds = time.monotonic() - start
        clock.add_rollout(seconds, learner.rollout_size)
        figures["time/decisions_per_second"] = learner.rollout_size / seconds
        self._metrics.add_rollout(learner.timesteps, figures)
        self._view.show_rollout(clock.progress(learner.timesteps), figures)
        self._view.show_time_left(clock.seconds_left(learner.timesteps))
        self._callbacks.on_rollout(learner.timesteps, figures)

    def _show_stage(self) -> None:
        timesteps, stages = self._learner.timesteps, len(self._settings.stages)
        stage = self._settings.stage_at(timesteps)
        if stage != self._stage:
            self._view.print(f"{timesteps:>11,} decisions, stage {stage} of {stages}")
        self._stage = stage

    def _policy(self) -> Policy:
        settings = self._settings
        opponents = " ".join(settings.opponents)
        if settings.self_play:
            opponents += f", and snapshots in {settings.self_play.snapshot_share:.0%} of the seats"
        about = {
            "command": self._folder.command,
            "opponents": opponents,
            "decisions": str(self._learner.timesteps),
        }
        return Policy(settings.describe_policy(about), self._learner.policy_tensors())
