"""Schedules of the learning rate: its share of the initial value over a training."""

import math
from collections.abc import Callable


def _linear(remaining: float) -> float:
    return remaining


def _cosine(remaining: float) -> float:
    return (1 - math.cos(math.pi * remaining)) / 2


def _constant(_: float) -> float:
    return 1.0


LEARNING_RATES: dict[str, Callable[[float], float]] = {
    "linear": _linear,
    "cosine": _cosine,
    "constant": _constant,
}
"""By name: maps what remains of the training, from 1 to 0, to a share from 1 to 0."""
