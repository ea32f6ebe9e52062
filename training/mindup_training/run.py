"""A training run from beginning to end, or from where it was left."""

import time

from mindup_agents.policy import Description, Policy, save_policy
from mindup_training.checkpoint import load_last_checkpoint, save_checkpoint
from mindup_training.evaluation import evaluate
from mindup_training.learner import Learner, State
from mindup_training.metrics import NOTHING_YET, Metrics
from mindup_training.plots import draw_curve
from mindup_training.pool import Pool
from mindup_training.progress import View
from mindup_training.run_folder import RunFolder
from mindup_training.settings import TrainSettings


def train(folder: RunFolder, learner: Learner) -> None:
    """Goes on from the last checkpoint, if there is one, to the end of the training."""
    begun = load_last_checkpoint(folder.checkpoints)
    clock = Clock(folder.settings)
    pool = Pool(folder, begun.plain.get("snapshots", []) if begun else [])
    if begun:
        learner.restore(begun)
        pool.join(learner)
        clock.set_back(begun)
    metrics = Metrics(folder, learner.timesteps if begun else NOTHING_YET)
    with View.opened() as view:
        training = _Run(folder, learner, pool, clock, metrics, view)
        if not begun:
            training.take_stock()
            clock.begin()  # much was compiled so far, and that is no training
        training.go_on()
    metrics.close()


class Clock:
    """How much of the training is done, in timesteps or in minutes."""

    def __init__(self, settings: TrainSettings) -> None:
        self._settings = settings
        self.begin()

    def begin(self) -> None:
        self._start = time.monotonic()

    def set_back(self, state: State) -> None:
        self._start = time.monotonic() - state.plain["seconds"]

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def done(self, timesteps: int) -> float:
        """From 0 to 1."""
        settings = self._settings
        if settings.minutes > 0:
            return min(1.0, self.seconds / (60 * settings.minutes))
        return min(1.0, timesteps / settings.timesteps)


class _Run:
    def __init__(
        self,
        folder: RunFolder,
        learner: Learner,
        pool: Pool,
        clock: Clock,
        metrics: Metrics,
        view: View,
    ) -> None:
        self._folder, self._learner, self._pool = folder, learner, pool
        self._clock, self._metrics, self._view = clock, metrics, view

    def go_on(self) -> None:
        learner, every = self._learner, self._folder.settings.checkpoint_every
        while (done := self._clock.done(learner.timesteps)) < 1:
            checkpoints_before = learner.timesteps // every
            self._learn(done)
            finished = self._clock.done(learner.timesteps) >= 1
            if finished or learner.timesteps // every > checkpoints_before:
                self.take_stock()

    def take_stock(self) -> None:
        """Writes the policy, evaluates it, offers it to the pool, and makes a checkpoint of it.

        The checkpoint comes last: whoever resumes from it finds all before it done.
        """
        folder, timesteps = self._folder, self._learner.timesteps
        policy = self._policy()
        save_policy(policy, folder.policy)
        results = dict(evaluate(policy, folder.settings, self._pool.yardsticks()))
        self._metrics.add_evaluation(timesteps, results)
        self._view.show_evaluation(timesteps, results)
        draw_curve(folder.evaluations, folder.settings.players, folder.curve)
        if self._pool.offer(policy, timesteps, results):
            self._pool.join(self._learner)
            self._view.say("a snapshot of it enters the pool of opponents")
        tensors, plain = self._learner.state()
        plain |= {"seconds": self._clock.seconds, "snapshots": self._pool.taken_at}
        save_checkpoint(folder.checkpoints, State(tensors, plain))

    def _learn(self, done: float) -> None:
        learner, start = self._learner, time.monotonic()
        figures = learner.learn(1 - done)
        speed = learner.rollout_size / (time.monotonic() - start)
        figures["time/decisions_per_second"] = speed
        self._metrics.add_rollout(learner.timesteps, figures)
        self._view.show_figures(self._clock.done(learner.timesteps), figures)

    def _policy(self) -> Policy:
        settings = self._folder.settings
        opponents = " ".join(settings.opponents)
        if settings.self_play:
            opponents += f", and snapshots in {settings.self_play.share:.0%} of the seats"
        about = {
            "command": self._folder.command,
            "opponents": opponents,
            "decisions": str(self._learner.timesteps),
        }
        description = Description(settings.configs, settings.features, settings.widths, about)
        return Policy(description, self._learner.policy_tensors())
