"""Positions with an obvious best card, which every bot but the simple ones must find."""

from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig, make_agent

CONFIG = GameConfig(4, num_rounds=2, hand_size=3)
BOTS = "greedy", "planner", "predictor", "search"
COLOURS = {card.number: card.colour for card in CONFIG.deck}


def last_turn(own_hand: list[int], own_tableau: list[int], row: list[int]) -> Game:
    """The last turn of the game; all players know that the others hold middle cards."""
    hands = [own_hand, [28, 29], [30, 31], [32, 33]]
    tableaux = [own_tableau, [34, 35], [36, 37], [38, 39]]
    in_play = [card for cards in (*hands, *tableaux, row) for card in cards]
    rest = [card for card in range(1, 61) if card not in in_play]
    plain: dict[str, Any] = {
        "config": CONFIG.to_dict(),
        # The cards drawn for this round are in the row, so that all hands are known.
        "deal": {
            "deck": [*in_play[:16], *row, *rest],
            "score_orders": [[1, 2, 3, 4, 5], [5, 1, 2, 3, 4]],
        },
        "start": {
            "turns_played": 4,
            "last_turn": row,
            "hands": hands,
            "tableaux": tableaux,
            "finished_rounds": [[[10, 0, 0]] * 4],
        },
        "plays": [],
    }
    return Game.from_dict(plain)


def chosen(name: str, game: Game) -> int:
    env = BatchEnv(game.config, autoreset=False)
    env.reset(seed=0)
    seen = env.set_game(0, game)
    bot = make_agent(name, game.config)
    random_bits = np.array([4], np.uint64)
    action = bot.act(
        seen["observation"][0, :1], seen["action_mask"][0, :1], np.array([True]), random_bits
    )
    return int(action[0]) + 1


def pink(low: int, high: int) -> list[int]:
    return [card for card in range(low, high) if COLOURS[card] == "pink"]


def others(low: int, high: int) -> list[int]:
    return [card for card in range(low, high) if COLOURS[card] != "pink"]


def alike(low: range, high: range) -> list[int]:
    """A low and a high card of the same colour, not pink, and bonus: equal in the tableau."""
    deck = CONFIG.deck
    return next(
        [first, second]
        for first in low
        for second in high
        if deck[first].colour == deck[second].colour != "pink"
        and deck[first].points == deck[second].points
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
