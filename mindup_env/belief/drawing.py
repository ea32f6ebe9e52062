"""The order in which hidden cards are drawn, first those of the opponents; compiled."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import Int8Array, Int64Array

Floats = npt.NDArray[np.float64]


def draw(
    cards: Int8Array,
    n: int,
    rng: np.random.Generator,
    numbers: Sequence[int] = (),
    weights: Floats | None = None,
) -> Int8Array:
    """The cards in ``n`` random orders.

    With ``weights`` (opponents, cards) the first are those that the opponents draw by their
    weights, as many for each as ``numbers`` says; the others follow in a uniform order.
    """
    orders = np.tile(np.arange(len(cards), dtype=np.int8), (n, 1))
    if weights is None:
        numbers, weights = (), np.empty((0, len(cards)))
    draw_all(orders, np.array(numbers, np.int64), weights, rng.random(orders.shape))
    return cards[orders]


@kernel
def draw_all(orders: Int8Array, numbers: Int64Array, weights: Floats, chances: Floats) -> None:
    """Puts every row of ``orders`` into the order of the draws (Fisher and Yates)."""
    for g in range(len(orders)):
        order, place = orders[g], 0
        for opponent in range(len(numbers)):
            draw_by_weight(order, place, numbers[opponent], weights[opponent], chances[g])
            place += numbers[opponent]
        for rest in range(place, len(order)):
            chosen = rest + int(chances[g, rest] * (len(order) - rest))
            order[rest], order[chosen] = order[chosen], order[rest]


@compiled
def draw_by_weight(
    order: Int8Array, start: int, number: int, weights: Floats, chances: Floats
) -> None:
    """Moves cards drawn in proportion to the weights to the places from ``start`` on."""
    total = 0.0
    for place in range(start, start + number):
        if place == start or total < weights[order[place - 1]]:
            total = weigh(order, place, weights)  # a small difference would not be exact
        chosen = reach(order, place, weights, chances[place] * total)
        order[place], order[chosen] = order[chosen], order[place]
        total -= weights[order[place]]


@compiled
def weigh(order: Int8Array, start: int, weights: Floats) -> float:
    total = 0.0
    for place in range(start, len(order)):
        total += weights[order[place]]
    return total


@compiled
def reach(order: Int8Array, start: int, weights: Floats, aim: float) -> int:
    """The place, from ``start`` on, where the weights passed exceed ``aim``."""
    chosen, passed = start, 0.0
    for place in range(start, len(order)):
        weight = weights[order[place]]
        if weight > 0:  # rounding may carry the aim to the end, where a card could weigh nothing
            chosen = place
            passed += weight
            if passed > aim:
                break
    return chosen
