"""Policies as PyTorch modules, to train on with any learner, and back."""

from typing import TYPE_CHECKING

from mindup_agents.policy import Description, Policy
from mindup_agents.policy.description import NO_OWN_CODE, OwnCode
from mindup_agents.policy.file import check_policy
from mindup_env.settings.extras import require

if TYPE_CHECKING:  # PyTorch takes seconds to load
    from torch.nn import Module


def to_torch(policy: Policy, own_code: OwnCode = NO_OWN_CODE) -> "Module":
    """The network of a policy as a PyTorch module with its weights, ready to be trained on.

    Its ``forward`` takes rows of features (B, size), which the encoder of
    ``policy.description.features`` fills, and returns logits, cards and values, see
    ``mindup_training.network.NetworkOutput``.

    Args:
        policy: the policy, which does not change when the module is trained.
        own_code: the code that the user names, for a policy with a network of a user.
    """
    require("to_torch", "train", "torch")
    import torch  # noqa: PLC0415

    from mindup_training.network import make_network  # noqa: PLC0415  # it needs PyTorch

    description = policy.description
    own_code.check(description)
    with torch.random.fork_rng(devices=[]):  # the first weights are replaced: draw no others
        module = make_network(description.feature_shape(), description.widths, description.network)
    module.load_state_dict({name: torch.tensor(each) for name, each in policy.tensors.items()})
    return module


def from_torch(module: "Module", description: Description) -> Policy:
    """The policy of a module that ``to_torch`` made, with a copy of its weights.

    Args:
        module: the module.
        description: what the policy says about itself: that of the first policy, or another one
            for the same network.

    Raises:
        ValueError: if the weights are not those of the network that is described, or not finite.
    """
    state = module.state_dict()
    policy = Policy(
        description, {name: each.detach().cpu().numpy().copy() for name, each in state.items()}
    )
    check_policy(policy)
    return policy
