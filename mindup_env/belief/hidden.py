"""What one seat does not know of its game, drawn at random."""

from itertools import permutations
from typing import NamedTuple

import numpy as np

from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Float64Array, Int8Array

_SCORE_ORDERS = np.array(list(permutations(SCORE_CARDS)), np.int8)


class HiddenPart(NamedTuple):
    """What one seat does not know, for n games."""

    cards: Int8Array  # (n, unseen) the opponents' hidden cards in their order, then the deck
    score_cards: Int8Array  # (n, later rounds, num_columns)
    objectives: Int8Array  # (n, later rounds, num_objectives)


def draw_hidden_part(
    config: GameConfig, views: dict[str, Int8Array], n: int, rng: np.random.Generator
) -> HiddenPart:
    """Draws it for n games, given the parts of one observation."""
    public = views["tableaux"].any(axis=0) | views["known"].any(axis=0)
    unseen = np.flatnonzero(~(public | (views["hand"] > 0) | (views["row"] > 0)))
    cards = np.tile(unseen.astype(np.int8), (n, 1))
    shuffle_all(cards, rng.random(cards.shape))
    later_rounds = config.num_rounds - int(views["round"])
    order = config.score_order
    orders = _SCORE_ORDERS if order is None else np.array([order], np.int8)
    score_cards = orders[rng.integers(len(orders), size=(n, later_rounds))]
    objectives = np.empty((n, later_rounds, config.num_objectives), np.int8)
    objectives[:] = np.flatnonzero(views["objectives"])
    if config.objectives_renewed:
        earlier = views["objectives"] | views["objectives_used"]
        _draw_objectives(objectives, earlier, rng)
    return HiddenPart(cards, score_cards, objectives)


@kernel
def shuffle_all(orders: Int8Array, chances: Float64Array) -> None:
    """Shuffles every row (Fisher and Yates)."""
    for g in range(len(orders)):
        order = orders[g]
        for i in range(len(order)):
            chosen = i + int(chances[g, i] * (len(order) - i))
            order[i], order[chosen] = order[chosen], order[i]


def _draw_objectives(drawn: Int8Array, earlier: Int8Array, rng: np.random.Generator) -> None:
    """Fills ``drawn`` (n, later rounds, num_objectives) with objectives not marked as earlier."""
    games = np.arange(len(drawn))
    unused = np.tile(earlier == 0, (len(drawn), 1))
    for later_round in drawn.swapaxes(0, 1):
        candidates = unused.copy()
        for i in range(drawn.shape[2]):
            chances = np.where(candidates, rng.random(candidates.shape), -1)
            objectives = chances.argmax(axis=1)
            later_round[:, i] = objectives
            candidates[games, objectives] = unused[games, objectives] = False
            candidates[games, objectives ^ 1] = False  # it has the same letter
