"""The architecture of all policies, in PyTorch; its tensors are those of the policy files."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths

MASKED = -1e8
"""The logit of what cannot be played: its probability is exactly 0, and no gradient is NaN."""


class NetworkOutput(NamedTuple):
    """Of B rows of features."""

    logits: Tensor  # (B, slots) one for each card of the hand; meaningless in empty slots
    cards: Tensor  # (B, slots) the card in each slot; -1 for none
    values: Tensor  # (B,)


class Network(nn.Module):
    """The table is encoded once, and each card of the hand is scored with that encoding."""

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
        shape = self.shape
        table, slots, cards = torch.split(
            rows, [shape.table, shape.slots * shape.card, shape.slots], dim=1
        )
        # Only the slots with a card: almost half of them are empty on average.
        held = cards >= 0
        filled = held.flatten().nonzero().squeeze(1)
        owner = filled // shape.slots
        table_hidden = relu(self.table(table))
        card_hidden = self.card(slots.reshape(-1, shape.card)[filled])
        card_hidden = relu(card_hidden + self.context(table_hidden).index_select(0, owner))
        card_hidden = relu(self.hidden(card_hidden))
        count = held.sum(dim=1, keepdim=True).clamp(min=1)  # the mean of no cards is 0
        sums = card_hidden.new_zeros(len(rows), card_hidden.shape[1])
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


def over_all_cards(slot_log_probs: Tensor, cards: Tensor, num_cards: int) -> Tensor:
    """Log probabilities (B, slots) of the hand as (B, num_cards) over the whole deck."""
    columns = cards.where(cards >= 0, num_cards)  # one more column, for empty slots
    spread = slot_log_probs.new_full((len(columns), num_cards + 1), MASKED)
    return spread.scatter(1, columns, slot_log_probs)[:, :num_cards]
