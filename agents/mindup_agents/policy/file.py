"""Policy files: tensors in the safetensors format, with a description in JSON in the header.

Loading a file runs no code from it. A file is checked completely before the policy plays.
"""

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from mindup_agents.policy.description import Description
from mindup_agents.policy.evaluator import PolicyEvaluator, config_of
from mindup_agents.policy.network import Tensors
from mindup_env.agent import POLICY_FILE
from mindup_env.runs.files import atomic_write
from mindup_env.settings.checks import check_array, check_entries

_MAX_BYTES = 64 * 2**20
_HEADER_BYTES = 2**20
"""What is left of them for the header."""
_KEY = "mindup"
"""The only entry of the header: the format writes several in no fixed order, and the files of equal
policies are equal."""


class Policy(NamedTuple):
    """A trained policy.

    Attributes:
        description: the games, the features and the network of the policy.
        tensors: the float32 parameters of the network, by name.
    """

    description: Description
    tensors: Tensors

    def probabilities(
        self, observation: npt.NDArray[np.int8], action_mask: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float64]:
        """The probability of each card, for a batch of seats.

        Each row is a seat by itself, and its result does not depend on the other rows. The features
        memory-1, which remember what the opponents played, have no memory here;
        ``PolicyEvaluator`` reads seats turn by turn as a bot does.

        Args:
            observation: what each seat sees, int8 (B, size).
            action_mask: 1 for each card of the hand, int8 (B, num_cards).

        Returns:
            Probabilities (B, num_cards): entry ``a`` is that of card number ``a + 1``; all 0 for an
            empty hand.
        """
        return self._read(observation, action_mask).probabilities()

    def values(
        self, observation: npt.NDArray[np.int8], action_mask: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        """The output of the critic for a batch of seats; the arguments are those above.

        This is the return that the policy expects: the sum of its rewards from here to the end of
        the game, in the reward that it was trained with. A network of the champion's values expects
        the win share minus an equal share.

        Returns:
            Values (B,).
        """
        return self._read(observation, action_mask).values()

    def _read(
        self, observation: npt.NDArray[np.int8], action_mask: npt.NDArray[np.int8]
    ) -> PolicyEvaluator:
        config, rows = config_of(self.description, observation), len(observation)
        evaluator = PolicyEvaluator(self.description, self.tensors, config)
        starts, bits = np.ones(rows, np.bool_), np.zeros(rows, np.uint64)
        evaluator.read(observation, action_mask, starts, bits)
        return evaluator


def save_policy(policy: Policy, path: Path | str) -> None:
    """Writes a policy file; a file at ``path`` is replaced at once or not at all.

    Raises:
        ValueError: if the tensors are not those of the described network, or if they are too large.
    """
    check_policy(policy)
    description = json.dumps(policy.description.to_dict(), sort_keys=True)
    with atomic_write(Path(path)) as file:
        file.write(save(policy.tensors, metadata={_KEY: description}))


def check_policy(policy: Policy) -> None:
    """Refuses what no policy file can hold."""
    _check(policy)
    check_size(policy.description, sum(tensor.size for tensor in policy.tensors.values()))


def check_size(description: Description, parameters: int | None = None) -> None:
    """Refuses a network that is too large for a policy file.

    Args:
        description: the description of the policy.
        parameters: how many the network has; by default that of the package.
    """
    if parameters is None:
        parameters = sum(map(math.prod, (description.shapes() or {}).values()))
    size, largest = np.dtype(np.float32).itemsize * parameters, _MAX_BYTES - _HEADER_BYTES
    if size > largest:
        network = f"a network with the widths {' '.join(map(str, description.widths))}"
        raise ValueError(
            f"{description.network or network} has {size} bytes; the maximum is {largest}"
        )


def policy_path(path: Path | str) -> Path:
    """The policy file, which can be named by the folder of its training."""
    path = Path(path)
    return path / POLICY_FILE if path.is_dir() else path


def load_policy(path: Path | str) -> Policy:
    """Reads a policy file, or that of the folder of a training, without running code from it.

    Raises:
        ValueError: if the file does not exist or is not a valid policy file.
    """
    path = policy_path(path)
    try:
        policy = _read(path)
        _check(policy)
    except FileNotFoundError:
        raise ValueError(f"policy file {path} does not exist") from None
    except OSError as error:
        raise ValueError(f"cannot read policy file {path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"invalid policy file {path}: {error}") from None
    return policy


def _read(path: Path) -> Policy:
    if not path.is_file() and path.exists():
        raise ValueError("it is not a file")
    size = path.stat().st_size
    if size > _MAX_BYTES:
        raise ValueError(f"it has {size} bytes; the maximum is {_MAX_BYTES}")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata: dict[str, Any] = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no dict
    except (SafetensorError, TypeError) as error:  # a TypeError for a dtype that NumPy lacks
        raise ValueError(f"it is damaged, or not a safetensors file: {error}") from None
    if _KEY not in metadata:
        raise ValueError(f"its header has no description (entry {_KEY!r})")
    return Policy(Description.from_dict(json.loads(metadata[_KEY])), tensors)


def _check(policy: Policy) -> None:
    shapes = policy.description.shapes()
    if shapes is None:  # only the code of its network can say
        shapes = {name: tensor.shape for name, tensor in policy.tensors.items()}
    check_entries("the tensors", policy.tensors, shapes)
    for name, shape in shapes.items():
        tensor = policy.tensors[name]
        check_array(f"the tensor {name}", tensor, shape, kind="float32")
        if not np.isfinite(tensor).all():
            raise ValueError(f"the tensor {name} must have finite entries only")
