"""Positions with an obvious best card, which every bot but the simple ones must find."""

import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import GameConfig, make_agent
from mindup_env.cards import COLOURS as ALL_COLOURS
from mindup_env.observation import layout_of

Observation = npt.NDArray[np.int8]

CONFIG = GameConfig(4, num_rounds=2, hand_size=3)
SCORE_ORDER = 5, 1, 2, 3, 4
BOTS = "greedy", "planner", "predictor", "search"
COLOURS = {card.number: card.colour for card in CONFIG.deck}


def last_turn(own_hand: list[int], own_tableau: list[int], row: list[int]) -> Observation:
    """What a seat sees in the last turn; all players know that the others hold middle cards."""
    hands = [own_hand, [28, 29], [30, 31], [32, 33]]
    tableaux = [own_tableau, [34, 35], [36, 37], [38, 39]]
    layout = layout_of(CONFIG)
    observation = np.zeros((1, layout.size), np.int8)
    seen = layout.views(observation)
    seen["hand"][0, np.array(own_hand) - 1] = 1
    seen["row"][0, np.sort(row) - 1] = seen["row_players"][:] = [1, 2, 3, 4]
    seen["score_cards"][:] = SCORE_ORDER
    seen["round"][:], seen["turn"][:] = 2, 3
    for player, (hand, tableau) in enumerate(zip(hands, tableaux, strict=True)):
        seen["known"][0, player, np.array(hand) - 1] = 1
        seen["tableaux"][0, player, np.array(tableau) - 1] = 1
        colours = [COLOURS[card] for card in tableau]
        for column, colour in enumerate(dict.fromkeys(colours)):
            number = colours.count(colour)
            seen["columns"][0, player, ALL_COLOURS.index(colour)] = column + 1
            seen["counts"][0, player, column] = number
            seen["running_scores"][0, player] += number * SCORE_ORDER[column]
        bonus = sum(CONFIG.deck[card - 1].points for card in tableau)
        seen["running_scores"][0, player] += bonus
    seen["round_scores"][0, :, 0] = 10
    return observation


def chosen(name: str, seen: Observation) -> int:
    mask = layout_of(CONFIG).views(seen)["hand"].copy()
    bot = make_agent(name, CONFIG)
    return int(bot.act(seen, mask, np.array([True]), np.array([4], np.uint64))[0]) + 1


def pink(low: int, high: int) -> list[int]:
    return [card for card in range(low, high) if COLOURS[card] == "pink"]


def others(low: int, high: int) -> list[int]:
    return [card for card in range(low, high) if COLOURS[card] != "pink"]


def alike(low: range, high: range) -> list[int]:
    """A low and a high card of the same colour, not pink, and bonus: equal in the tableau."""
    kinds = {card.number: (card.colour, card.points) for card in CONFIG.deck}
    return next(
        [first, second]
        for first in others(low.start, low.stop)
        for second in others(high.start, high.stop)
        if kinds[first] == kinds[second]
    )


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("place", [0, 3])
def test_the_prize_under_the_five_is_taken_by_the_card_that_reaches_it(
    name: str, place: int
) -> None:
    hand = alike(range(1, 9), range(52, 61))
    low, high = others(10, 27), others(40, 52)
    row = [pink(9, 27)[0], *high[:3]] if place == 0 else [*low[:3], pink(40, 52)[0]]
    game = last_turn(hand, pink(1, 9)[:1] + pink(52, 61)[:1], row)
    assert chosen(name, game) == hand[0 if place == 0 else 1]


@pytest.mark.parametrize("name", ["planner", "predictor", "search"])
@pytest.mark.parametrize("pink_place", [0, 1])
def test_a_card_of_the_own_best_column_is_kept_for_the_end(name: str, pink_place: int) -> None:
    """Both cards take prizes of the same value; the pink card stays in the hand."""
    hand = (
        [pink(40, 61)[-1], others(40, 61)[-1]] if pink_place else [pink(1, 9)[0], others(1, 9)[0]]
    )
    end = range(10, 27) if pink_place == 0 else range(40, 50)
    row = others(end.start, end.stop)[:4]
    game = last_turn(sorted(hand), pink(27, 40)[:0] + pink(9, 27)[-2:], row)
    assert COLOURS[chosen(name, game)] != "pink"
