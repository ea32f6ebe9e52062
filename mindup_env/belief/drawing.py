"""Random orders of the hidden cards: first the opponents' cards, then the deck; compiled."""

from collections.abc import Sequence

import numpy as np

from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import Float64Array, Int8Array, Int64Array


def draw(
    cards: Int8Array,
    n: int,
    rng: np.random.Generator,
    numbers: Sequence[int] = (),
    weights: Float64Array | None = None,
) -> Int8Array:
    """``n`` random orders of the cards.

    Args:
        cards: the hidden cards (cards,).
        n: number of orders.
        rng: the source of all chance.
        numbers: how many cards each opponent draws, if there are weights.
        weights: for each opponent the weight of each card (opponents, cards); the other cards
            follow in uniformly random order. Without weights the whole order is uniform.

    Returns:
        Orders (n, cards).
    """
    orders = np.tile(np.arange(len(cards), dtype=np.int8), (n, 1))
    if weights is None:
        numbers, weights = (), np.empty((0, len(cards)))
    draw_all(orders, np.array(numbers, np.int64), weights, rng.random(orders.shape))
    return cards[orders]


@kernel
def draw_all(
    orders: Int8Array, numbers: Int64Array, weights: Float64Array, chances: Float64Array
) -> None:
    """Shuffles every row of ``orders`` (Fisher and Yates), the opponents' cards by weight."""
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
    order: Int8Array, start: int, number: int, weights: Float64Array, chances: Float64Array
) -> None:
    """Draws cards in proportion to the weights, to the places from ``start`` on."""
    total = 0.0
    for place in range(start, start + number):
        if place == start or total < weights[order[place - 1]]:
            total = sum_of_weights(order, place, weights)  # a small difference is not exact
        chosen = find_quantile(order, place, weights, chances[place] * total)
        order[place], order[chosen] = order[chosen], order[place]
        total -= weights[order[place]]


@compiled
def sum_of_weights(order: Int8Array, start: int, weights: Float64Array) -> float:
    total = 0.0
    for place in range(start, len(order)):
        total += weights[order[place]]
    return total


@compiled
def find_quantile(order: Int8Array, start: int, weights: Float64Array, aim: float) -> int:
    """The first place from ``start`` on where the cumulative weight exceeds ``aim``."""
    chosen, passed = start, 0.0
    for place in range(start, len(order)):
        weight = weights[order[place]]
        if weight > 0:  # rounding can move the aim past the end, where a weight could be 0
            chosen = place
            passed += weight
            if passed > aim:
                break
    return chosen
