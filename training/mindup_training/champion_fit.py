"""Fits the networks of a champion, which the bot computes in compiled code."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import mse_loss, nll_loss
from torch.utils.data import TensorDataset

from mindup_agents.champion.feature_shape import FeatureShape
from mindup_agents.champion.network import CARD, TABLE, VALUE_LAYER, Tensors
from mindup_training.champion_games import Decisions
from mindup_training.fitting import fit_in_passes
from mindup_training.head import MASKED, Head

LEARNING_RATE = 2e-3  # at first; it decreases to 0
HELD_OUT = 10  # one in so many games is held out, to measure the error
_EVALUATION_BATCH = 8192


class CardsNetwork(Head):
    """Reads the table once, and evaluates each card of the hand given it."""

    def __init__(self, shape: FeatureShape) -> None:
        super().__init__()
        self.shape = shape
        self.table = nn.Linear(shape.table, TABLE)
        self.add_head(TABLE, shape.card, CARD, VALUE_LAYER)
        self.set_first_weights({})
        # At first, all cards are about equally likely.
        nn.init.orthogonal_(self.logit.weight, gain=0.01)
        nn.init.orthogonal_(self.value.weight, gain=1.0)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities (B, slots) and values (B,) of rows (B, size)."""
        table, slots, cards = self.shape.split(rows)
        held = cards >= 0
        logits, values = self.score(self.bend(self.table(table)), self.card(slots), held)
        return logits.masked_fill(~held, MASKED).log_softmax(1), values


class Loss(NamedTuple):
    """Of a fit: the cross-entropy of the bots' cards, and the squared error of values."""

    card_weight: float
    value_weight: float
    batch_size: int


IMITATION = Loss(1.0, 0.5, batch_size=512)
VALUES = Loss(0.0, 1.0, batch_size=1024)


def fit(
    shape: FeatureShape,
    decisions: Decisions,
    loss: Loss,
    *,
    epochs: int,
    seed: int,
    start: Tensors | None = None,
) -> Tensors:
    """The weights of a network fitted to decisions; the same arguments give the same.

    Its values are fitted to the returns. With a ``start`` it begins with these weights.
    """
    torch.manual_seed(seed)  # for the first weights
    network = CardsNetwork(shape)
    if start is not None:
        network.load_state_dict({name: torch.tensor(each) for name, each in start.items()})
    arrays = decisions.rows, decisions.slots, decisions.returns
    data = TensorDataset(*map(torch.from_numpy, arrays))
    is_held_out = torch.from_numpy(decisions.games % HELD_OUT == 0)
    held_out = is_held_out.nonzero()[:, 0]
    learned = (~is_held_out).nonzero()[:, 0]

    def error(places: Tensor) -> Tensor:
        rows, slots, known = data[places]
        logprobs, values = network(rows)
        of_cards = nll_loss(logprobs, slots)
        return loss.card_weight * of_cards + loss.value_weight * mse_loss(values, known)

    means = fit_in_passes(
        network,
        error,
        learned,
        epochs=epochs,
        batch_size=loss.batch_size,
        learning_rate=LEARNING_RATE,
        seed=seed,
    )
    for number, mean in enumerate(means, 1):
        with torch.no_grad():
            parts = torch.split(held_out, _EVALUATION_BATCH)
            unseen = sum(len(part) * float(error(part)) for part in parts) / len(held_out)
        print(f"  pass {number}: loss {mean:.4f}, held out {unseen:.4f}", flush=True)
    return {name: value.numpy() for name, value in network.state_dict().items()}
