"""Training with a reward, features, a network and a callback of your own.

    python own_training.py --timesteps 200000

The settings name the code of this file as module:Class, so that the run folder records it. A preset
or ``mindup train --reward own_training:Careful:loss=3`` names the same.
"""

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from mindup_agents.features import FeatureShape
from mindup_agents.policy import Policy
from mindup_arena import Estimate, win_share_against
from mindup_env import GameConfig, Layout
from mindup_training import Callback, TrainSettings, train
from mindup_training.network import NetworkOutput

Array = npt.NDArray[Any]


class Careful:
    """A reward: the win, and a part of the points gained, of which losses count more."""

    def __init__(self, config: GameConfig, loss: float = 2.0, weight: float = 0.05) -> None:
        self.equal_share, self.loss, self.weight = 1 / config.num_players, loss, weight

    def __call__(self, points_gained: Array, over: Array, win_share: Array) -> Array:
        """From points gained (N, P), whether games are over (N,), win share (N, P)."""
        points = np.where(points_gained < 0, self.loss * points_gained, points_gained)
        return self.weight * points + over[:, None] * (win_share - self.equal_share)


class Numbers:
    """Features: the observation for the table, and the number and the bonus of each card."""

    name = "numbers"

    def __init__(self, config: GameConfig) -> None:
        self.scales = Layout(config).scales  # what makes each entry at most 1
        self.bonus = np.array([card.points for card in config.deck])
        self.shape = FeatureShape(len(self.scales), 2, config.largest_hand)

    def fill(
        self, observation: Array, action_mask: Array, starts: Array, bits: Array, out: Array
    ) -> None:
        """Writes a row for each seat (B, ...): the slots have the hand, lowest card first."""
        order = np.argsort(action_mask == 0, axis=1, kind="stable")[:, : self.shape.slots]
        held = np.take_along_axis(action_mask, order, axis=1) > 0
        table, slots, cards = self.shape.split(out)  # views of the rows
        table[:] = observation * self.scales
        slots[..., 0] = held * (order + 1) / action_mask.shape[1]
        slots[..., 1] = held * self.bonus[order]
        cards[:] = np.where(held, order, -1)  # -1 is an empty slot


class Attention(nn.Module):
    """A network: the table and the cards of the hand attend to each other."""

    def __init__(self, shape: FeatureShape, width: int = 32, heads: int = 2) -> None:
        super().__init__()
        self.shape = shape
        self.table, self.card = nn.Linear(shape.table, width), nn.Linear(shape.card, width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.logit, self.value = nn.Linear(width, 1), nn.Linear(width, 1)

    def forward(self, rows: Tensor) -> NetworkOutput:
        table, slots, cards = self.shape.split(rows)
        tokens = torch.cat([self.table(table)[:, None], self.card(slots)], dim=1)
        empty = nn.functional.pad(cards < 0, (1, 0))
        seen, _ = self.attention(tokens, tokens, tokens, empty, need_weights=False)
        hidden = torch.relu(tokens + seen)
        logits, values = self.logit(hidden[:, 1:]), self.value(hidden[:, 0])
        return NetworkOutput(logits.squeeze(2), cards.long(), values.squeeze(1))


class EndEarly(Callback):
    """Ends the training after some checkpoints without a higher win share."""

    def __init__(self, patience: int = 3) -> None:
        self.patience, self.best, self.waited = patience, 0.0, 0

    def on_checkpoint(
        self, timesteps: int, policy: Policy, evaluations: Mapping[str, Estimate]
    ) -> str | None:
        share = min(each.value for each in evaluations.values())
        self.best, self.waited = max(share, self.best), 0 if share > self.best else self.waited + 1
        return "no progress" if self.waited == self.patience else None

    def state(self) -> dict[str, Any]:
        return {"best": self.best, "waited": self.waited}

    def load_state(self, state: dict[str, Any]) -> None:
        self.best, self.waited = state["best"], state["waited"]


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--timesteps", type=int, default=200_000)
    parser.add_argument("--deals", type=int, default=100, help="of an evaluation")
    parser.add_argument("--out", help="folder of the run (default: a new one in runs/)")
    given = parser.parse_args(words)
    settings = TrainSettings(
        opponents=("random", "2:greedy"),
        reward="own_training:Careful:loss=1.5",
        features="own_training:Numbers",
        network="own_training:Attention:heads=4",
        callbacks=("own_training:EndEarly:patience=5",),
        timesteps=given.timesteps,
        evaluations=8,
        evaluation_deals=given.deals,
        threads=1,
    )
    result = train(settings, out=given.out)
    print(f"{len(result.metrics['timesteps'])} rollouts; the policy plays as {result.bot}")
    share = win_share_against(result.bot, "random", GameConfig(4), deals=given.deals)
    print(
        f"win share against three random: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
