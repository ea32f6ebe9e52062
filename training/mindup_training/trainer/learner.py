"""A learner: one class that makes a policy from rollouts, and that a training run drives.

An entry point of the group ``mindup_training.learners`` gives it a name for ``mindup train
--learner NAME``; ``module:Class`` names one without.
"""

import ctypes
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import torch
from threadpoolctl import threadpool_limits
from torch import Tensor, nn
from torch.optim import Optimizer

from mindup_agents.policy import Description, Policy
from mindup_agents.policy.network import Tensors
from mindup_env.agent import find_code
from mindup_env.report.picture import save_figure
from mindup_env.runs.processes import LOCAL
from mindup_training.network import tensors_of
from mindup_training.own_code import LEARNER
from mindup_training.run_folder import RunPaths
from mindup_training.settings import RunSettings
from mindup_training.settings.presets import settings_class_of
from mindup_training.trainer.checkpoint import LearnerState, load_network_state, network_state
from mindup_training.trainer.evaluation import draw_curve

_GENERATOR = "generator"
_KEPT_BYTES, _MOST_MAPPED = -1, -4
"""M_TRIM_THRESHOLD and M_MMAP_MAX of mallopt."""


class Learner(ABC):
    """Learns from rollouts of whole games.

    A subclass is made with its settings. It sets ``network`` and ``optimizer``, whose state is
    what a checkpoint keeps, with that of a ``generator``; ``kept_modules``, ``kept_tensors`` and
    ``kept_plain`` add to this.

    Attributes:
        settings_class (type[RunSettings]): the class of its settings.
        hands_targets (bool): whether it adds the auxiliary loss of a network to its own.
        settings (RunSettings): its settings.
        run_settings (RunSettings): those of the run, which a stage may have changed.
        network (nn.Module): the network whose tensors are those of the policy.
        optimizer (Optimizer): its optimizer.
        generator (torch.Generator | None): its random numbers; None if they are those of PyTorch.
        rollout_size (int): decisions in a rollout.
        timesteps (int): decisions learned from so far.
    """

    settings_class: ClassVar[type[RunSettings]]
    hands_targets: ClassVar[bool] = False
    settings: RunSettings
    run_settings: RunSettings
    network: nn.Module
    optimizer: Optimizer
    generator: torch.Generator | None = None
    rollout_size: int
    timesteps = 0

    def __init__(self, settings: RunSettings) -> None:
        self.settings = self.run_settings = settings

    @classmethod
    @contextmanager
    def surroundings(cls, settings: RunSettings, address: str) -> Iterator[None]:  # noqa: ARG003
        """What its learners need while there are any, such as a Ray cluster at an address."""
        if address != LOCAL:
            raise ValueError("--ray can only be combined with --rllib: add --rllib")
        yield

    @property
    def end(self) -> int | None:
        """The timesteps to learn; None if time limits the training."""
        return self.run_settings.end

    @abstractmethod
    def learn(self, remaining: float) -> dict[str, float]:
        """Plays one rollout, learns from it and adds its decisions to ``timesteps``.

        Returns figures by name. ``remaining`` decreases from 1 to 0 over the training.
        """

    def about(self, command: str) -> dict[str, str]:
        """What the policy file says about the training; ``command`` is that of the run."""
        return self.run_settings.about(command, self.timesteps) or {
            "learner": module_of(type(self)),
            "decisions": str(self.timesteps),
        }

    def policy(self, command: str = "") -> Policy:
        """The policy as it is now; ``command`` is that of the run."""
        description = self.run_settings.describe_policy(self.about(command))
        return Policy(description, self.policy_tensors())

    def policy_tensors(self) -> Tensors:
        """A copy of the weights."""
        return tensors_of(self.network)

    def set_policy_tensors(self, tensors: Tensors) -> None:
        """Starts from the weights of a policy."""
        self.network.load_state_dict({name: torch.tensor(each) for name, each in tensors.items()})

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:  # noqa: ARG002
        """Lets these snapshots, and no others, play ``share`` of the opponents' seats."""
        raise ValueError(f"learner {self.settings.learner} has no opponents")

    def kept_modules(self) -> dict[str, nn.Module]:
        """Other modules than the network that a checkpoint keeps, such as a critic."""
        return {}

    def kept_tensors(self) -> dict[str, Tensor]:
        """Other tensors that a checkpoint keeps; they are read into the same memory again."""
        return {}

    def kept_plain(self) -> dict[str, Any]:
        """What a checkpoint keeps as plain data for JSON."""
        return {}

    def restored(self, plain: dict[str, Any]) -> None:  # noqa: B027  # often there is no more
        """Continues from a checkpoint, whose tensors and ``timesteps`` are there again."""

    def state(self) -> LearnerState:
        """All that it needs to continue exactly where it is, between two rollouts."""
        tensors = network_state(self._modules(), self.optimizer) | self.kept_tensors()
        if self.generator is not None:
            tensors[_GENERATOR] = self.generator.get_state()
        return LearnerState(tensors, {"timesteps": self.timesteps, **self.kept_plain()})

    def restore(self, state: LearnerState) -> None:
        """Continues from a state."""
        tensors, plain = state
        load_network_state(self._modules(), self.optimizer, tensors)
        for name, own in self.kept_tensors().items():
            own.copy_(tensors[name])
        if self.generator is not None:
            self.generator.set_state(tensors[_GENERATOR])
        self.timesteps = plain["timesteps"]
        self.restored(plain)

    def plot(self, paths: RunPaths) -> None:
        """Draws the learning curve."""
        save_figure(paths.curve, draw_curve(paths, self.run_settings))

    def stop(self) -> None:  # noqa: B027  # most have nothing to end
        """Ends what it has started, such as processes."""

    def _modules(self) -> dict[str, nn.Module]:
        return {"network": self.network, **self.kept_modules()}


def learner_class(settings: RunSettings) -> type[Learner]:
    """The class of the learner that has these settings."""
    name = settings.learner_name
    learner: Any = find_code(LEARNER, name).make
    needed = settings_class_of(learner)
    if not isinstance(settings, needed):
        given = type(settings).__name__
        raise ValueError(f"learner {name} takes {needed.__name__}, not {given}")
    found: type[Learner] = learner
    return found


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
            ("pad_to_players", found.pad_to_players, own.pad_to_players),
            ("rows", found.feature_shape(), own.feature_shape()),
        )
        if before != now
    ]
    if differences:
        raise ValueError(f"a training cannot start from {path}: it has {'; '.join(differences)}")


def prepare_torch(threads: int) -> None:
    """Sets the threads of PyTorch, and of NumPy, which plays the snapshots.

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
