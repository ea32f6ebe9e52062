"""What the training loop needs of a learner, and how many threads learners compute with."""

from collections.abc import Sequence
from typing import Protocol

import torch
from threadpoolctl import threadpool_limits

from mindup_agents.policy import Policy
from mindup_agents.policy.network import Tensors
from mindup_training.train.checkpoint import LearnerState


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
        """Plays one rollout and learns from it; returns figures by name.

        ``remaining`` decreases from 1 to 0 over the training.
        """
        ...

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        """Lets these snapshots, and no others, play ``share`` of the opponents' seats."""
        ...

    def policy_tensors(self) -> Tensors: ...

    def set_policy_tensors(self, tensors: Tensors) -> None:
        """Starts from the weights of a policy."""
        ...

    def state(self) -> LearnerState: ...

    def restore(self, state: LearnerState) -> None: ...

    def stop(self) -> None:
        """Ends what it has started, such as processes."""
        ...


def limit_threads(number: int) -> None:
    """Sets the threads of PyTorch, and of NumPy, which plays the snapshots.

    NumPy's default is one per core; on a busy machine these would wait for each other.
    """
    torch.set_num_threads(number)
    threadpool_limits(number, user_api="blas")
