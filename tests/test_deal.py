"""Explicit deals: what they must hold, and where each card of one goes."""

import random
from typing import Any

import pytest

from mindup_env import Deal, Game, GameConfig
from tests.game_origins import through_json
from tests.rules.strategies import plays

DECK = random.Random(20).sample(range(1, 61), 60)
ORDERS = [(2, 4, 1, 5, 3), (5, 4, 3, 2, 1), (1, 2, 3, 4, 5)]
PLAIN = {"deck": DECK, "score_orders": ORDERS}

BLUE, OTHER_BLUE = "blue_most", "blue_2_or_4"  # the two of a letter
PINK, OTHER_PINK = "pink_most", "pink_fewest"
GREEN, PURPLE = "green_high", "purple_most"


def test_a_deal_and_its_plain_data() -> None:
    """The other objective of a letter may come in a later round."""
    config = GameConfig(num_objectives=2)
    shown = ((BLUE, PINK), (OTHER_PINK, GREEN), (OTHER_BLUE, PURPLE))
    deal = Deal.of(config, DECK, ORDERS, shown)
    assert (deal.deck, deal.score_orders, deal.objectives) == (tuple(DECK), tuple(ORDERS), shown)
    plain = through_json(deal.to_dict())
    assert set(plain) == {"deck", "score_orders", "objectives"}
    assert Deal.from_dict(config, plain) == deal
    assert Deal.from_dict(GameConfig(), PLAIN).objectives == ((), (), ())


ONE_ROUND = GameConfig(num_rounds=1, score_order=ORDERS[0])


@pytest.mark.parametrize(
    ("config", "changes", "message"),
    [
        (GameConfig(), {"deck": DECK[:-1]}, f"from 1 to 60 once; .*unknown: {DECK[-1]}$"),
        (GameConfig(), {"deck": [*DECK, DECK[0]]}, f"once; .*repeated.*: {DECK[0]}$"),
        (GameConfig(), {"deck": [99, *DECK, -1]}, "once; .*unknown: -1, 99$"),
        (GameConfig(), {"deck": ["7", *DECK[1:]]}, "of the deck must be a whole number, not '7'"),
        (GameConfig(), {"deck": set(DECK)}, "the deck must be a list, not {"),
        (GameConfig(), {"score_orders": ORDERS[:2]}, "3 rounds, not for 2 and 3"),
        (
            GameConfig(),
            {"score_orders": [*ORDERS[:2], (1, 2, 3, 4, 4)]},
            r"round 3 must be each of \(1, 2, 3, 4, 5\) once, not .*4, 4\)",
        ),
        (ONE_ROUND, {"score_orders": ORDERS[1:2]}, r"must be \(2, 4, 1, 5, 3\), not \(5, 4"),
        (GameConfig(), {"score_orders": [*ORDERS[:2], 5]}, "a score order must be a list, not 5"),
        (GameConfig(), {"row": []}, "deck, score_orders .*objectives.*unknown: 'row'"),
    ],
)
def test_refused_cards(config: GameConfig, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deal.from_dict(config, {**PLAIN, **changes})


@pytest.mark.parametrize(
    ("number", "shown", "message"),
    [
        (0, [(BLUE,), (), ()], rf"round 1 must show 0 objectives, not .*{BLUE}"),
        (1, None, r"round 1 must show 1 objectives, not \(\)"),
        (1, [(BLUE,), (PINK,)], "3 rounds, not for 3 and 2"),
        (1, [(BLUE,), ("blue",), (PINK,)], "round 2 must be one of orange_1_or_3, .*not 'blue'"),
        (1, [(BLUE,), (PINK,), (BLUE,)], rf"round 3 must be .* \(not used before.* '{BLUE}'"),
        (2, [(BLUE, GREEN), (PINK, OTHER_PINK), (BLUE, GREEN)], "round 2 .* other letters"),
        (3, [(BLUE, PINK, GREEN)] * 2 + [(BLUE, PINK, PURPLE)], f"round 3 .*stay: .*'{GREEN}'"),
        (3, [(BLUE, OTHER_BLUE, GREEN)] * 3, "round 1 .* other letters"),
        (1, [BLUE, PINK, GREEN], f"objectives of a round must be a list, not '{BLUE}'"),
        (1, [([PINK],), (PINK,), (GREEN,)], rf"round 1 must be .*, not \['{PINK}'\]"),
    ],
)
def test_refused_objectives(number: int, shown: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.from_deal(GameConfig(num_objectives=number), DECK, ORDERS, shown)


@pytest.mark.parametrize("num_players", range(2, 7))
def test_cards_are_dealt_in_seat_order(num_players: int) -> None:
    config, players = GameConfig(num_players), range(num_players)
    game, left = Game.from_deal(config, DECK, ORDERS), iter(DECK)
    for player in players:
        assert game.hand(player) == tuple(sorted(next(left) for _ in range(7)))
    assert game.row == tuple(sorted(next(left) for _ in players))
    seen = {1}
    for cards in plays(game, num_players):
        if game.turn == 1:
            seen.add(game.round)
            assert game.row == tuple(sorted(cards))
            taken_back = [set(sum(columns, ())) for columns in game.round_tableaux[-1]]
            for player in players:
                assert set(game.hand(player)) == taken_back[player] | {next(left)}
        assert game.score_cards == ORDERS[game.round - 1]
    assert seen == {1, 2, 3}
    assert len(list(left)) == 60 - num_players * (7 + 1 + 2)


@pytest.mark.parametrize("number", range(6))
def test_the_deal_of_a_game_gives_that_game_again(number: int) -> None:
    game = Game(GameConfig(6, number), seed=7)
    deal = game.deal
    again = Game.from_deal(game.config, deal.deck, deal.score_orders, deal.objectives)
    assert again == game and again.deal == deal
    for cards in plays(game, 7):
        again.play(cards)
    assert again == game and game.deal == deal
