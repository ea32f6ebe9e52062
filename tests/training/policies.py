"""Policies for the tests: networks with random weights, whose opinions differ."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

from mindup_agents.features import make_encoder
from mindup_agents.policy import Description, Policy, Widths, save_policy
from mindup_env import GameConfig
from mindup_training.network import Network

NARROW = Widths(table=24, card=16, value=8)


def random_network(config: GameConfig, widths: Widths = NARROW, seed: int = 0) -> Network:
    """Every weight and bias counts, and so does every input."""
    chance = torch.Generator().manual_seed(seed)
    network = Network(make_encoder("raw-1", config).shape, widths)
    with torch.no_grad():
        for parameter in network.parameters():
            scale = parameter.shape[-1] ** -0.5
            parameter.copy_(2 * scale * torch.randn(parameter.shape, generator=chance))
    return network


def policy_of(
    network: Network,
    *configs: GameConfig,
    widths: Widths = NARROW,
    about: Mapping[str, str] | None = None,
) -> Policy:
    tensors = {name: value.numpy() for name, value in network.state_dict().items()}
    return Policy(Description(configs, "raw-1", widths, about or {}), tensors)


def random_policy(*configs: GameConfig, seed: int = 0) -> Policy:
    return policy_of(random_network(configs[0], seed=seed), *configs)


def policy_file(folder: Path, config: GameConfig) -> Path:
    path = folder / "policy.safetensors"
    save_policy(random_policy(config), path)
    return path


def odds_of(
    network: torch.nn.Module, rows: np.ndarray[tuple[int, int], np.dtype[np.float32]]
) -> torch.Tensor:
    """What PyTorch makes of rows of inputs: the odds (B, slots) of each slot."""
    judged = network(torch.from_numpy(rows))
    held = judged.cards >= 0
    odds: torch.Tensor = judged.logits.masked_fill(~held, -torch.inf).softmax(dim=1)
    return odds
