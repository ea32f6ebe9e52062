"""Fits the networks of a champion to decisions: cards-1, which reads the features position-1."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import mse_loss, nll_loss

from mindup_agents.features.position import PositionFeatures
from mindup_agents.policy import Description, Policy, Widths, load_policy, save_policy
from mindup_env import GameConfig
from mindup_training.champion_games import Decisions
from mindup_training.network import log_probs
from mindup_training.torch_policy import make_network, tensors_of

WIDTHS = Widths(64, 32, 32)
"""Sampled games read the networks: wider ones are slower, and hardly more exact."""
LEARNING_RATE = 2e-3
"""At first; it decreases to 0."""
HELD_OUT = 10
"""One in so many games is not learned from, to measure the error on."""
_EVALUATION_BATCH = 8192


class Loss(NamedTuple):
    """What a network is fitted to: the bots' cards by their cross-entropy, and values."""

    card_weight: float
    value_weight: float
    batch_size: int


IMITATION, VALUES = Loss(1.0, 0.5, batch_size=512), Loss(0.0, 1.0, batch_size=1024)


class Fitted(NamedTuple):
    """The decisions that a network is fitted to, as tensors."""

    rows: Tensor  # (B, size) the features
    slots: Tensor  # (B,) the slot of the chosen card
    values: Tensor  # (B,)

    def pick(self, places: Tensor) -> "Fitted":
        return Fitted(*(each.index_select(0, places) for each in self))


def fit(
    path: Path,
    configs: Sequence[GameConfig],
    decisions: Decisions,
    loss: Loss,
    *,
    epochs: int,
    seed: int,
    about: Mapping[str, str],
    start: Path | None = None,
) -> None:
    """Fits a network, and writes it to a file; the same arguments give the same network.

    Its values are fitted to the returns. With a ``start`` it begins with the weights of this file,
    and its values are fitted to the best values that the bot found.
    """
    description = Description(tuple(configs), PositionFeatures.name, WIDTHS, about)
    torch.manual_seed(seed)  # for the first weights
    network = make_network(description)
    values = decisions.returns
    if start is not None:
        weights = load_policy(start).tensors.items()
        network.load_state_dict({name: torch.tensor(each) for name, each in weights})
        values = decisions.best_values - 1 / configs[0].num_players
    data = Fitted(*map(torch.as_tensor, (decisions.rows, decisions.slots, values)))
    is_held_out = torch.from_numpy(decisions.games % HELD_OUT == 0)
    learned, held_out = (~is_held_out).nonzero()[:, 0], is_held_out.nonzero()[:, 0]
    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE, eps=1e-5, fused=True)
    generator = torch.Generator().manual_seed(seed)

    def error(places: Tensor) -> Tensor:
        batch = data.pick(places)
        output = network(batch.rows)
        of_cards = nll_loss(log_probs(output), batch.slots)
        of_values = mse_loss(output.values, batch.values)
        return loss.card_weight * of_cards + loss.value_weight * of_values

    for epoch in range(epochs):
        shuffled = learned[torch.randperm(len(learned), generator=generator)]
        batches = torch.split(shuffled, loss.batch_size)
        total = 0.0
        for index, batch in enumerate(batches):
            for group in optimizer.param_groups:
                group["lr"] = LEARNING_RATE * (1 - (epoch + index / len(batches)) / epochs)
            found = error(batch)
            optimizer.zero_grad()
            torch.autograd.backward(found)
            optimizer.step()
            total += len(batch) * float(found.detach())
        with torch.no_grad():
            parts = torch.split(held_out, _EVALUATION_BATCH)
            unseen = sum(len(part) * float(error(part)) for part in parts) / len(held_out)
        print(
            f"  pass {epoch + 1}: loss {total / len(learned):.4f}, held out {unseen:.4f}",
            flush=True,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    save_policy(Policy(description, tensors_of(network)), path)
