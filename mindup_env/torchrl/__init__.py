"""The game for TorchRL: N games with P seats in one ``EnvBase`` (extra ``[torchrl]``)."""

from mindup_env.torchrl.env import TorchRLMindUp

__all__ = ["TorchRLMindUp"]
