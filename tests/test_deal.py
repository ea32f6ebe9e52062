"""Explicit deals: what they must hold."""

import random
from typing import Any

import pytest

from mindup_env import Deal, Game, GameConfig
from tests.game_origins import through_json

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
    deal = Game.from_deal(config, Deal.from_dict({**PLAIN, "objectives": shown})).deal
    assert (deal.deck, deal.score_orders, deal.objectives) == (tuple(DECK), tuple(ORDERS), shown)
    plain = through_json(deal.to_dict())
    assert set(plain) == {"deck", "score_orders", "objectives"}
    assert Deal.from_dict(plain) == deal
    assert Deal.from_dict(PLAIN).objectives == ((), (), ())


@pytest.mark.parametrize("deal", [None, DECK], ids=["none", "list"])
def test_a_game_is_made_of_a_deal_or_its_plain_data_alone(deal: Any) -> None:
    assert Game.from_deal(GameConfig(), PLAIN).deal == Deal.from_dict(PLAIN)
    with pytest.raises(ValueError, match=r"a deal must be a dict with deck, score_orders .*, not "):
        Game.from_deal(GameConfig(), deal)


ONE_ROUND = GameConfig(num_rounds=1, score_order=ORDERS[0])


@pytest.mark.parametrize(
    ("config", "changes", "message"),
    [
        (GameConfig(), {"deck": DECK[:-1]}, f"from 1 to 60 once; .*unknown: {DECK[-1]}$"),
        (GameConfig(), {"deck": [*DECK, DECK[0]]}, f"once; .*repeated.*: {DECK[0]}$"),
        (GameConfig(), {"deck": [99, *DECK, -1]}, "once; .*unknown: -1, 99$"),
        (GameConfig(), {"deck": ["7", *DECK[1:]]}, "of the deck must be a whole number, not '7'"),
        (GameConfig(), {"deck": set(DECK)}, "the deck must be a list, not {"),
        (GameConfig(), {"score_orders": ORDERS[:2]}, "3 rounds, not for 2 and 2"),
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
        Game.from_deal(config, Deal.from_dict({**PLAIN, **changes}))


@pytest.mark.parametrize(
    ("number", "shown", "message"),
    [
        (0, [(BLUE,), (), ()], rf"round 1 must show 0 objectives, .*not .*{BLUE}"),
        (1, [(), (), ()], r"round 1 must show 1 objectives, .*not \(\)"),
        (1, [(BLUE,), (PINK,)], "3 rounds, not for 3 and 2"),
        (1, [(BLUE,), ("blue",), (PINK,)], "round 2 must show 1 objectives, .*'blue'"),
        (1, [(BLUE,), (PINK,), (BLUE,)], rf"round 3 must show .* not used before, .*'{BLUE}'"),
        (2, [(BLUE, GREEN), (PINK, OTHER_PINK), (BLUE, GREEN)], "round 2 .* different letters"),
        (3, [(BLUE, PINK, GREEN)] * 2 + [(BLUE, PINK, PURPLE)], "round 3 .* the same as in round"),
        (3, [(BLUE, OTHER_BLUE, GREEN)] * 3, "round 1 .* different letters"),
        (1, [BLUE, PINK, GREEN], f"objectives of a round must be a list, not '{BLUE}'"),
        (1, [([PINK],), (PINK,), (GREEN,)], rf"round 1 must .*, not \(\['{PINK}'\],\)"),
    ],
)
def test_refused_objectives(number: int, shown: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.from_deal(
            GameConfig(num_objectives=number), Deal.from_dict({**PLAIN, "objectives": shown})
        )
