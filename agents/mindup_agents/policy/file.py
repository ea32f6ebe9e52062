"""Policy files: tensors in the safetensors format, and a description in JSON in their header.

Reading one runs no code from it; whatever is wrong with it is said before it plays.
"""

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from mindup_agents.policy.description import Description
from mindup_agents.policy.network import Tensors
from mindup_env.files import atomic_write

_MAX_BYTES = 64 * 2**20
_KEY = "mindup"
"""One entry holds all that is described: the format writes several in no fixed order, and equal
policies should be equal files."""


class Policy(NamedTuple):
    description: Description
    tensors: Tensors


def save_policy(policy: Policy, path: Path) -> None:
    _check(policy)
    described = json.dumps(policy.description.to_dict(), sort_keys=True)
    with atomic_write(path) as file:
        file.write(save(policy.tensors, metadata={_KEY: described}))


def load_policy(path: Path) -> Policy:
    try:
        policy = _read(path)
        _check(policy)
    except FileNotFoundError:
        raise ValueError(f"there is no policy file {path}") from None
    except OSError as error:
        raise ValueError(f"the policy file {path} cannot be read: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a policy that can be played: {error}") from None
    return policy


def _read(path: Path) -> Policy:
    if not path.is_file() and path.exists():
        raise ValueError("it is not a file")
    size = path.stat().st_size
    if size > _MAX_BYTES:
        raise ValueError(f"it has {size} bytes, and a policy at most {_MAX_BYTES}")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata: dict[str, Any] = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no dict
    except (SafetensorError, TypeError) as error:  # a TypeError for a kind that NumPy lacks
        raise ValueError(f"it is damaged, or no safetensors file: {error}") from None
    if _KEY not in metadata:
        raise ValueError("it holds tensors, but does not say what they are for")
    return Policy(Description.from_dict(json.loads(metadata[_KEY])), tensors)


def _check(policy: Policy) -> None:
    shapes = policy.description.shapes()
    missing, unknown = shapes.keys() - policy.tensors.keys(), policy.tensors.keys() - shapes.keys()
    if missing or unknown:
        faults = [f"{', '.join(sorted(missing))} missing"] if missing else []
        faults += [f"{', '.join(sorted(unknown))} not known"] if unknown else []
        raise ValueError(f"the tensors are not those of its network: {'; '.join(faults)}")
    for name, shape in shapes.items():
        tensor = policy.tensors[name]
        if tensor.shape != shape or tensor.dtype != np.float32:
            raise ValueError(
                f"the tensor {name} must be float32 of the shape {shape}, not {tensor.dtype} of "
                f"the shape {tensor.shape}"
            )
        if not math.isfinite(np.abs(tensor).sum(dtype=np.float64)):
            raise ValueError(f"the tensor {name} has entries that are no numbers")
