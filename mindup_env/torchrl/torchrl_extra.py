"""Imports TorchRL, an optional dependency, or says how to install it."""

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise ImportError(
        "mindup_env.torchrl needs TorchRL: pip install 'mindup-env[torchrl]'"
    ) from error

__all__ = [
    "Bounded",
    "Categorical",
    "Composite",
    "EnvBase",
    "TensorDict",
    "TensorDictBase",
    "Unbounded",
    "torch",
]
