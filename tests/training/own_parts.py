"""Parts of a training as a user writes them, for the tests of settings that name them."""

# ruff: noqa: ARG001, ARG002  # the protocols have arguments that few parts need

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from mindup_agents.features import FeatureShape
from mindup_agents.policy import Policy, Widths
from mindup_arena import Estimate
from mindup_env import GameConfig
from mindup_training import Callback
from mindup_training.network import NetworkOutput

Array = npt.NDArray[Any]


class Reward:
    """The points gained, times a factor, and the win share."""

    def __init__(self, config: GameConfig, factor: float = 0.1) -> None:
        self.config, self.factor = config, factor

    def __call__(self, points_gained: Array, over: Array, win_share: Array) -> Array:
        return self.factor * points_gained + win_share


def reward(points_gained: Array, over: Array, win_share: Array, factor: float = 0.1) -> Array:
    return factor * points_gained + win_share


def reward_of_games(points_gained: Array, over: Array, win_share: Array) -> Array:
    return points_gained[:, 0]


class Encoder:
    """The mask as features of the table, and the numbers of the cards."""

    name = "own"

    def __init__(self, config: GameConfig, scale: float = 1.0) -> None:
        self.scale, self.num_cards = scale, config.num_cards
        self.shape = FeatureShape(config.num_cards, 1, config.largest_hand)

    def fill(
        self, observation: Array, action_mask: Array, starts: Array, bits: Array, out: Array
    ) -> None:
        slots = np.argsort(action_mask == 0, axis=1, kind="stable")[:, : self.shape.slots]
        held = np.take_along_axis(action_mask, slots, axis=1) > 0
        numbers = self.scale * held * (slots + 1) / self.num_cards
        out[:] = np.hstack([action_mask, numbers, np.where(held, slots, -1)])


class NotFinite(Encoder):
    def fill(
        self, observation: Array, action_mask: Array, starts: Array, bits: Array, out: Array
    ) -> None:
        super().fill(observation, action_mask, starts, bits, out)
        out[1, 2] = np.nan


class NoShape:
    """An encoder without a shape."""

    def __init__(self, config: GameConfig) -> None:
        pass


class Net(nn.Module):
    """Reads all features, with dropout, whose random numbers a resumed run must repeat."""

    def __init__(
        self, shape: FeatureShape, widths: Widths, depth: int = 1, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.slots, self.depth = shape.slots, depth
        self.first = nn.Linear(shape.hand_begins, widths.table)
        self.drop = nn.Dropout(dropout)
        self.last = nn.Linear(widths.table, shape.slots + 1)

    def forward(self, rows: Tensor) -> NetworkOutput:
        hidden = self.drop(torch.relu(self.first(rows[:, : -self.slots])))
        both = self.last(hidden)
        return NetworkOutput(both[:, :-1], rows[:, -self.slots :].long(), both[:, -1])


class NoValues(Net):
    def forward(self, rows: Tensor) -> NetworkOutput:
        output = super().forward(rows)
        return output._replace(values=output.logits)


class Diverging(Net):
    def forward(self, rows: Tensor) -> NetworkOutput:
        output = super().forward(rows)
        return output._replace(values=output.values * float("nan"))


class NoModule:
    def __init__(self, shape: FeatureShape) -> None:
        pass


class NoCallback:
    pass


class Recorder(Callback):
    """Notes what all of them are told, and ends the training after some checkpoints."""

    told: ClassVar[list[Any]] = []

    def __init__(self, checkpoints: int = 100) -> None:
        self.checkpoints, self.seen = checkpoints, 0

    def on_start(self, folder: Path, timesteps: int) -> None:
        self.told.append(("start", folder, timesteps))

    def on_rollout(self, timesteps: int, figures: Mapping[str, float]) -> str | None:
        self.told.append(("rollout", timesteps, {*figures}))
        return None

    def on_checkpoint(
        self, timesteps: int, policy: Policy, evaluations: Mapping[str, Estimate]
    ) -> str | None:
        self.told.append(("checkpoint", timesteps, [*evaluations]))
        self.seen += 1
        return f"{self.seen} checkpoints" if self.seen == self.checkpoints else None

    def state(self) -> dict[str, Any]:
        return {"seen": self.seen}

    def load_state(self, state: dict[str, Any]) -> None:
        self.seen = state["seen"]


class Talker(Callback):
    def on_rollout(self, timesteps: int, figures: Mapping[str, float]) -> Any:
        return timesteps


class WithTargets(nn.Module):
    """Learns all targets with a head of their own, which the auxiliary loss alone changes."""

    targets = "opponent_cards", "final_scores", "hidden_hands"

    def __init__(self, shape: FeatureShape) -> None:
        super().__init__()
        self.slots = shape.slots
        self.both = nn.Linear(shape.size, shape.slots + 1)
        self.head = nn.Linear(shape.size, 1)

    def forward(self, rows: Tensor) -> NetworkOutput:
        both = self.both(rows)
        hand = rows[:, -self.slots :].long()
        return NetworkOutput(both[:, :-1], hand, both[:, -1], self.head(rows)[:, 0])

    def auxiliary_loss(self, output: NetworkOutput, targets: Mapping[str, Tensor]) -> Tensor:
        assert output.auxiliary is not None
        wanted = sum(targets[name].float().flatten(1).mean(1) for name in self.targets)
        return (output.auxiliary - wanted).square().mean()


class UnknownTarget(WithTargets):
    targets = ("winner",)  # type: ignore[assignment]


class NoLoss(Net):
    targets = ("opponent_cards",)


class InfiniteLoss(WithTargets):
    def auxiliary_loss(self, output: NetworkOutput, targets: Mapping[str, Tensor]) -> Tensor:
        return super().auxiliary_loss(output, targets) / 0
