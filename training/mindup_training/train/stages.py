"""The learner of a run, and a new one where a stage begins."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mindup_agents.policy import Policy
from mindup_env.runs.processes import LOCAL
from mindup_training.settings import RunSettings
from mindup_training.train.checkpoint import LearnerState
from mindup_training.train.learner import Learner, learner_class, limit_threads


class StagedLearner:
    """The learner of each stage is a new one in the state of the one before.

    A resumed run has a new one in the state of a checkpoint in just the same way. So a run resumes
    bit for bit, also where a stage begins.

    Attributes:
        now (Learner): the learner of the present stage.
        stage (int): the number of this stage; 0 before the first.
    """

    def __init__(self, settings: RunSettings) -> None:
        self._make, self._settings = learner_class(settings), settings
        for each in reversed(settings.stage_settings):  # refuses before the start what cannot be
            self._make(each).stop()
        self.stage = settings.stage_at(0)
        self.now: Learner = self._new()
        self._snapshots: tuple[Sequence[Policy], float] | None = None

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        """Those of the learner, in this stage and the next."""
        self._snapshots = snapshots, share
        self.now.set_snapshots(snapshots, share)

    def enter_stage(self) -> bool:
        """Continues in the stage of the present timesteps; whether it has just begun."""
        if self._settings.stage_at(self.now.timesteps) == self.stage:
            return False
        self.restore(self.now.state())
        if self._snapshots is not None:
            self.now.set_snapshots(*self._snapshots)
        return True

    def restore(self, state: LearnerState) -> None:
        """Continues from a state, in the stage of its timesteps."""
        stage = self._settings.stage_at(state.plain["timesteps"])
        if stage != self.stage:
            self.now.stop()
            self.stage = stage
            self.now = self._new()
        self.now.restore(state)

    def _new(self) -> Learner:
        made = self._make((self._settings, *self._settings.stage_settings)[self.stage])
        made.run_settings = self._settings
        return made


@contextmanager
def open_learner(settings: RunSettings, address: str = LOCAL) -> Iterator[StagedLearner]:
    """The learner of a run, which ends its processes with the context.

    Args:
        settings: the settings of the run.
        address: the address of the Ray cluster for RLlib.
    """
    limit_threads(max(1, settings.threads))
    with learner_class(settings).surroundings(settings, address):
        learner = StagedLearner(settings)
        try:
            yield learner
        finally:
            learner.now.stop()
