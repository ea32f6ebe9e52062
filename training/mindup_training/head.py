"""The end of a network: the cards of a hand are scored by themselves and by the table."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import leaky_relu

MASKED = -1e8
"""The logit of a card that cannot be played: probability 0, and no gradient is NaN."""


class Head(nn.Module):
    """Scores each card of a hand, and expects the return of the position.

    A network makes the layer ``table`` of its own inputs, and hands ``score`` what this and the
    layer ``card`` compute. All cards share their layers.
    """

    leak = 0.0
    """The slope of all layers below 0."""

    def add_head(self, table: int, inputs: int, card: int, value: int) -> None:
        """Makes the layers, by the widths of the table, its inputs for a card, and their own."""
        self.card = nn.Linear(inputs, card)
        self.context = nn.Linear(table, card, bias=False)
        self.hidden = nn.Linear(card, card)
        self.logit = nn.Linear(card, 1, bias=False)
        self.critic = nn.Linear(table + card, value)
        self.value = nn.Linear(value, 1)

    def set_first_weights(self, gains: Mapping[str, float]) -> None:
        """Orthogonal weights of all layers, with a gain of 2 ** 0.5 where none is given."""
        for name, module in self.named_children():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, gain=gains.get(name, 2**0.5))
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    def score(self, table: Tensor, cards: Tensor, held: Tensor) -> tuple[Tensor, Tensor]:
        """The logits (B, slots) and expected returns (B,).

        Args:
            table: (B, width) a summary of the table.
            cards: (B, slots, width) what the layer ``card`` computes of each card.
            held: (B, slots) whether there is a card.
        """
        cards = self.bend(cards + self.context(table).unsqueeze(1))
        cards = self.bend(self.hidden(cards))
        share = held / held.sum(1, keepdim=True).clamp(min=1)
        # The mean of no cards is 0.
        mean = (share.unsqueeze(2) * cards).sum(1)
        summary = self.bend(self.critic(torch.cat([table, mean], 1)))
        return self.logit(cards).squeeze(2), self.value(summary).squeeze(1)

    def bend(self, values: Tensor) -> Tensor:
        """What a layer puts out, in the place of what came in: fewer bytes are moved."""
        return leaky_relu(values, self.leak, inplace=True)
