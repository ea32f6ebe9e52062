"""A network in training and its optimizer as tensors by name, as checkpoints keep them."""

from collections.abc import Mapping

from torch import Tensor, nn
from torch.optim import Optimizer

_NETWORK, _OPTIMIZER = "network.", "optimizer."


def get_state(network: nn.Module, optimizer: Optimizer) -> dict[str, Tensor]:
    tensors = {_NETWORK + name: value for name, value in network.state_dict().items()}
    for number, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"{_OPTIMIZER}{number}.{name}": value for name, value in moments.items()}
    return tensors


def set_state(network: nn.Module, optimizer: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    weights: dict[str, Tensor] = {}
    moments: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        if name.startswith(_NETWORK):
            weights[name.removeprefix(_NETWORK)] = value
        elif name.startswith(_OPTIMIZER):
            number, _, moment = name.removeprefix(_OPTIMIZER).partition(".")
            moments.setdefault(int(number), {})[moment] = value
    network.load_state_dict(weights)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": moments})
