"""Opponents' cards drawn by weights: the odds, and the weights that are refused."""

from collections import defaultdict
from contextlib import nullcontext
from itertools import combinations, permutations
from math import factorial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mindup_env import GameConfig
from mindup_env.belief import sample
from mindup_env.belief.weights import draw_all, scale_weights
from mindup_env.observation import layout_of
from tests.test_belief import position
from tests.test_belief_odds import (
    DECK_USED_UP,
    THREE,
    Outcome,
    assert_as_likely,
    assignment,
    assignments_in,
    hidden_from,
    statistical,
)
from tests.test_belief_refusals import CONFIG, observation, refuse


def odds_by_weights(
    unseen: list[int], unknown: list[int], weights: NDArray[np.float64]
) -> dict[Outcome, float]:
    """The assignments if one opponent after the other draws one card after the other."""
    odds: dict[Outcome, float] = defaultdict(float)
    for order in permutations(unseen):
        p, left, first = 1.0, list(unseen), 0
        for opponent, number in enumerate(unknown):
            for card in order[first : first + number]:
                p *= weights[opponent, card] / weights[opponent, left].sum()
                left.remove(card)
            first += number
        odds[assignment(order, unknown)] += p / factorial(len(left))
    return {key: p for key, p in odds.items() if p > 0}


WEIGHTS: dict[str, list[list[float]]] = {  # of the unseen cards in turn, for each opponent
    "even": [[1], [1]],
    "uneven": [[1, 2, 3, 4, 5, 6, 7], [9, 1, 1, 4]],
    "with zeros": [[0, 3, 1, 2, 1], [1, 1, 0, 2, 4, 0, 5]],
    "huge": [[1.7e308, 1e280, 2e280, 1e280, 5e280, 1e280, 1e280, 1e280], [1.7e308, 1e308]],
    "tiny": [[5e-324, 1e-323, 1.5e-323], [1e-310]],
}


@statistical
@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize(("config", "turns"), [(THREE, 0), (DECK_USED_UP, 1)])
def test_opponents_draw_one_after_another_by_weight(
    name: str, config: GameConfig, turns: int
) -> None:
    env, seen = position(config, turns, seed=2)
    unseen, unknown = hidden_from(env, 2)
    weights = np.zeros((2, config.num_cards))
    weights[:, unseen] = [np.resize(row, len(unseen)) for row in WEIGHTS[name]]
    odds = odds_by_weights(unseen, unknown, weights / weights.max(axis=1)[:, None])
    rng = np.random.default_rng(3)
    n = max(50_000, 12 * len(odds))
    state = sample(seen["observation"][0, 2], config, n, rng, weights)
    assert_as_likely(assignments_in(state, env), odds)


def test_a_card_that_only_one_may_hold_is_always_there() -> None:
    config = GameConfig(4)
    env, seen = position(config, turns=0, seed=1)
    unseen, _ = hidden_from(env, 0)
    weights = np.ones((3, 60))
    weights[:, unseen[:7]] = 0
    weights[1] = 0
    weights[1, unseen[:7]] = 5
    state = sample(seen["observation"][0, 0], config, 500, np.random.default_rng(1), weights)
    assert (state.games.hands[:, 2] == sum(1 << card for card in unseen[:7])).all()
    assert len(np.unique(state.games.hands[:, 1])) > 400


def even_but(value: float) -> NDArray[np.float64]:
    weights = np.ones((2, 60))
    weights[1, 3] = value
    return weights


@pytest.mark.parametrize(
    ("message", "weights"),
    [
        (r"of shape \(2, 60\) \(opponents, cards\), not .* \(3, 60\)", np.ones((3, 60))),
        (r"weights must be numbers of shape .*, not bool of shape \(1, 1\)", [[True]]),
        ("weights must be numbers of shape .*, not <U1", np.full((2, 60), "1")),
        ("the weight of card number 4 for opponent 2 is -1", even_but(-1)),
        ("the weight of card number 4 for opponent 2 is nan", even_but(np.nan)),
        ("the weight of card number 4 for opponent 2 is inf", even_but(np.inf)),
    ],
)
def test_weights_are_numbers_for_every_opponent_and_card(message: str, weights: Any) -> None:
    refuse(message, observation(), weights=weights)


def of_unseen(*likely: range) -> NDArray[np.float64]:
    """At the first turn, a weight of 1 for these of the unseen cards, in order; else 0."""
    views = layout_of(CONFIG).views(observation(turns=0))
    unseen = np.flatnonzero(views["hand"] + views["row"] == 0)
    weights = np.zeros((2, 60))
    for opponent, cards in enumerate(likely):
        weights[opponent, unseen[cards]] = 1
    return weights


@pytest.mark.parametrize(
    ("message", "first", "second"),
    [
        ("opponent 1 draws 7 .* but 0 of them have a weight above zero$", range(0), range(50)),
        ("opponent 2 draws 7 .* but 0 of them have a weight above zero$", range(50), range(0)),
        ("opponent 1 draws 7 .* but 6 of them", range(6), range(50)),
        ("13 of them .* zero; .* may take 7$", range(50), range(13)),
        ("9 of them .* zero; .* may take 3$", range(10), range(7, 16)),
    ],
)
def test_an_opponent_must_find_cards_it_may_hold(message: str, first: range, second: range) -> None:
    refuse(message, observation(turns=0), weights=of_unseen(first, second))


@pytest.mark.parametrize(
    ("first", "second"),
    [(range(50), range(14)), (range(7), range(7, 14)), (range(7), range(5, 14))],
)
def test_nobody_holds_a_card_of_weight_zero(first: range, second: range) -> None:
    weights = of_unseen(first, second)
    likely = (weights > 0) @ (1 << np.arange(60))
    state = sample(observation(turns=0), CONFIG, 100, np.random.default_rng(1), weights)
    assert (state.games.hands[:, 1:] & ~likely == 0).all()


def test_rounding_up_to_the_whole_weight_does_not_reach_a_card_of_weight_zero() -> None:
    orders = np.arange(4, dtype=np.int8)[None]
    weights, chances = np.array([[2.0, 0, 1, 0]]), np.array([[1.0, 0, 0, 0]])
    draw_all(orders, np.array([1]), weights, chances)
    assert orders[0, 0] == 2


def test_an_opponent_without_unknown_cards_needs_no_weights() -> None:
    sample(observation(), CONFIG, 3, np.random.default_rng(1), np.zeros((2, 60)))


def can_run_out(likely: list[set[int]], numbers: list[int]) -> bool:
    if not likely:
        return False
    if len(likely[0]) < numbers[0]:
        return True
    return any(
        can_run_out([cards - {*drawn} for cards in likely[1:]], numbers[1:])
        for drawn in combinations(likely[0], numbers[0])
    )


def test_weights_are_refused_just_where_an_opponent_can_run_out() -> None:
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(500):
        likely = rng.random((3, 6)) < rng.uniform(0.3, 1)
        numbers = rng.integers(0, 3, 3).tolist()
        expected = can_run_out([{*np.flatnonzero(cards).tolist()} for cards in likely], numbers)
        refused += expected
        with pytest.raises(ValueError, match="opponent") if expected else nullcontext():
            scale_weights(likely.astype(np.float64), numbers)
    assert 100 < refused < 400
