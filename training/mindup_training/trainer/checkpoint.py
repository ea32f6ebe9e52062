"""A checkpoint: a safetensors file, with the rest as JSON in its header. Reading it runs no code.

It is written in one atomic step, so that a run always has one whole checkpoint.
"""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.optim import Optimizer

from mindup_env.runs.files import atomic_write

_PLAIN = "plain"
_OPTIMIZER = "optimizer."


class LearnerState(NamedTuple):
    """All that a learner needs to continue exactly where it was, between two rollouts."""

    tensors: dict[str, Tensor]
    plain: dict[str, Any]  # JSON


def save_checkpoint(path: Path, state: LearnerState) -> None:
    with atomic_write(path) as file:
        file.write(save(state.tensors, metadata={_PLAIN: json.dumps(state.plain)}))


def load_checkpoint(path: Path) -> LearnerState | None:
    """The state in a file; None if there is no file.

    Raises:
        ValueError: if the file is damaged.
    """
    if not path.exists():
        return None
    try:
        with safe_open(path, "pt") as file:
            plain = json.loads(file.metadata()[_PLAIN])
            return LearnerState({name: file.get_tensor(name) for name in file.keys()}, plain)  # noqa: SIM118
    except (SafetensorError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{path} is damaged, or no checkpoint: {error}") from None


def network_state(modules: Mapping[str, nn.Module], optimizer: Optimizer) -> dict[str, Tensor]:
    """The tensors of modules, by the names of the modules, and those of their optimizer."""
    tensors = {
        f"{name}.{key}": value
        for name, module in modules.items()
        for key, value in module.state_dict().items()
    }
    for index, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"{_OPTIMIZER}{index}.{name}": value for name, value in moments.items()}
    return tensors


def load_network_state(
    modules: Mapping[str, nn.Module], optimizer: Optimizer, tensors: Mapping[str, Tensor]
) -> None:
    """Brings modules and their optimizer to what ``network_state`` returned."""
    for name, module in modules.items():
        module.load_state_dict(_below(f"{name}.", tensors))
    moments: dict[int, dict[str, Tensor]] = {}
    for name, value in _below(_OPTIMIZER, tensors).items():
        index, _, moment = name.partition(".")
        moments.setdefault(int(index), {})[moment] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": moments})


def _below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }


def random_state() -> dict[str, Any]:
    """The global generators of PyTorch and NumPy, which Stable-Baselines3 draws from."""
    numpy_state: Any = np.random.get_state(legacy=False)  # noqa: NPY002  # SB3 shuffles with it
    numpy_state["state"]["key"] = numpy_state["state"]["key"].tolist()
    torch_state = torch.get_rng_state().numpy().tobytes()
    return {"numpy": numpy_state, "torch": base64.b64encode(torch_state).decode()}


def load_random_state(plain: dict[str, Any]) -> None:
    numpy_state = plain["numpy"]
    key = np.array(numpy_state["state"]["key"], np.uint32)
    np.random.set_state({**numpy_state, "state": {**numpy_state["state"], "key": key}})  # noqa: NPY002
    torch_state = bytearray(base64.b64decode(plain["torch"]))
    torch.set_rng_state(torch.frombuffer(torch_state, dtype=torch.uint8))
