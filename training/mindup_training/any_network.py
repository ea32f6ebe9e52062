"""What learners ask of a network: the shapes of its answers, its state, and its auxiliary loss."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mindup_env.checks import InputError
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of


def empty_seen(config: GameConfig, rows: int) -> list[Tensor]:
    """Observations (rows, D) and masks (rows, C) of zeros."""
    sizes = layout_of(config).size, config.num_cards
    return [torch.zeros(rows, size, dtype=torch.int8) for size in sizes]


def empty_state(network: Any, rows: int) -> list[Tensor]:
    """The state of a network (rows, ...) at the start of games: zeros."""
    device = next(network.parameters()).device
    return [torch.zeros(rows, *shape, device=device) for shape in network.state_shapes]


def auxiliary_loss(network: Any, next_state: Sequence[Tensor], played: Tensor) -> Tensor:
    """The loss of the network itself, by the cards (B, P - 1) that the opponents played."""
    if not hasattr(network, "auxiliary_loss"):
        return torch.zeros((), device=played.device)
    loss: Tensor = network.auxiliary_loss(*next_state, played)
    return loss


def check_network(network: Any, config: GameConfig) -> None:
    """Refuses a network whose answers have wrong shapes."""
    if not hasattr(network, "state_shapes"):
        raise InputError(
            "a network needs state_shapes, the shape of each tensor of its state for one row; "
            "without a state ()"
        )
    rows = 2
    state = empty_state(network, rows)
    was_training = network.training
    network.eval()
    with torch.no_grad():
        answers = network(*empty_seen(config, rows), *state)
    network.train(was_training)
    needed = [(rows, config.num_cards), (rows,), *(tuple(each.shape) for each in state)]
    found: Any = type(answers)
    if isinstance(answers, Sequence):
        found = [tuple(each.shape) for each in answers]
    if found != needed:
        raise InputError(
            f"a network must return logits (B, {config.num_cards}), values (B,) and its "
            f"{len(state)} next states: for {rows} rows the shapes {needed}, not {found}"
        )


def check_finite(values: Tensor, timesteps: int) -> None:
    """Refuses to go on with a network that has learned no numbers."""
    if not values.isfinite().all():
        raise InputError(
            f"the training diverged: a loss or logit is not finite after {timesteps:,} decisions; "
            "use a lower learning rate, and check a reward or network of your own"
        )
