"""Probabilities of the cards that are played, and of the places that they take."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import hardtanh

LEAST = 1e-6  # keeps quotients finite
LEAST_LOG_WEIGHT = -80.0
MOST_LOG_WEIGHT = 40.0
"""Bounds of the log weight of a card relative to the best one: processors are slow with
smaller weights, and the square of a larger one is not finite."""


def play_chances(scores: Tensor, known: Tensor, drawn: Tensor, unknown: Tensor) -> Tensor:
    """The probability that an opponent plays a card, over the hands that it may have.

    A hand has its known cards and some of the others, equally likely. A card of weight w is
    played with probability w / (w + r), where r is what the rest of the hand weighs: exact for
    one hidden card; for more, with the mean for all but one.

    Args:
        scores: (models, B, P - 1, C) the log weights; -inf of cards that are not possible.
        known: (B, P - 1, C) 1 for each public card of a hand.
        drawn: (B, P - 1, C) 1 for each card that may be a hidden one.
        unknown: (B, P - 1, 1) the number of hidden cards.

    Returns:
        (models, B, P - 1, C).
    """
    # The best known card weighs 1, so that hands weigh enough with unlikely hidden cards.
    least = torch.finfo(scores.dtype).min
    of_all = scores.detach().amax(3, keepdim=True).clamp(min=least)
    of_known = (scores.detach() + (known - 1) * -least).amax(3, keepdim=True)
    has_known = known.amax(2, keepdim=True) > 0
    unit = torch.where(has_known, of_known, of_all)
    # This is clamp with a faster gradient.
    weights = hardtanh(scores - unit, LEAST_LOG_WEIGHT, MOST_LOG_WEIGHT).exp()
    number = drawn.sum(2, keepdim=True).clamp(min=1)
    of_rest = known + drawn * ((unknown - 1).clamp(min=0) / number)
    rest = (weights * of_rest).sum(3, keepdim=True) + LEAST
    of_drawn = (weights + rest).reciprocal() * (drawn * (unknown / number))
    of_hands = of_drawn.sum(3, keepdim=True) / unknown.clamp(min=1)
    of_hands = torch.where(unknown > 0, of_hands, 1 / rest)
    chances = weights * torch.addcmul(of_drawn, known, of_hands)
    total = chances.sum(3, keepdim=True) + LEAST
    return chances * total.reciprocal()


def place_chances(lower: Sequence[Tensor]) -> Tensor:
    """The probabilities (B, places, n) of the places of cards.

    ``lower`` are the probabilities (B, n) that the card of each opponent is lower.
    """
    none = torch.zeros_like(lower[0])
    places = [torch.ones_like(none)]
    for chance in lower:
        above = [*places, none]
        below = [none, *places]
        places = [torch.lerp(*each, chance) for each in zip(above, below, strict=True)]
    return torch.stack(places, 1)


def lower_chances(plays: Tensor) -> Tensor:
    """The probability (..., C) that a card is lower than each, from that of each."""
    return plays.cumsum(-1) - plays
