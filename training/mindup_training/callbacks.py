"""Callbacks: code of a user that a training calls after rollouts and at checkpoints."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mindup_agents.policy import Policy
from mindup_arena.estimate import Estimate
from mindup_env.agent import find_code
from mindup_training.own_code import CALLBACK


class Callback:
    """Is called during a training; subclasses override what they need.

    A text that ``on_rollout`` or ``on_checkpoint`` returns ends the training: it is the reason.
    The run then has its last checkpoint, and its policy is that of this checkpoint.

    A checkpoint keeps ``state()``. After an interruption the training goes on from a checkpoint, so
    that some rollouts come again; ``load_state`` brings a callback back to there.
    """

    def on_start(self, folder: Path, timesteps: int) -> None:
        """The training begins, or is resumed at these timesteps."""

    def on_rollout(self, timesteps: int, figures: Mapping[str, float]) -> str | None:
        """A rollout was learned from.

        Args:
            timesteps: the decisions learned from so far.
            figures: the metrics of the rollout, as ``metrics.csv`` has them.
        """

    def on_checkpoint(
        self, timesteps: int, policy: Policy, evaluations: Mapping[str, Estimate]
    ) -> str | None:
        """The policy was saved and evaluated, also before the first rollout.

        Args:
            timesteps: the decisions learned from so far.
            policy: the policy; its tensors may change after the call.
            evaluations: the win share against each opponent, with its interval.
        """

    def state(self) -> dict[str, Any]:
        """What the callback must remember in a resumed run, as plain data for JSON."""
        return {}

    def load_state(self, state: dict[str, Any]) -> None:
        """Goes back to what ``state`` returned."""


class Callbacks:
    """All callbacks of a training, and the reason if one of them ends it."""

    def __init__(self, specs: Sequence[str]) -> None:
        self._callbacks = [find_code(CALLBACK, spec).build() for spec in specs]
        for each in self._callbacks:
            if not isinstance(each, Callback):
                raise ValueError(
                    "a callback must be a subclass of mindup_training.Callback, not "
                    f"{type(each).__name__}"
                )
        self.end_reason: str | None = None

    def call(self, method: str, *arguments: Any) -> None:
        """Calls a method of each; the first text that one returns is the reason for the end."""
        for callback in self._callbacks:
            reason = getattr(callback, method)(*arguments)
            if not isinstance(reason, str | None):
                raise ValueError(
                    f"callback {type(callback).__name__} must return None, or a text that ends the "
                    f"training, not {reason!r}"
                )
            self.end_reason = self.end_reason or reason

    def state(self) -> dict[str, Any]:
        """Entries of a checkpoint."""
        states = [each.state() for each in self._callbacks]
        return {"callbacks": states, "end_reason": self.end_reason}

    def load_state(self, plain: Mapping[str, Any]) -> None:
        """Brings the callbacks to a checkpoint."""
        for callback, state in zip(self._callbacks, plain["callbacks"], strict=True):
            callback.load_state(state)
        self.end_reason = plain["end_reason"]
