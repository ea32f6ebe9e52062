"""The official cards as printed, and decks of one's own."""

import re
from collections import Counter
from typing import Any

import pytest

from mindup_env import OFFICIAL_DECK, Card, Deck
from mindup_env.cards import COLOURS

PINK, BLUE, GREEN = Card(1, "pink", -1), Card(2, "blue", 0), Card(3, "green", 12)


def test_official_deck_has_twelve_cards_of_each_colour() -> None:
    assert [card.number for card in OFFICIAL_DECK] == list(range(1, 61))
    assert Counter(card.colour for card in OFFICIAL_DECK) == dict.fromkeys(COLOURS, 12)


def test_points_of_the_official_deck() -> None:
    assert Counter(card.points for card in OFFICIAL_DECK) == {-1: 10, 0: 20, 1: 20, 2: 10}
    per_colour = Counter((card.colour, card.points) for card in OFFICIAL_DECK)
    for colour in COLOURS:
        assert [per_colour[colour, points] for points in (-1, 0, 1, 2)] == [2, 4, 4, 2]


@pytest.mark.parametrize(
    "printed",
    [
        Card(1, "orange", -1),
        Card(4, "green", 2),
        Card(13, "blue", -1),
        Card(20, "purple", 0),
        Card(29, "pink", 1),
        Card(39, "purple", 2),
        Card(42, "pink", -1),
        Card(60, "orange", -1),
    ],
    ids=str,
)
def test_official_card_by_its_number(printed: Card) -> None:
    assert OFFICIAL_DECK[printed.number] == printed


@pytest.mark.parametrize(
    ("card", "text"),
    [(Card(39, "purple", 2), "39 purple +2"), (PINK, "1 pink -1"), (BLUE, "2 blue")],
)
def test_a_card_in_words(card: Card, text: str) -> None:
    assert str(card) == text


@pytest.mark.parametrize("number", [-1, 0, 61])
def test_no_card_has_a_number_outside_the_deck(number: int) -> None:
    with pytest.raises(ValueError, match=rf"card number must be 1 to 60, not {number}$"):
        OFFICIAL_DECK[number]


@pytest.mark.parametrize("number", ["1", 1.0, None, True, slice(1, 3)], ids=repr)
def test_a_card_is_asked_for_by_a_whole_number(number: Any) -> None:
    message = f"card number must be a whole number, not {number!r}"
    with pytest.raises(ValueError, match=re.escape(message)):
        OFFICIAL_DECK[number]


def test_a_deck_does_not_depend_on_the_order_in_which_cards_are_given() -> None:
    deck = Deck((GREEN, PINK, BLUE))
    assert len(deck) == 3
    assert list(deck) == [PINK, BLUE, GREEN]
    assert deck[1] == PINK and deck[3] == GREEN
    assert deck == Deck((PINK, BLUE, GREEN)) and hash(deck) == hash(Deck((PINK, BLUE, GREEN)))
    assert deck != Deck((PINK, BLUE))


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([], "1 to 60 cards, not 0"),
        ([PINK, PINK], "repeat.*found 1 where 2 should be"),
        ([PINK, GREEN], "found 3 where 2 should be"),
        ([BLUE], "found 2 where 1 should be"),
        ([Card(1, "red", 0)], "colour must be one of orange, pink, blue, green, purple, not 'red'"),
        ([Card(0, "pink", 0)], "card number must be 1 to 60, not 0"),
        ([*OFFICIAL_DECK, Card(61, "pink", 0)], "1 to 60, not 61"),
        ([(1, "pink", 0.5)], "points must be a whole number, not 0.5"),
        ([("1", "pink", 0)], "card number must be a whole number, not '1'"),
        ([(True, "pink", 0)], "card number must be a whole number, not True"),
        ([PINK, (2, "blue")], r"number, colour, points, not \(2, 'blue'\)"),
        ([(1, "pink", 0, 0)], r"number, colour, points, not \(1, 'pink', 0, 0\)"),
        (
            [(1, ["pink"], 0)],
            r"colour must be one of orange, pink, blue, green, purple, not \['pink'\]",
        ),
        ([PINK, "2 blue"], "card must be a list, not '2 blue'"),
        ([PINK, 2], "card must be a list, not 2"),
    ],
)
def test_refused_cards(cards: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deck(tuple(cards))


@pytest.mark.parametrize("cards", [None, 60, "official", {PINK}, {1: PINK}])
def test_cards_that_are_no_list(cards: Any) -> None:
    message = f"cards of a deck must be a list, not {cards!r}"
    with pytest.raises(ValueError, match=re.escape(message)):
        Deck(cards)
