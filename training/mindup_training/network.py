"""The network ``cards-1`` in PyTorch, and what all networks return."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths

MASKED = -1e8
"""The logit of what cannot be played: its probability is exactly 0, and no gradient is NaN."""


class NetworkOutput(NamedTuple):
    """Of B rows of features.

    Attributes:
        logits: (B, slots) one for each card of the hand; meaningless in empty slots.
        cards: (B, slots) the card in each slot; -1 for none.
        values: (B,) the returns that the network expects.
        auxiliary: what the auxiliary loss of the network compares with its targets; None without.
        remembered: (B, ...) what the features remember in the next turn, without a gradient; for
            memory-1 the probability (B, players - 1, models, num_cards) of each card of each
            opponent, by each model; None without.
    """

    logits: Tensor
    cards: Tensor
    values: Tensor
    auxiliary: Tensor | None = None
    remembered: Tensor | None = None


class Network(nn.Module):
    """The network of the package for any features.

    The table is encoded once, and each card of the hand is scored with that encoding.
    """

    def __init__(self, shape: FeatureShape, widths: Widths) -> None:
        super().__init__()
        self.shape = shape
        self.table = nn.Linear(shape.table, widths.table)
        self.card = nn.Linear(shape.card, widths.card)
        self.context = nn.Linear(widths.table, widths.card, bias=False)
        self.hidden = nn.Linear(widths.card, widths.card)
        self.logit = nn.Linear(widths.card, 1, bias=False)
        self.critic = nn.Linear(widths.table + widths.card, widths.value)
        self.value = nn.Linear(widths.value, 1)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, gain=2**0.5)
        nn.init.orthogonal_(self.logit.weight, gain=0.01)  # at first, all cards are equally likely
        nn.init.orthogonal_(self.value.weight, gain=1.0)
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, rows: Tensor) -> NetworkOutput:
        table, slots, cards = self.shape.split(rows)
        return self.score(relu(self.table(table), inplace=True), slots, cards)

    def score(self, table_hidden: Tensor, slots: Tensor, cards: Tensor) -> NetworkOutput:
        """Evaluates the slots of rows with this encoding of their tables (B, width)."""
        # Only the slots with a card: almost half of them are empty on average.
        held = cards >= 0
        filled = held.flatten().nonzero().squeeze(1)
        owner = filled // self.shape.slots
        # In place, where no gradient needs the values that are replaced: fewer bytes are moved.
        card_hidden = self.card(slots.reshape(-1, self.shape.card).index_select(0, filled))
        card_hidden += self.context(table_hidden).index_select(0, owner)
        card_hidden = relu(card_hidden, inplace=True)
        card_hidden = relu(self.hidden(card_hidden), inplace=True)
        count = held.sum(dim=1, keepdim=True).clamp(min=1)  # the mean of no cards is 0
        sums = card_hidden.new_zeros(len(cards), card_hidden.shape[1])
        hand = sums.index_add(0, owner, card_hidden) / count
        values = self.value(relu(self.critic(torch.cat([table_hidden, hand], dim=1))))
        logits = card_hidden.new_zeros(held.numel())
        logits = logits.index_copy(0, filled, self.logit(card_hidden).squeeze(1))
        return NetworkOutput(logits.view_as(held), cards.long(), values.squeeze(1))


def log_probs(output: NetworkOutput, masks: Tensor | None = None) -> Tensor:
    """The log probabilities (B, slots) of playing each slot; ``masks`` (B, cards) forbid more."""
    legal = output.cards >= 0
    if masks is not None:
        legal = legal & masks.gather(1, output.cards.clamp(min=0))
    return output.logits.masked_fill(~legal, MASKED).log_softmax(dim=1)
