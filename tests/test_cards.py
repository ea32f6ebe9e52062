"""The official cards as printed, and decks of one's own, also from files."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import mindup_env
from mindup_env import OFFICIAL_DECK, Card, Deck
from mindup_env.cards import COLOURS

HEADER = "number,colour,points\n"
PINK, BLUE, GREEN = Card(1, "pink", -1), Card(2, "blue", 0), Card(3, "green", 12)


def test_the_official_deck_as_printed() -> None:
    assert [card.number for card in OFFICIAL_DECK] == list(range(1, 61))
    found = Counter((card.colour, card.points) for card in OFFICIAL_DECK)
    assert found == {
        (colour, points): number
        for colour in COLOURS
        for points, number in {-1: 2, 0: 4, 1: 4, 2: 2}.items()
    }
    printed = "1 orange -1, 4 green +2, 13 blue -1, 20 purple, 29 pink +1, 39 purple +2, 42 pink -1"
    for text in f"{printed}, 60 orange -1".split(", "):
        number, _, _ = text.partition(" ")
        assert str(OFFICIAL_DECK[int(number)]) == text
    for wrong in (-1, 0, 61):
        with pytest.raises(ValueError, match=rf"card number must be 1 to 60, not {wrong}$"):
            OFFICIAL_DECK[wrong]


def test_a_deck_does_not_depend_on_the_order_in_which_cards_are_given() -> None:
    deck = Deck((GREEN, PINK, BLUE))
    assert len(deck) == 3
    assert list(deck) == [PINK, BLUE, GREEN]
    assert deck[1] == PINK and deck[3] == GREEN
    assert deck == Deck((PINK, BLUE, GREEN)) and hash(deck) == hash(Deck((PINK, BLUE, GREEN)))
    assert deck != Deck((PINK, BLUE))
    assert [str(card) for card in deck] == ["1 pink -1", "2 blue", "3 green +12"]


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([], "1 to 60 cards, not 0"),
        ([PINK, GREEN], "found 3 where 2 should be"),
        ([Card(1, "red", 0)], "colour must be one of orange, pink, blue, green, purple, not 'red'"),
        ([Card(0, "pink", 0)], "card number must be 1 to 60, not 0"),
        ([*OFFICIAL_DECK, Card(61, "pink", 0)], "1 to 60, not 61"),
        ([(1, "pink", 0.5)], "points must be a whole number, not 0.5"),
        ([PINK, (2, "blue")], r"number, colour, points, not \(2, 'blue'\)"),
        ([PINK, 2], "card must be a list, not 2"),
    ],
)
def test_refused_cards(cards: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deck(tuple(cards))


# Files


def deck_file(folder: Path, text: str) -> Path:
    path = folder / "my_deck.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_deck_from_a_file(tmp_path: Path) -> None:
    text = HEADER + "3,green,12\n1,pink,-1\n 2 , blue , +0 \n"
    path = deck_file(tmp_path, text)
    assert Deck.from_csv(path) == Deck.from_csv(str(path)) == Deck((PINK, BLUE, GREEN))
    # A spreadsheet begins with a byte order mark and ends lines the Windows way.
    path.write_bytes(("\N{BYTE ORDER MARK}" + text).replace("\n", "\r\n").encode())
    assert Deck.from_csv(path) == Deck((PINK, BLUE, GREEN))


def test_the_official_deck_comes_from_the_file_in_the_package(tmp_path: Path) -> None:
    path = Path(mindup_env.__file__).with_name("official_deck.csv")
    assert Deck.from_csv(path) == OFFICIAL_DECK
    rows = [f"{card.number},{card.colour},{card.points}\n" for card in OFFICIAL_DECK]
    written = deck_file(tmp_path, HEADER + "".join(rows))
    assert Deck.from_csv(written) == OFFICIAL_DECK
    assert written.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_empty_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    text = HEADER + "\n1,pink,-1\n\n\n2,blue,0\n\n"
    assert Deck.from_csv(deck_file(tmp_path, text)) == Deck((PINK, BLUE))
    with pytest.raises(ValueError, match=r"my_deck\.csv, line 8: card 2 is listed twice"):
        Deck.from_csv(deck_file(tmp_path, text + "2,blue,0\n"))


NO_HEADER = "line 1: the header must be 'number,colour,points', not "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"{HEADER}1,pink,-1\n2,blue\n",
            r"line 3: a card must be number, colour, points, not \[2, 'blue'\]",
        ),
        (f"{HEADER}two,blue,0\n", "line 2: card number must be a whole number, not 'two'"),
        (f"{HEADER}2,blue,0.5\n", "line 2: points must be a whole number, not '0.5'"),
        (f"{HEADER}2,Blue,0\n", "line 2: colour must be one of orange, .*, not 'Blue'"),
        (f"{HEADER}61,blue,0\n", "line 2: card number must be 1 to 60, not 61"),
        (f"{HEADER}1,pink,0\n1,blue,0\n", "line 3: card 1 is listed twice"),
        (f"{HEADER}1,pink,-1\n2,{'x' * 140_000},0\n", "line 3: .*field"),
        ("", f"{NO_HEADER}''"),
        ("1,pink,-1\n", f"{NO_HEADER}'1,pink,-1'"),
        ("colour,number,points\n1,pink,-1\n", f"{NO_HEADER}'colour,number,points'"),
        (HEADER, "a deck has 1 to 60 cards, not 0"),
        (
            f"{HEADER}1,pink,-1\n3,green,12\n",
            "the cards must be numbered 1 to 2 without a gap.*found 3 where 2 should be",
        ),
    ],
)
def test_a_wrong_file_is_refused_by_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=rf"my_deck\.csv[,:] {message}"):
        Deck.from_csv(deck_file(tmp_path, text))


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my_deck.csv"
    path.write_bytes((HEADER + "1,orangé,0\n").encode("latin-1"))
    with pytest.raises(ValueError, match=r"my_deck\.csv, line .*'utf-8' codec can't decode"):
        Deck.from_csv(path)
