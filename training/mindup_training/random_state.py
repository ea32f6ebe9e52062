"""The states of the global random generators that PyTorch and Stable-Baselines3 draw from."""

import base64
from typing import Any

import numpy as np
import torch


def get_random_state() -> dict[str, Any]:
    """Plain data for JSON."""
    numpy_state: Any = np.random.get_state(legacy=False)  # noqa: NPY002  # SB3 shuffles by it
    numpy_state["state"]["key"] = numpy_state["state"]["key"].tolist()
    torch_state = torch.get_rng_state().numpy().tobytes()
    return {"numpy": numpy_state, "torch": base64.b64encode(torch_state).decode()}


def set_random_state(plain: dict[str, Any]) -> None:
    numpy_state = plain["numpy"]
    key = np.array(numpy_state["state"]["key"], np.uint32)
    np.random.set_state({**numpy_state, "state": {**numpy_state["state"], "key": key}})  # noqa: NPY002
    torch_state = np.frombuffer(base64.b64decode(plain["torch"]), np.uint8)
    torch.set_rng_state(torch.from_numpy(torch_state.copy()))
