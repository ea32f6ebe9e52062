"""The pool of snapshots that the policy in training plays against."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mindup_agents.policy import Policy, load_policy, save_policy
from mindup_arena.estimate import Estimate
from mindup_training.run_folder import RunFolder

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
