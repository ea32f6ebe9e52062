"""When a training has checkpoints, and when its settings change."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, Self

from mindup_env.settings.checks import check_entries, check_int
from mindup_training.settings.hyperparameters import MAX_TIMESTEPS


class CheckpointTimes(NamedTuple):
    """The times of the checkpoints: doubling at first, and then at equal distances."""

    first: int  # 0 for equal distances from the start
    every: int | Fraction  # the distance between two
    in_seconds: bool = False  # otherwise these are timesteps

    def next_after(self, time: float) -> int | Fraction:
        """The first checkpoint after a time."""
        at: int | Fraction = self.first or self.every
        while at < self.every and at <= time:
            at += at
        if at <= time:
            at += self.every * (int((time - at) // self.every) + 1)
        return at


class Stage(NamedTuple):
    """What differs from the settings of the run, from some timesteps on until the next stage.

    Attributes:
        after: the timesteps after which it begins, at the next rollout.
        changes: settings by name, as in a preset.
    """

    after: int
    changes: Mapping[str, Any]

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """Reads a stage of a preset."""
        check_entries("a stage", plain, ("after",), plain if isinstance(plain, Mapping) else ())
        changes = {name: value for name, value in plain.items() if name != "after"}
        return cls(check_int("after", plain["after"], 0, MAX_TIMESTEPS), changes)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"after": self.after, **self.changes}
