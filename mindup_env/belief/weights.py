"""Weights by which a bot believes that opponents hold cards: what can be drawn by them."""

from collections.abc import Sequence
from itertools import compress, product
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.belief.drawing import Floats
from mindup_env.config import GameConfig


def check_weights(weights: Any, config: GameConfig) -> Floats:
    """The weights as numbers; what is no weight is refused."""
    given = np.asarray(weights)
    shape = config.num_players - 1, config.num_cards
    if given.shape != shape or given.dtype.kind not in "biuf":
        raise ValueError(
            f"weights must be numbers of the shape {shape} (opponents, cards), not {given.dtype} "
            f"of the shape {given.shape}"
        )
    refused = np.argwhere(~(np.isfinite(given) & (given >= 0)))
    if len(refused):
        row, card = refused[0]
        raise ValueError(
            f"weights must be finite and not negative, but the weight of card number {card + 1} "
            f"for opponent {row + 1} is {given[row, card]}"
        )
    return given.astype(np.float64)


def to_draw_by(weights: Floats, numbers: Sequence[int]) -> Floats:
    """Weights (opponents, unseen cards) that are safe to add up; too few of them are refused.

    Each opponent draws as many cards as ``numbers`` says.
    """
    # Only proportions count. What is next to nothing beside the largest weight becomes zero.
    largest = weights.max(axis=1, keepdims=True, initial=0)
    scaled: Floats = weights / np.where(largest > 0, largest, 1)
    for opponent in range(len(numbers)):
        _check_enough(scaled > 0, numbers, opponent)
    return scaled


def _check_enough(likely: npt.NDArray[np.bool_], numbers: Sequence[int], opponent: int) -> None:
    """Refuses weights with which the opponent could be left without a card to draw.

    What those before it take is chance; a refusal that hung on it would come late and seldom.
    """
    own = int(likely[opponent].sum())
    if own >= sum(numbers[: opponent + 1]):
        return  # whatever the others take
    taken = _most_taken(likely[:opponent] & likely[opponent], numbers[:opponent])
    if own - taken < numbers[opponent]:
        before = f"; of these, the opponents before it may take {taken}" if taken else ""
        raise ValueError(
            f"opponent {opponent + 1} draws {numbers[opponent]} unseen cards by its weights, but "
            f"{own} of them have a weight above zero{before}"
        )


def _most_taken(likely: npt.NDArray[np.bool_], numbers: Sequence[int]) -> int:
    """How many of the cards (opponents, cards) can go, if each opponent draws its number of cards.

    By Hall's theorem it is the least of the bounds that hold for every group of opponents: the
    group takes no more than the cards likely for any of it, the others no more than they draw.
    """
    bounds = []
    for group in product((False, True), repeat=len(numbers)):
        inside = np.array(group, bool)
        within_reach = int(likely[inside].any(axis=0).sum())
        bounds.append(within_reach + sum(compress(numbers, ~inside)))
    return min(bounds)
