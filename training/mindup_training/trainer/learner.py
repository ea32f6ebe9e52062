"""A learner: one class that makes a policy from rollouts, and that a training run drives.

``sb3`` and ``ppo`` are those of the package; ``module:Class`` names another.
"""

import ctypes
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

import torch
from threadpoolctl import threadpool_limits
from torch import nn
from torch.optim import Optimizer

from mindup_agents.policy import Description, Policy
from mindup_agents.policy.network import Tensors
from mindup_training.settings import RunSettings
from mindup_training.torch_policy import tensors_of
from mindup_training.trainer.checkpoint import LearnerState, load_network_state, network_state

_GENERATOR = "generator"
_KEPT_BYTES, _MOST_MAPPED = -1, -4
"""M_TRIM_THRESHOLD and M_MMAP_MAX of mallopt."""


class Learner(ABC):
    """Learns from rollouts of whole games.

    A subclass is made with its settings. It sets ``network`` and ``optimizer``, whose state is
    what a checkpoint keeps, with that of a ``generator``; ``kept_modules`` and ``kept_plain`` add
    to this.

    Attributes:
        settings_class (type[RunSettings]): the class of its settings.
        settings (RunSettings): its settings.
        network (nn.Module): the network whose tensors are those of the policy.
        optimizer (Optimizer): its optimizer.
        generator (torch.Generator | None): its random numbers; None if they are those of PyTorch.
        rollout_size (int): decisions in a rollout.
        timesteps (int): decisions learned from so far.
    """

    settings_class: ClassVar[type[RunSettings]]
    network: nn.Module
    optimizer: Optimizer
    generator: torch.Generator | None = None
    rollout_size: int
    timesteps = 0

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings

    @abstractmethod
    def learn(self, remaining: float) -> dict[str, float]:
        """Plays one rollout, learns from it and adds its decisions to ``timesteps``.

        Returns figures by name. ``remaining`` decreases from 1 to 0 over the training.
        """

    def policy(self, command: str = "") -> Policy:
        """The policy as it is now; ``command`` is that of the run."""
        about = {"command": command, "decisions": str(self.timesteps)}
        return Policy(self.settings.describe_policy(about), tensors_of(self.network))

    def set_policy_tensors(self, tensors: Tensors) -> None:
        """Starts from the weights of a policy."""
        self.network.load_state_dict({name: torch.tensor(each) for name, each in tensors.items()})

    def kept_modules(self) -> dict[str, nn.Module]:
        """Other modules than the network that a checkpoint keeps, such as a critic."""
        return {}

    def kept_plain(self) -> dict[str, Any]:
        """What a checkpoint keeps as plain data for JSON."""
        return {}

    @abstractmethod
    def restored(self, plain: dict[str, Any]) -> None:
        """Continues from a checkpoint, whose tensors and ``timesteps`` are there again."""

    def state(self) -> LearnerState:
        """All that it needs to continue exactly where it is, between two rollouts."""
        tensors = network_state(self._modules(), self.optimizer)
        if self.generator is not None:
            tensors[_GENERATOR] = self.generator.get_state()
        return LearnerState(tensors, {"timesteps": self.timesteps, **self.kept_plain()})

    def restore(self, state: LearnerState) -> None:
        """Continues from a state."""
        tensors, plain = state
        load_network_state(self._modules(), self.optimizer, tensors)
        if self.generator is not None:
            self.generator.set_state(tensors[_GENERATOR])
        self.timesteps = plain["timesteps"]
        self.restored(plain)

    def _modules(self) -> dict[str, nn.Module]:
        return {"network": self.network, **self.kept_modules()}


def module_of(learner: type[Learner]) -> str:
    """Its module; of one that is run as a program, the name that others import it by."""
    if learner.__module__ != "__main__":
        return learner.__module__
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    return spec.name if spec else Path(str(main.__file__)).stem


def check_start(path: str, found: Description, own: Description) -> None:
    """Refuses the policy of a file whose weights are not those of another description's network."""
    differences = [
        f"{name} {before}, not {now}"
        for name, before, now in (
            ("features", found.features, own.features),
            ("network", found.network or "of the package", own.network or "of the package"),
            ("widths", " ".join(map(str, found.widths)), " ".join(map(str, own.widths))),
            ("rows", found.feature_shape(), own.feature_shape()),
        )
        if before != now
    ]
    if differences:
        raise ValueError(f"a training cannot start from {path}: it has {'; '.join(differences)}")


def prepare_torch(threads: int) -> None:
    """Sets the threads of PyTorch, and of NumPy.

    From then on the process also keeps the memory that it frees, where its C library is glibc. By
    default every large tensor gets new pages, which can cost more than what is computed in them.
    """
    torch.set_num_threads(threads)
    # NumPy's default is one per core; on a busy machine these would wait for each other.
    threadpool_limits(threads, user_api="blas")
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if mallopt := getattr(library, "mallopt", None):
        mallopt(_MOST_MAPPED, 0)
        mallopt(_KEPT_BYTES, 2**31 - 1)
