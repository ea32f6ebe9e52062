"""Policies with features or a network of a user's own.

A policy file only names such code. It is imported where the user names the same, and never because
a file names it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Self

from mindup_agents.features import FeatureEncoder, import_encoder, make_encoder
from mindup_agents.features.base import Float32Array
from mindup_agents.policy.description import Description
from mindup_agents.policy.file import Policy
from mindup_agents.policy.network import NETWORK, Widths
from mindup_agents.policy.threaded_network import ThreadedNetwork
from mindup_env.checks import shortened
from mindup_env.config import GameConfig
from mindup_env.extras import require
from mindup_env.specs import code_name, find_code, names_code
from mindup_env.thread_team import NumThreads

FillLogits = Callable[[Float32Array, Float32Array], None]
"""Fills the logits (B, slots) for rows of features (B, size); -inf in empty slots."""


class OwnCode(NamedTuple):
    """The code that the user names, as ``module:Class``; empty texts for that of the package."""

    features: str = ""
    network: str = ""

    @classmethod
    def named_by(cls, features: str, network: str | None) -> Self:
        """That of the features and the network in question, without their options."""
        return cls(
            code_name(features) if names_code(features) else "",
            "" if network is None else code_name(network),
        )

    @property
    def as_options(self) -> str:
        """The options of the bot ``policy`` that name this code."""
        return "".join(f",{name}={value}" for name, value in self._asdict().items() if value)

    def check(self, description: Description) -> None:
        """Raises an error if a policy needs other code than the user names."""
        needed = self.named_by(description.features, description.network)
        if self == needed:
            return
        parts = [
            f"the {name} {value or 'of the package'}"
            for name, value in needed._asdict().items()
            if value != getattr(self, name)
        ]
        raise ValueError(
            f"the policy was trained with {' and '.join(parts)}, and plays only where the user "
            f"names the same code: policy:FILE{needed.as_options}"
        )


NO_OWN_CODE = OwnCode()


def make_policy_encoder(
    description: Description, config: GameConfig, own_code: OwnCode, num_threads: NumThreads = 1
) -> FeatureEncoder:
    """The encoder of a policy; its options come from the policy."""
    own_code.check(description)
    if not own_code.features:
        return make_encoder(description.features, config, num_threads)
    encoder = import_encoder(description.features, config)
    if encoder.shape != description.feature_shape():
        raise ValueError(
            f"the policy was trained with features {description.features} of "
            f"{description.feature_shape()}, but they have {encoder.shape} now"
        )
    return encoder


def make_fill_logits(
    policy: Policy, encoder: FeatureEncoder, own_code: OwnCode, num_threads: NumThreads = 1
) -> FillLogits:
    """What computes the network of a policy: compiled code, or PyTorch for a user's own.

    Only the compiled code uses the threads.
    """
    own_code.check(policy.description)
    if own_code.network:
        return _fill_with_pytorch(policy, encoder)
    return ThreadedNetwork(policy.tensors, encoder.shape, num_threads).fill_logits


def build_network(spec: str, encoder_shape: Any, widths: Widths) -> Any:
    """The PyTorch module of a user; it gets the widths if it has a parameter of this name."""
    from torch import nn  # noqa: PLC0415  # policies of the package play without PyTorch

    network = find_code(NETWORK, spec).build(encoder_shape, widths=widths)
    if not isinstance(network, nn.Module):
        raise ValueError(f"network {spec!r} must make a torch.nn.Module, not {network!r}")
    return network


def _fill_with_pytorch(policy: Policy, encoder: FeatureEncoder) -> FillLogits:
    require("a policy with a network of its own", "train", "torch")
    import torch  # noqa: PLC0415  # policies of the package play without it

    description = policy.description
    with torch.random.fork_rng(devices=[]):  # the first weights are replaced: draw none of others
        network = build_network(description.network or "", encoder.shape, description.widths)
    weights = {name: torch.from_numpy(tensor.copy()) for name, tensor in policy.tensors.items()}
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise ValueError(
            f"the tensors of the policy do not fit the network {description.network}: "
            f"{shortened(' '.join(str(error).split()))}"
        ) from None
    network.eval()

    @torch.no_grad()
    def fill(rows: Float32Array, logits: Float32Array) -> None:
        output = network(torch.from_numpy(rows.copy()))
        is_card = output.cards >= 0
        logits[:] = output.logits.masked_fill(~is_card, -torch.inf).numpy()

    return fill
