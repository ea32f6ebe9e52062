"""Stages of a training: what changes after some timesteps, as in a curriculum."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from mindup_env.settings.checks import check_entries, check_int
from mindup_training import limits

_CHANGEABLE = ("opponents", "reward", "objectives", "ppo")
_FIXED = ("num_envs", "rollout_games")
"""Hyperparameters of PPO that the size of a rollout depends on."""


class Stage(NamedTuple):
    """What differs from the settings of the run, from some timesteps on until the next stage.

    Attributes:
        after: the timesteps after which it begins, at the next rollout.
        changes: settings by name, as in a preset: opponents, reward, objectives, and a section
            ``ppo``.
    """

    after: int
    changes: Mapping[str, Any]

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """Reads a stage of a preset."""
        check_entries("a stage", plain, ("after",), _CHANGEABLE)
        changes = {name: value for name, value in plain.items() if name != "after"}
        if not changes:
            raise ValueError(f"a stage must change some of {', '.join(_CHANGEABLE)}")
        ppo = changes.get("ppo")
        fixed = [name for name in _FIXED if isinstance(ppo, Mapping) and name in ppo]
        if fixed:
            raise ValueError(f"a stage cannot change {' or '.join(fixed)}")
        return cls(check_int("after", plain["after"], 0, limits.MAX_TIMESTEPS), changes)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"after": self.after, **self.changes}


def check_order(stages: Sequence[Stage], end: int | None) -> None:
    """Refuses stages that are not in their order, or that begin after the end of the training."""
    begin = -1
    for number, stage in enumerate(stages, start=1):
        if stage.after <= begin:
            raise ValueError(f"stage {number} must begin after {begin}, not {stage.after}")
        if end is not None and stage.after >= end:
            raise ValueError(
                f"stage {number} begins after {stage.after} timesteps, but the training ends at "
                f"{end}"
            )
        begin = stage.after
