"""Checkpoints: tensors as safetensors and the rest as JSON. Reading one runs no code from it.

The JSON file is written last and holds a checksum of the tensors, so a checkpoint that a killed
process left unfinished is recognised and skipped.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn
from torch.optim import Optimizer

from mindup_env.runs.files import atomic_write, write_text

_KEPT = 2
"""One more than needed, in case the disk lost the last one."""
_CHECKSUMS = "sha256", "sha256_of_plain"
_OPTIMIZER = "optimizer."


class LearnerState(NamedTuple):
    """All that a learner needs to continue exactly where it was, between two rollouts."""

    tensors: dict[str, Tensor]
    plain: dict[str, Any]  # JSON


def save_checkpoint(folder: Path, state: LearnerState) -> None:
    folder.mkdir(exist_ok=True)
    name = f"{state.plain['timesteps']:012d}"
    tensors = save(state.tensors)
    with atomic_write(folder / f"{name}.safetensors") as file:
        file.write(tensors)
    plain = {**state.plain, **_checksums(tensors, state.plain)}
    write_text(folder / f"{name}.json", json.dumps(plain))
    remove_old_checkpoints(folder)


def remove_old_checkpoints(folder: Path) -> None:
    """Removes all but the last ones, and what is left of those that were never complete."""
    kept = {path.stem for path in sorted(folder.glob("*.json"))[-_KEPT:]}
    for pattern in ("*.safetensors", "*.json"):
        for path in folder.glob(pattern):
            if path.stem not in kept:
                path.unlink()


def load_last_checkpoint(folder: Path) -> LearnerState | None:
    """The last complete checkpoint; None if there is none."""
    for path in sorted(folder.glob("*.json"), reverse=True):
        try:
            return _load(path)
        except (OSError, ValueError, LookupError, AttributeError, TypeError, SafetensorError):
            continue
    return None


def _load(path: Path) -> LearnerState:
    plain = json.loads(path.read_text(encoding="utf-8"))
    tensors = path.with_suffix(".safetensors").read_bytes()
    if {name: plain.pop(name) for name in _CHECKSUMS} != _checksums(tensors, plain):
        raise ValueError(f"{path} is damaged")
    return LearnerState(load(tensors), plain)


def _checksums(tensors: bytes, plain: Mapping[str, Any]) -> dict[str, str]:
    parts = tensors, json.dumps(plain, sort_keys=True).encode()
    hashes = (hashlib.sha256(part).hexdigest() for part in parts)
    return dict(zip(_CHECKSUMS, hashes, strict=True))


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
    """The global generators of PyTorch and NumPy, which Stable-Baselines3 and RLlib draw from."""
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
