"""The networks of policies as PyTorch modules; their tensors are those of the policy files.

A network of a user's own is a ``torch.nn.Module`` that is made with a ``FeatureShape``, its
options, and the widths of the settings if it has a parameter ``widths``. Its ``forward`` takes rows
of features (B, size) and returns a ``NetworkOutput``, as that of ``Network`` does; ``FeatureShape``
says what is where in a row. All its parameters and buffers must be float32.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from mindup_agents.features.base import NO_CARD, FeatureShape
from mindup_agents.policy import Description, Policy
from mindup_agents.policy.bidding import BIDDING
from mindup_agents.policy.description import NO_OWN_CODE, OwnCode
from mindup_agents.policy.file import check_policy
from mindup_agents.policy.network import Tensors, build_network
from mindup_training.bidding import BiddingNetwork
from mindup_training.network import Network
from mindup_training.targets import targets_of


def make_network(description: Description) -> nn.Module:
    """The network of a policy with its first weights: one of the package, or a user's."""
    name, shape = description.network, description.feature_shape()
    if name in _NETWORKS:
        return _NETWORKS[name](description, shape)
    network: nn.Module = build_network(name or "", shape, description.widths)
    _check_output(network, name or "", shape)
    targets_of(network)  # refuses unknown ones
    return network


_NETWORKS: dict[str | None, Callable[[Description, FeatureShape], nn.Module]] = {
    None: lambda own, shape: Network(shape, own.widths),
    BIDDING: lambda own, shape: BiddingNetwork(own.bidding_facts(), shape, own.widths),
}
"""The networks of the package, by id."""


def _check_output(network: nn.Module, name: str, shape: FeatureShape) -> None:
    """Refuses what does not return a NetworkOutput, for two rows with one card each."""
    rows = torch.zeros(2, shape.size)
    rows[:, shape.hand_begins + 1 :] = NO_CARD
    mode = network.training
    network.eval()
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        output = network(rows)
    network.train(mode)
    hands = rows[:, shape.hand_begins :].long()
    parts = [getattr(output, each, None) for each in ("logits", "cards", "values")]
    shapes = [part.shape if isinstance(part, Tensor) else None for part in parts]
    expected = [hands.shape, hands.shape, hands.shape[:1]]
    if shapes != expected or not output.cards.equal(hands):
        raise ValueError(
            f"network {name!r} must return a NetworkOutput of logits (B, {shape.slots}), cards (B, "
            f"{shape.slots}), which are the last entries of a row as integers, and values (B,)"
        )


def to_torch(policy: Policy, own_code: OwnCode = NO_OWN_CODE) -> nn.Module:
    """The network of a policy as a PyTorch module with its weights, ready to be trained on.

    Its ``forward`` takes rows of features (B, size), which the encoder of
    ``policy.description.features`` fills, and returns logits, cards and values, see
    ``mindup_training.network.NetworkOutput``.

    Args:
        policy: the policy, which does not change when the module is trained.
        own_code: the code that the user names, for a policy with a network of a user.
    """
    description = policy.description
    own_code.check(description)
    with torch.random.fork_rng(devices=[]):  # the first weights are replaced: draw no others
        module = make_network(description)
    module.load_state_dict({name: torch.tensor(each) for name, each in policy.tensors.items()})
    return module


def from_torch(module: nn.Module, description: Description) -> Policy:
    """The policy of a module that ``to_torch`` made, with a copy of its weights.

    Args:
        module: the module.
        description: what the policy says about itself: that of the first policy, or another one
            for the same network.

    Raises:
        ValueError: if the weights are not those of the network that is described, or not finite.
    """
    policy = Policy(description, tensors_of(module))
    check_policy(policy)
    return policy


def tensors_of(network: nn.Module) -> Tensors:
    """A copy of the weights, as a policy has them."""
    state = network.state_dict()
    return {name: value.cpu().numpy().copy() for name, value in state.items()}
