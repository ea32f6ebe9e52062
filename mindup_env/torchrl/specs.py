"""The specs of the environment of TorchRL, with the keys of TorchRL's PettingZoo wrapper."""

from typing import Any

from mindup_env.batch_env import BatchEnv
from mindup_env.config import GameConfig
from mindup_env.observation.vector_layout import VectorLayout
from mindup_env.torchrl.torchrl_extra import Bounded, Categorical, Composite, Unbounded, torch

GROUP = "player"
ACTION, MASK = (GROUP, "action"), (GROUP, "action_mask")
OBSERVATION, REWARD = (GROUP, "observation"), (GROUP, "reward")
DONE = ("done", "terminated", "truncated")


def observation_spec(env: BatchEnv, *, scaled: bool, with_state: bool, device: torch.device) -> Any:
    config, num_envs = env.config, env.num_envs
    seats = num_envs, config.num_players
    group = {
        "observation": _vectors(env.layout, seats, scaled=scaled, device=device),
        "action_mask": Categorical(2, (*seats, config.num_cards), device=device, dtype=torch.bool),
    }
    specs: dict[str, Any] = {GROUP: Composite(group, shape=seats, device=device)}
    if with_state:
        specs["state"] = _vectors(env.state_layout, (num_envs,), scaled=scaled, device=device)
    return Composite(specs, shape=(num_envs,), device=device)


def action_spec(config: GameConfig, num_envs: int, device: torch.device) -> Any:
    seats = num_envs, config.num_players
    action = Categorical(config.num_cards, seats, device=device, dtype=torch.int64)
    return _grouped({"action": action}, seats, device)


def reward_spec(config: GameConfig, num_envs: int, device: torch.device) -> Any:
    seats = num_envs, config.num_players
    reward = Unbounded((*seats, 1), device=device, dtype=torch.float32)
    return _grouped({"reward": reward}, seats, device)


def done_spec(config: GameConfig, num_envs: int, device: torch.device) -> Any:
    """Of the game, and once more of each seat, as the losses of TorchRL want it."""
    seats = num_envs, config.num_players

    def flags(*shape: int) -> dict[str, Any]:
        return {name: Categorical(2, shape, device=device, dtype=torch.bool) for name in DONE}

    group = Composite(flags(*seats, 1), shape=seats, device=device)
    return Composite({**flags(num_envs, 1), GROUP: group}, shape=(num_envs,), device=device)


def scales(layout: VectorLayout, device: torch.device) -> torch.Tensor:
    """What scales each entry of a vector to at most 1."""
    largest = torch.maximum(
        torch.from_numpy(layout.low).float().abs(), torch.from_numpy(layout.high).float()
    )
    return (1 / largest.clamp(min=1)).to(device)


def _vectors(
    layout: VectorLayout, leading: tuple[int, ...], *, scaled: bool, device: torch.device
) -> Any:
    low, high = torch.from_numpy(layout.low), torch.from_numpy(layout.high)
    if scaled:
        scale = scales(layout, torch.device("cpu"))
        low, high = low * scale, high * scale
    shape = *leading, layout.size
    return Bounded(low.expand(shape), high.expand(shape), shape, device=device, dtype=low.dtype)


def _grouped(specs: dict[str, Any], seats: tuple[int, int], device: torch.device) -> Any:
    group = Composite(specs, shape=seats, device=device)
    return Composite({GROUP: group}, shape=seats[:1], device=device)
