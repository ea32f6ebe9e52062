"""Checkpoints: tensors in safetensors, the rest in JSON. Reading one runs no code from it.

The JSON is written last and names what the tensors must be, so a checkpoint that a killed process
left half written is none.
"""

import hashlib
import json
from pathlib import Path

from safetensors.torch import load, save

from mindup_env.files import atomic_write, write_text
from mindup_training.learner import State

_KEPT = 2
"""Two, for the case that the disk lost the last one."""


def save_checkpoint(folder: Path, state: State) -> None:
    folder.mkdir(exist_ok=True)
    name = f"{state.plain['timesteps']:012d}"
    tensors = save(state.tensors)
    with atomic_write(folder / f"{name}.safetensors") as file:
        file.write(tensors)
    plain = {**state.plain, "sha256": hashlib.sha256(tensors).hexdigest()}
    write_text(folder / f"{name}.json", json.dumps(plain))
    for old in sorted(folder.glob("*.json"))[:-_KEPT]:
        old.unlink()
        old.with_suffix(".safetensors").unlink(missing_ok=True)


def load_last_checkpoint(folder: Path) -> State | None:
    """The last one that is whole; None where there is none."""
    for described in sorted(folder.glob("*.json"), reverse=True):
        try:
            plain = json.loads(described.read_text(encoding="utf-8"))
            tensors = described.with_suffix(".safetensors").read_bytes()
            if plain.pop("sha256") == hashlib.sha256(tensors).hexdigest():
                return State(load(tensors), plain)
        except (OSError, ValueError, KeyError):
            continue
    return None
