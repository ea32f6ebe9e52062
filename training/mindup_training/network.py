"""The architecture of all policies, in PyTorch; its tensors are those of the policy files."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths

NEVER = -1e8
"""The logit of what cannot be played: its odds are exactly 0, but no NaN appears in gradients."""


class NetworkOutput(NamedTuple):
    """Of B rows of inputs."""

    logits: Tensor  # (B, slots), of the cards that are there
    cards: Tensor  # (B, slots) which card each slot holds; -1 for none
    values: Tensor  # (B,)


class Network(nn.Module):
    """What is on the table is read once, and each card of the hand judged in its light."""

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
        nn.init.orthogonal_(self.logit.weight, gain=0.01)  # at first all cards are as likely
        nn.init.orthogonal_(self.value.weight, gain=1.0)
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, rows: Tensor) -> NetworkOutput:
        shape = self.shape
        table, slots, cards = torch.split(
            rows, [shape.table, shape.slots * shape.card, shape.slots], dim=1
        )
        # Only the cards that are there: on average almost half of the slots are empty.
        held = cards >= 0
        filled = held.flatten().nonzero().squeeze(1)
        owner = filled // shape.slots
        seen = relu(self.table(table))
        described = self.card(slots.reshape(-1, shape.card)[filled])
        judged = relu(described + self.context(seen).index_select(0, owner))
        judged = relu(self.hidden(judged))
        number = held.sum(dim=1, keepdim=True)
        hand = judged.new_zeros(len(rows), judged.shape[1]).index_add(0, owner, judged) / number
        values = self.value(relu(self.critic(torch.cat([seen, hand], dim=1))))
        logits = judged.new_zeros(held.numel()).index_copy(0, filled, self.logit(judged).squeeze(1))
        return NetworkOutput(logits.view_as(held), cards.long(), values.squeeze(1))


def log_odds(judged: NetworkOutput, masks: Tensor | None = None) -> Tensor:
    """The logarithms (B, slots) of how likely each slot is played."""
    legal = judged.cards >= 0
    if masks is not None:
        legal = legal & masks.gather(1, judged.cards.clamp(min=0))
    return judged.logits.masked_fill(~legal, NEVER).log_softmax(dim=1)
