"""The loop of a training run: rollouts, and checkpoints that it can be resumed from."""

import time

from mindup_agents.policy import Policy, load_policy, save_policy
from mindup_env.report.picture import save_figure
from mindup_training.callbacks import Callbacks
from mindup_training.run_folder import RunFolder
from mindup_training.trainer.checkpoint import LearnerState, load_checkpoint, save_checkpoint
from mindup_training.trainer.evaluation import draw_curve, evaluate
from mindup_training.trainer.learner import Learner
from mindup_training.trainer.log import RunLog
from mindup_training.trainer.progress import SPEED, ProgressView, TrainingClock


class Training:
    """A run from its checkpoint, or from the start, to its end."""

    def __init__(
        self, folder: RunFolder, learner: Learner, callbacks: Callbacks, *, quiet: bool
    ) -> None:
        self._folder, self._learner, self._callbacks = folder, learner, callbacks
        self._settings = settings = folder.settings
        self._clock = TrainingClock(settings)
        self._view = ProgressView(self._clock, quiet=quiet)
        checkpoint = load_checkpoint(folder.checkpoint)
        self._resumed_at = None if checkpoint is None else checkpoint.plain["timesteps"]
        if checkpoint is not None:
            self._restore(checkpoint)
        elif settings.init is not None:
            learner.set_policy_tensors(load_policy(settings.init).tensors)
        self._log = RunLog(folder, self._resumed_at)

    def _restore(self, checkpoint: LearnerState) -> None:
        try:
            self._learner.restore(checkpoint)
        except (LookupError, RuntimeError, TypeError, ValueError) as error:
            raise ValueError(
                f"{self._folder.checkpoint} does not fit the learner ({type(error).__name__}: "
                f"{error}): resume it with the code that it began with"
            ) from None
        self._clock.restart(checkpoint.plain["seconds"])
        self._callbacks.load_state(checkpoint.plain)

    def run(self) -> None:
        """Trains to the end."""
        clock, learner = self._clock, self._learner
        try:
            with self._view.bar:
                self._callbacks.call("on_start", self._folder.path, learner.timesteps)
                if self._resumed_at is None:
                    self._save_and_evaluate()
                    clock.restart()  # compiling took most of the time so far, and is no training
                else:
                    self._save_policy()
                while not self._is_over():
                    done = clock.evaluations(learner.timesteps)
                    self._learn()
                    if self._is_over() or clock.evaluations(learner.timesteps) > done:
                        self._save_and_evaluate()
                if self._callbacks.end_reason:
                    self._view.print(f"a callback ended the training: {self._callbacks.end_reason}")
        finally:
            self._log.close()

    def _is_over(self) -> bool:
        ended = self._callbacks.end_reason is not None
        return ended or self._clock.progress(self._learner.timesteps) >= 1

    def _save_and_evaluate(self) -> None:
        """Saves the policy, evaluates it, and saves a checkpoint.

        The checkpoint comes last: a run that resumes from it has done all of this.
        """
        folder, timesteps = self._folder, self._learner.timesteps
        policy = self._save_policy()
        folder.policies.mkdir(exist_ok=True)
        save_policy(policy, folder.policies / f"{timesteps:012d}.safetensors")
        results = dict(evaluate(policy, self._settings))
        self._log.add_evaluation(timesteps, results)
        self._view.show_evaluation(timesteps, results)
        save_figure(folder.curve, draw_curve(folder))
        self._callbacks.call("on_checkpoint", timesteps, policy, results)
        tensors, plain = self._learner.state()
        plain |= {"seconds": self._clock.seconds, **self._callbacks.state()}
        save_checkpoint(folder.checkpoint, LearnerState(tensors, plain))

    def _save_policy(self) -> Policy:
        policy = self._learner.policy(self._folder.command)
        save_policy(policy, self._folder.policy)
        return policy

    def _learn(self) -> None:
        learner, start, timesteps = self._learner, time.monotonic(), self._learner.timesteps
        figures = learner.learn(1 - self._clock.progress(timesteps))
        self._refuse_divergence()
        figures[SPEED] = learner.rollout_size / (time.monotonic() - start)
        self._log.add_rollout(learner.timesteps, figures)
        self._view.show_rollout(learner.timesteps, figures)
        self._callbacks.call("on_rollout", learner.timesteps, figures)

    def _refuse_divergence(self) -> None:
        """Ends the run before any file takes weights that no policy can play with."""
        if not all(weight.isfinite().all() for weight in self._learner.network.parameters()):
            raise ValueError(
                f"the training diverged: after {self._learner.timesteps:,} decisions, weights of "
                "the network are not finite. The policy of the last evaluation stays in "
                f"{self._folder.policy}, earlier ones in {self._folder.policies}: train with a "
                "smaller learning rate"
            )
