"""Policies with features or a network of a user's own.

A policy file only names such code. It is imported where the user names the same, and never because
a file names it.
"""

from typing import Any, NamedTuple, Self

from mindup_agents.policy.description import Description
from mindup_agents.policy.network import NETWORK, Widths
from mindup_env.agent import code_name, find_code, names_code


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


def build_network(spec: str, encoder_shape: Any, widths: Widths) -> Any:
    """The PyTorch module of a user; it gets the widths if it has a parameter of this name."""
    from torch import nn  # noqa: PLC0415  # policies of the package play without PyTorch

    network = find_code(NETWORK, spec).build(encoder_shape, widths=widths)
    if not isinstance(network, nn.Module):
        raise ValueError(f"network {spec!r} must make a torch.nn.Module, not {network!r}")
    return network
