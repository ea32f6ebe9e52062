"""What the training loop needs of a learner."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from torch import Tensor

from mindup_agents.policy import Policy
from mindup_agents.policy.network import Tensors


class State(NamedTuple):
    """All that a learner needs to go on exactly where it was, between two rollouts."""

    tensors: dict[str, Tensor]
    plain: dict[str, Any]  # JSON


class Learner(Protocol):
    """Learns from rollouts of whole games."""

    @property
    def timesteps(self) -> int:
        """Decisions learned from so far."""
        ...

    @property
    def rollout_size(self) -> int:
        """Decisions in a rollout."""
        ...

    def learn(self, remaining: float) -> dict[str, float]:
        """Plays a rollout and learns from it; ``remaining`` falls from 1 to 0 over the training.

        Returns figures by their names.
        """
        ...

    def invite(self, snapshots: Sequence[Policy], share: float) -> None:
        """Gives them ``share`` of the opponents' seats, instead of those invited before."""
        ...

    def policy_tensors(self) -> Tensors: ...

    def state(self) -> State: ...

    def restore(self, state: State) -> None: ...
