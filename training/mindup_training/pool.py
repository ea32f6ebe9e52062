"""The pool of snapshots that the policy in training plays against."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mindup_agents.policy import Policy, load_policy, save_policy
from mindup_arena.estimate import Estimate
from mindup_training.learner import Learner
from mindup_training.run_folder import RunFolder
from mindup_training.self_play import NEWEST, OLDEST

_ROUNDING = 1e-9
"""Of the mean of many shares: copies of one policy win exactly an equal share, and a third is no
number of the machine."""


class Pool:
    """Snapshots are policy files of the run, named by the timesteps they were taken at.

    Those that have left stay in the folder. The pool plays what it reads from there, so a resumed
    run has the same opponents to the bit.
    """

    def __init__(self, folder: RunFolder, taken_at: Sequence[int] = ()) -> None:
        """Of the snapshots ``taken_at``, the oldest first."""
        self._folder = folder
        self._snapshots = {timesteps: load_policy(self._path(timesteps)) for timesteps in taken_at}

    @property
    def taken_at(self) -> list[int]:
        return list(self._snapshots)

    def join(self, learner: Learner) -> None:
        """Takes its share of the seats at the learner's tables."""
        self_play = self._folder.settings.self_play
        if self_play and self._snapshots:
            learner.invite([*self._snapshots.values()], self_play.share)

    def yardsticks(self) -> dict[str, Policy]:
        """Those that the policy is evaluated against."""
        policies = [*self._snapshots.values()]
        ends = {NEWEST: policies[-1]} if policies else {}
        return {OLDEST: policies[0], **ends} if len(policies) > 1 else ends

    def offer(self, policy: Policy, timesteps: int, results: Mapping[str, Estimate]) -> bool:
        """Takes a snapshot of the policy, if the rule of entry says so after these results."""
        settings = self._folder.settings
        if settings.self_play is None or timesteps == 0:
            return False
        if self._snapshots and results[NEWEST].value < 1 / settings.players - _ROUNDING:
            return False
        self._folder.snapshots.mkdir(exist_ok=True)
        save_policy(policy, self._path(timesteps))
        self._snapshots[timesteps] = load_policy(self._path(timesteps))
        if len(self._snapshots) > settings.self_play.pool_size:
            del self._snapshots[self.taken_at[1]]
        return True

    def _path(self, timesteps: int) -> Path:
        return self._folder.snapshots / f"{timesteps:012d}.safetensors"
