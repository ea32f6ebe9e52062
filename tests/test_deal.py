"""Explicit deals: what they must hold, and where each card of one goes."""

import random
from typing import Any

import pytest

from mindup_env import Deal, Game, GameConfig
from tests.rules.strategies import plays

DECK = random.Random(20).sample(range(1, 61), 60)
ORDERS = [(2, 4, 1, 5, 3), (5, 4, 3, 2, 1), (1, 2, 3, 4, 5)]

BLUE, OTHER_BLUE = "blue_most", "blue_2_or_4"  # the two of a letter
PINK, OTHER_PINK = "pink_most", "pink_fewest"
GREEN, PURPLE = "green_high", "purple_most"


def swapped(card: object) -> list[Any]:
    """The deck with something else in place of its first card."""
    return [card, *DECK[1:]]


def listed(cards: list[int]) -> str:
    return ", ".join(map(str, sorted(cards)))


def test_a_deal_and_its_plain_data() -> None:
    config = GameConfig(num_objectives=1)
    shown = [(BLUE,), (PINK,), (GREEN,)]
    deal = Deal.of(config, DECK, ORDERS, shown)
    assert deal.deck == tuple(DECK)
    assert deal.score_orders == tuple(ORDERS)
    assert deal.objectives == tuple(shown)
    assert Deal.from_dict(config, deal.to_dict()) == deal
    assert deal.to_dict() == {
        "deck": DECK,
        "score_orders": [list(order) for order in ORDERS],
        "objectives": [[BLUE], [PINK], [GREEN]],
    }
    without = Deal.from_dict(GameConfig(), {"deck": DECK, "score_orders": ORDERS})
    assert without == Deal.of(GameConfig(), DECK, ORDERS)
    assert without.objectives == ((), (), ())


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (DECK[:-1], f"from 1 to 60 once.* missing: {DECK[-1]}$"),
        ([*DECK, *DECK[:3], DECK[0]], f"once; .*repeated: {listed(DECK[:3])}$"),
        (swapped(DECK[1]), f"from 1 to 60 once.* missing: {DECK[0]}; repeated: {DECK[1]}$"),
        ([99, *DECK, -1], "from 1 to 60 once.* unknown: 99, -1$"),
        (swapped("7"), "card in the deck.* must be a whole number, not '7'"),
        (set(DECK), "deck of a deal must be a list, not {"),
    ],
)
def test_refused_decks(deck: Any, message: str) -> None:
    for make in (Deal.of, Game.from_deal):
        with pytest.raises(ValueError, match=message):
            make(GameConfig(), deck, ORDERS)


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        (ORDERS[:2], "one score order for each of the 3 rounds, not 2"),
        ([*ORDERS[:2], (1, 2, 3, 4, 4)], r"round 3 is .*4, 4\).* each of \(1, 2, 3, 4, 5\) once"),
        ([(1, 2, 3, 4, "5"), *ORDERS[1:]], "order of round 1 must be a whole number, not '5'"),
        ([*ORDERS[:2], 5], "score order of round 3 must be a list, not 5"),
    ],
)
def test_refused_score_orders(orders: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deal.of(GameConfig(), DECK, orders)


@pytest.mark.parametrize(
    ("number", "shown", "message"),
    [
        (0, [(BLUE,), (), ()], rf"round 1 are .*{BLUE}.*shows 0"),
        (1, None, r"round 1 are \(\); this config shows 1"),
        (1, [(BLUE,), (PINK,)], "one list of objectives for each of the 3 rounds, not 2"),
        (1, [(BLUE,), ("blue",), (PINK,)], r"round 2 .*unknown: \['blue'\].*orange_1_or_3"),
        (1, [(BLUE,), (PINK,), (BLUE,)], rf"round 3 .*\['{BLUE}'\].* earlier"),
        (2, [(BLUE, GREEN), (PINK, OTHER_PINK), (BLUE, GREEN)], "round 2 .*differ in letter"),
        (3, [(BLUE, PINK, GREEN)] * 2 + [(BLUE, PINK, PURPLE)], f"round 3 .*stay .*'{GREEN}'"),
        (3, [(BLUE, OTHER_BLUE, GREEN)] * 3, "round 1 .*differ in letter"),
        (1, [BLUE, PINK, GREEN], f"objectives of round 1 must be a list, not '{BLUE}'"),
        (1, [(BLUE,), ([PINK],), (GREEN,)], f"round 2 .*unknown: .*{PINK}"),
    ],
)
def test_refused_objectives(number: int, shown: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deal.of(GameConfig(num_objectives=number), DECK, ORDERS, shown)


def test_the_other_objective_of_a_letter_may_come_in_a_later_round() -> None:
    config = GameConfig(num_objectives=2)
    shown = ((BLUE, PINK), (OTHER_PINK, GREEN), (OTHER_BLUE, PURPLE))
    game = Game.from_deal(config, DECK, ORDERS, shown)
    assert game.deal.objectives == shown
    assert game.objectives == shown[0]


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({}, ".*missing: deck, score_orders"),
        (
            {"deck": DECK, "score_orders": ORDERS, "row": []},
            "deck, score_orders .*objectives.*unknown: 'row'",
        ),
        ([DECK, ORDERS], "deal must be a dict.*, not "),
    ],
)
def test_missing_and_unknown_entries_are_refused(plain: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deal.from_dict(GameConfig(), plain)


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


@pytest.mark.parametrize(
    "config",
    [*(GameConfig(6, number) for number in range(6)), GameConfig(2, 1, 5, 3)],
    ids=lambda config: f"{config.num_players}-{config.num_objectives}-{config.num_rounds}",
)
def test_the_deal_of_a_game_gives_that_game_again(config: GameConfig) -> None:
    game = Game(config, seed=7)
    deal = game.deal
    again = Game.from_deal(config, deal.deck, deal.score_orders, deal.objectives)
    assert again == game and again.deal == deal
    for cards in plays(game, 7):
        again.play(cards)
        assert again == game and game.deal == deal
