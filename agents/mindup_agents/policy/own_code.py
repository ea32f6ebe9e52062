"""Policies with features or a network of a user's own.

A policy file only names such code. It is imported where the user names the same, and never because
a file names it.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from mindup_agents.features import FeatureEncoder, FeatureShape, import_encoder, make_encoder
from mindup_agents.features.base import Float32Array
from mindup_agents.policy.description import Description
from mindup_agents.policy.network import NETWORK, Tensors, Widths
from mindup_agents.policy.row_evaluator import CompiledEvaluator, RowEvaluator, check_rows
from mindup_env.agent import code_name, find_code, names_code
from mindup_env.config import GameConfig
from mindup_env.settings.checks import shortened
from mindup_env.settings.extras import require
from mindup_env.threads.pool import NumThreads


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
        return make_encoder(description.features, config, num_threads, description.pad_to_players)
    encoder = import_encoder(description.features, config)
    if encoder.shape != description.feature_shape():
        raise ValueError(
            f"the policy was trained with features {description.features} of "
            f"{description.feature_shape()}, but they have {encoder.shape} now"
        )
    return encoder


def make_row_evaluator(
    description: Description,
    tensors: Tensors,
    shape: FeatureShape,
    own_code: OwnCode,
    num_threads: NumThreads = 1,
) -> RowEvaluator:
    """What computes the network of a policy: compiled code, or PyTorch for a user's own.

    Only the compiled code uses the threads.
    """
    own_code.check(description)
    if own_code.network:
        return PyTorchEvaluator(description, tensors, shape)
    return CompiledEvaluator(tensors, shape, num_threads)


def build_network(spec: str, encoder_shape: Any, widths: Widths) -> Any:
    """The PyTorch module of a user; it gets the widths if it has a parameter of this name."""
    from torch import nn  # noqa: PLC0415  # policies of the package play without PyTorch

    network = find_code(NETWORK, spec).build(encoder_shape, widths=widths)
    if not isinstance(network, nn.Module):
        raise ValueError(f"network {spec!r} must make a torch.nn.Module, not {network!r}")
    return network


class PyTorchEvaluator:
    """The network of a user.

    Args:
        description: the description of the policy, which names the network.
        tensors: its parameters.
        shape: the shape of the rows of features.
    """

    def __init__(self, description: Description, tensors: Tensors, shape: FeatureShape) -> None:
        require("a policy with a network of its own", "train", "torch")
        import torch  # noqa: PLC0415  # policies of the package play without it

        with torch.random.fork_rng(devices=[]):  # the first weights are replaced: draw no others
            network = build_network(description.network or "", shape, description.widths)
        weights = {name: torch.from_numpy(tensor.copy()) for name, tensor in tensors.items()}
        try:
            network.load_state_dict(weights)
        except RuntimeError as error:
            raise ValueError(
                f"the tensors of the policy do not fit the network {description.network}: "
                f"{shortened(' '.join(str(error).split()))}"
            ) from None
        self._network, self._shape, self._torch = network.eval(), shape, torch

    def logits(self, rows: Float32Array) -> Float32Array:
        """The logit of each card of the hand (B, slots); -inf in empty slots."""
        output = self._output(rows)
        return np.where(output.cards.numpy() >= 0, output.logits.numpy(), np.float32(-np.inf))

    def values(self, rows: Float32Array) -> Float32Array:
        """The output of the critic (B,)."""
        values: Float32Array = self._output(rows).values.numpy()
        return values

    def _output(self, rows: Float32Array) -> Any:
        check_rows(rows, self._shape)
        with self._torch.no_grad():
            return self._network(self._torch.from_numpy(rows.copy()))
