"""Random orders of the hidden cards, uniform or by the weights of the opponents.

First come the cards that the opponents draw, then the deck.
"""

from collections.abc import Sequence
from itertools import compress, product
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import Float64Array, Int8Array, Int64Array
from mindup_env.settings.checks import check_array


def check_weights(weights: Any, config: GameConfig) -> Float64Array:
    """The weights as floats (opponents, num_cards); others are refused."""
    shape = config.num_players - 1, config.num_cards
    given = check_array("weights", weights, shape, " (opponents, cards)", "numbers")
    refused = np.argwhere(~(np.isfinite(given) & (given >= 0)))
    if len(refused):
        row, card = refused[0]
        raise ValueError(
            f"weights must be finite and not negative, but the weight of card number {card + 1} "
            f"for opponent {row + 1} is {given[row, card]}"
        )
    return given.astype(np.float64)


def scale_weights(weights: Float64Array, numbers: Sequence[int]) -> Float64Array:
    """Scales weights (opponents, unseen cards) so that their sum cannot overflow.

    Weights are refused if an opponent could be left without a card to draw. Each opponent draws as
    many cards as ``numbers`` says.
    """
    # Only proportions matter. Weights that are negligible beside the largest become 0.
    largest = weights.max(axis=1, keepdims=True, initial=0)
    scaled: Float64Array = weights / np.where(largest > 0, largest, 1)
    likely = scaled > 0
    for opponent, number in enumerate(numbers):
        # The worst case of what the opponents before it draw counts, so that the error does not
        # depend on chance.
        own = int(likely[opponent].sum())
        taken = _most_taken(likely[:opponent] & likely[opponent], numbers[:opponent])
        if own - taken < number:
            before = f"; of these, the opponents before it may take {taken}" if taken else ""
            raise ValueError(
                f"opponent {opponent + 1} draws {number} unseen cards by its weights, but {own} "
                f"of them have a weight above zero{before}"
            )
    return scaled


def _most_taken(likely: npt.NDArray[np.bool_], numbers: Sequence[int]) -> int:
    """The most of the likely cards (opponents, cards) that the opponents can draw together.

    By Hall's theorem it is the least bound over all groups of opponents: a group takes no more
    cards than are likely for any of its members, and the others no more than they draw.
    """
    bounds = []
    for group in product((False, True), repeat=len(numbers)):
        inside = np.array(group, bool)
        within_reach = int(likely[inside].any(axis=0).sum())
        bounds.append(within_reach + sum(compress(numbers, ~inside)))
    return min(bounds)


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
