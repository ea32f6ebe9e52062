"""Makes the learner of a run, and another one where a stage begins."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mindup_agents.policy import Policy
from mindup_agents.policy.network import Tensors
from mindup_arena.ray_cluster import LOCAL, connected
from mindup_env.agent import CodeKind, find_code
from mindup_training.settings import TrainSettings
from mindup_training.train.checkpoint import LearnerState
from mindup_training.train.learner import Learner

LEARNER = CodeKind("learner", "mylearner:Learner", "mindup_training.learners")


@contextmanager
def open_learner(settings: TrainSettings, address: str = LOCAL) -> Iterator[Learner]:
    """The learner of a run, which ends its processes with the context.

    Args:
        settings: the settings of the run.
        address: the address of the Ray cluster for RLlib.
    """
    if settings.rllib is None:
        if address != LOCAL:
            raise ValueError("--address can only be combined with --rllib: add --rllib")
        yield _make_staged(settings)
        return
    with connected(address, settings.rllib.env_runners):
        learner = _make_staged(settings)
        try:
            yield learner
        finally:
            learner.stop()


def _make_staged(settings: TrainSettings) -> Learner:
    return StagedLearner(settings) if settings.stages else _make_learner(settings)


def _make_learner(settings: TrainSettings) -> Learner:
    name = "sb3" if settings.rllib is None else "rllib"
    learner: Learner = find_code(LEARNER, name).build(settings)
    return learner


class StagedLearner:
    """A learner whose settings change where a stage begins, between two rollouts.

    The learner of each stage is a new one in the state of the one before, just as a resumed run has
    a new one in the state of a checkpoint. So a run resumes bit for bit, also where a stage begins.
    """

    def __init__(self, settings: TrainSettings) -> None:
        self._stages = (settings, *settings.stage_settings)
        self._stage_at = settings.stage_at
        for each in reversed(self._stages[1:]):  # what cannot be made is refused before the start
            _make_learner(each).stop()
        self._stage = self._stage_at(0)
        self._learner = _make_learner(self._stages[self._stage])
        self._snapshots: tuple[Sequence[Policy], float] | None = None

    @property
    def timesteps(self) -> int:
        return self._learner.timesteps

    @property
    def rollout_size(self) -> int:
        return self._learner.rollout_size

    def learn(self, remaining: float) -> dict[str, float]:
        if self._stage_at(self.timesteps) != self._stage:
            self._change_to(self._learner.state())
            if self._snapshots is not None:
                self._learner.set_snapshots(*self._snapshots)
        return self._learner.learn(remaining)

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        self._snapshots = snapshots, share
        self._learner.set_snapshots(snapshots, share)

    def policy_tensors(self) -> Tensors:
        return self._learner.policy_tensors()

    def set_policy_tensors(self, tensors: Tensors) -> None:
        self._learner.set_policy_tensors(tensors)

    def state(self) -> LearnerState:
        return self._learner.state()

    def restore(self, state: LearnerState) -> None:
        self._change_to(state)

    def stop(self) -> None:
        self._learner.stop()

    def _change_to(self, state: LearnerState) -> None:
        """Goes on from a state, in the stage of its timesteps."""
        stage = self._stage_at(state.plain["timesteps"])
        if stage != self._stage:
            self._learner.stop()
            self._learner, self._stage = _make_learner(self._stages[stage]), stage
        self._learner.restore(state)
