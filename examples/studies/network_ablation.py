"""Trains networks that lack a part of ``bidding-1``, to see what each part adds.

python examples/studies/network_ablation.py --timesteps 300000 --out runs/ablation
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from mindup_agents.features import FeatureShape
from mindup_agents.policy import Widths
from mindup_agents.policy.bidding import BiddingFacts
from mindup_arena import win_share_against
from mindup_env import GameConfig
from mindup_training import NetworkOutput, TrainingResult, read_preset, train
from mindup_training.bidding import BiddingNetwork, Seen

CONFIG = GameConfig()


class Whole(BiddingNetwork):
    """``bidding-1`` itself."""

    features = "memory-1"

    def __init__(self, shape: FeatureShape, widths: Widths) -> None:
        super().__init__(BiddingFacts.of(CONFIG, None, self.features, shape), shape, widths)


class WithoutMemory(Whole):
    """It does not know what its opponents played before."""

    features = "raw-1"


class WithoutHands(Whole):
    """It does not see what a card is worth beside the others of a hand."""

    def _read(self, rows: Tensor) -> Seen:
        seen = super()._read(rows)
        of_hands = seen.of_hands.clone()
        of_hands[..., 1:] = 0
        return seen._replace(of_hands=of_hands)


class WithoutWorth(WithoutHands):
    """It does not see what a colour is worth to a player either."""

    def _read(self, rows: Tensor) -> Seen:
        seen = super()._read(rows)
        return seen._replace(colours=torch.zeros_like(seen.colours))


class WithoutProbabilities(Whole):
    """It sees how many lower cards are expected instead of the probabilities of the prizes."""

    def _places(self, plays: Tensor, cards: Tensor) -> Tensor:
        lower = (plays.cumsum(2) - plays).sum(1).gather(1, cards)
        places = lower.round().long().clamp(max=plays.shape[1])
        return one_hot(places, plays.shape[1] + 1).float()


class Flat(nn.Module):
    """Reads the table of the row in two layers, and has an output for each card of the deck."""

    def __init__(self, shape: FeatureShape, widths: Widths) -> None:
        super().__init__()
        self.shape, width = shape, 2 * widths.table
        first, second = nn.Linear(shape.table, width), nn.Linear(width, width)
        self.layers = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        self.logits, self.value = nn.Linear(width, CONFIG.num_cards), nn.Linear(width, 1)

    def forward(self, rows: Tensor) -> NetworkOutput:
        table, _, hand = self.shape.split(rows)
        hidden, hand = self.layers(table), hand.long()
        logits = self.logits(hidden).gather(1, hand.clamp(min=0))
        return NetworkOutput(logits, hand, self.value(hidden).squeeze(1))


VARIANTS: dict[str, dict[str, Any]] = {
    "whole": {"network": "network_ablation:Whole"},
    "without memory": {"network": "network_ablation:WithoutMemory", "features": "raw-1"},
    "without what a card is beside the others": {"network": "network_ablation:WithoutHands"},
    "without that and the worth of colours": {"network": "network_ablation:WithoutWorth"},
    "without exact probabilities": {"network": "network_ablation:WithoutProbabilities"},
    "without the auxiliary target": {"network": "network_ablation:Whole", "ppo": {"aux_coef": 0.0}},
    "`cards-1`": {"network": "cards-1", "features": "raw-1"},
    "a flat network": {"network": "network_ablation:Flat", "features": "raw-1"},
}
OPPONENTS = "random", "greedy", "planner"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timesteps", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--deals", type=int, default=600)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args(words)
    for number, (name, changes) in enumerate(VARIANTS.items()):
        shared = {"timesteps": asked.timesteps, "seed": asked.seed, "threads": 1}
        settings = read_preset("quick").changed({**shared, "evaluation_deals": 1, **changes})
        folder = asked.out / f"{number}-seed{asked.seed}"
        result = TrainingResult(folder) if folder.exists() else train(settings, out=folder)
        shares = [
            win_share_against(result.bot, opponent, CONFIG, asked.deals, seed=5)
            for opponent in OPPONENTS
        ]
        print(name, *(f"{100 * each.value:.1f}" for each in shares), sep=" | ", flush=True)


if __name__ == "__main__":
    main()
