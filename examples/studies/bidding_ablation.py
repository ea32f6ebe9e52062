"""Writes docs/results/bidding-ablation.json: what each part of ``bidding-1`` and its training adds.

python examples/studies/bidding_ablation.py

Each entry is a training with one change and one seed. A training that was stopped is resumed, and
entries that are in the file are not measured again; so the file can be written in several calls.
"""

import argparse
import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from mindup_agents.features import FeatureShape
from mindup_agents.features.memory import MEMORY_MODELS
from mindup_agents.policy import Widths
from mindup_agents.policy.bidding import BiddingFacts
from mindup_arena import win_share_against
from mindup_env import GameConfig
from mindup_env.runs.files import write_text
from mindup_training import NetworkOutput, TrainingResult, read_preset, resume, train
from mindup_training.bidding import BiddingNetwork, Seen

RESULTS = Path(__file__).parents[2] / "docs" / "results"
CONFIG = GameConfig()
MODULE = Path(__file__).stem if __name__ == "__main__" else __name__
"""By which the trainings find the networks here."""


class Whole(BiddingNetwork):
    """``bidding-1`` itself."""

    models = MEMORY_MODELS

    def __init__(self, shape: FeatureShape, widths: Widths) -> None:
        super().__init__(BiddingFacts.of(CONFIG, self.models, shape), shape, widths)


class WithoutMemory(Whole):
    """It does not know what its opponents played before."""

    models = 1


class WithoutHands(Whole):
    """It does not see what a card is worth beside the others of a hand."""

    def _read(self, rows: Tensor) -> Seen:
        seen = super()._read(rows)
        of_hands = seen.of_hands.clone()
        of_hands[:, :, 1:] = 0
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


PARTS: dict[str, dict[str, Any]] = {
    "whole": {"network": f"{MODULE}:Whole"},
    "without memory": {"network": f"{MODULE}:WithoutMemory", "features": "raw-1"},
    "without what a card is beside the others": {"network": f"{MODULE}:WithoutHands"},
    "without that and the worth of colours": {"network": f"{MODULE}:WithoutWorth"},
    "without exact probabilities": {"network": f"{MODULE}:WithoutProbabilities"},
    "without the auxiliary target": {"aux_coef": 0.0},
    "`cards-1`": {"network": "cards-1", "features": "raw-1"},
    "a flat network": {"network": f"{MODULE}:Flat", "features": "raw-1"},
}
"""Changes of the network."""
TRAININGS: dict[str, dict[str, Any]] = {
    "`--epochs 2`": {"epochs": 2},
    "`--learning-rate 0.0015`": {"learning_rate": 0.0015},
    "`--gae-lambda 0.9`": {"gae_lambda": 0.9},
    "`--ent-coef 0.005`": {"ent_coef": 0.005},
    "`--reward 0.02*margin+win`": {"reward": "0.02*margin+win"},
    "`--opponents random 2:greedy 3:planner`": {"opponents": ["random", "2:greedy", "3:planner"]},
}
"""Changes of the settings."""
VARIANTS = PARTS | TRAININGS
OPPONENTS = "random", "greedy", "planner"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timesteps", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--out", type=Path, default=Path("runs/bidding_ablation"))
    parser.add_argument("--json", type=Path, default=RESULTS / "bidding-ablation.json")
    asked = parser.parse_args(words)
    found = json.loads(asked.json.read_text(encoding="utf-8")) if asked.json.exists() else {}
    for seed, name in product(asked.seeds, asked.variants):
        of_variant = found.setdefault(name, {})
        if str(seed) in of_variant:
            continue
        result = trained(asked.out / f"{list(VARIANTS).index(name)}-seed{seed}", name, seed, asked)
        of_variant[str(seed)] = {
            bot: 100 * win_share_against(result.bot, bot, CONFIG, asked.deals, seed=5).value
            for bot in OPPONENTS
        }
        write_text(asked.json, json.dumps(found, indent=1) + "\n")
        print(name, seed, *(f"{each:.1f}" for each in of_variant[str(seed)].values()), sep=" | ")


def trained(folder: Path, name: str, seed: int, asked: argparse.Namespace) -> TrainingResult:
    """The training of a variant, which is begun or resumed."""
    if folder.exists():
        return resume(folder, quiet=True)
    shared = {"timesteps": asked.timesteps, "seed": seed, "threads": 1, "evaluation_deals": 1}
    settings = read_preset("quick").changed({**shared, "num_envs": 256})
    return train(settings.changed(VARIANTS[name]), out=folder, quiet=True)


if __name__ == "__main__":
    main()
