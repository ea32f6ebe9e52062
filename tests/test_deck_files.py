"""Decks read from files."""

import re
from pathlib import Path

import pytest

import mindup_env
from mindup_env import OFFICIAL_DECK, Card, Deck

HEADER = "number,colour,points\n"
PINK, BLUE, GREEN = Card(1, "pink", -1), Card(2, "blue", 0), Card(3, "green", 12)


def deck_file(folder: Path, text: str) -> Path:
    path = folder / "my_deck.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_deck_from_a_file(tmp_path: Path) -> None:
    path = deck_file(tmp_path, HEADER + "3,green,12\n1,pink,-1\n 2 , blue , +0 \n")
    assert Deck.from_csv(path) == Deck.from_csv(str(path)) == Deck((PINK, BLUE, GREEN))


def test_deck_from_a_file_of_a_spreadsheet(tmp_path: Path) -> None:
    """Such files begin with a byte order mark and end their lines the Windows way."""
    text = "\N{BYTE ORDER MARK}" + HEADER + "1,pink,-1\n2,blue,0\n"
    path = tmp_path / "spreadsheet.csv"
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert Deck.from_csv(path) == Deck((PINK, BLUE))


def test_the_official_deck_comes_from_the_file_in_the_package(tmp_path: Path) -> None:
    path = Path(mindup_env.__file__).with_name("official_deck.csv")
    assert Deck.from_csv(path) == OFFICIAL_DECK
    rows = [f"{card.number},{card.colour},{card.points}\n" for card in OFFICIAL_DECK]
    written = deck_file(tmp_path, HEADER + "".join(rows))
    assert Deck.from_csv(written) == OFFICIAL_DECK
    assert written.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2,blue", r"expected 3 fields, found 2: .*'blue'"),
        ("2,blue,0,0", r"expected 3 fields, found 4"),
        ("2;blue;0", "expected 3 fields, found 1: .*'2;blue;0'"),
        ("two,blue,0", "card number must be a whole number, not 'two'"),
        ("2,blue,0.5", "points must be a whole number, not '0.5'"),
        ("2,blue,1_0", "points must be a whole number, not '1_0'"),
        ("2,blue,", "points must be a whole number, not ''"),
        ("2,Blue,0", "colour must be one of orange, pink, blue, green, purple, not 'Blue'"),
        ("2,,0", "colour must be one of orange, pink, blue, green, purple, not ''"),
        ("0,blue,0", "card number must be 1 to 60, not 0"),
        ("-2,blue,0", "card number must be 1 to 60, not -2"),
        ("61,blue,0", "card number must be 1 to 60, not 61"),
        ("1,blue,0", "card 1 is listed twice"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(tmp_path: Path, line: str, message: str) -> None:
    path = deck_file(tmp_path, f"{HEADER}1,pink,-1\n{line}\n3,green,12\n")
    with pytest.raises(ValueError, match=rf"my_deck\.csv, line 3: .*{message}"):
        Deck.from_csv(path)


def test_empty_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    text = HEADER + "\n1,pink,-1\n\n\n2,blue,0\n\n"
    assert Deck.from_csv(deck_file(tmp_path, text)) == Deck((PINK, BLUE))
    with pytest.raises(ValueError, match=r"my_deck\.csv, line 8: card 2 is listed twice"):
        Deck.from_csv(deck_file(tmp_path, text + "2,blue,0\n"))


def test_a_field_too_long_to_read_is_refused_by_its_line(tmp_path: Path) -> None:
    path = deck_file(tmp_path, f"{HEADER}1,pink,-1\n2,{'x' * 140_000},0\n")
    with pytest.raises(ValueError, match=r"my_deck\.csv, line 3: .*field"):
        Deck.from_csv(path)


def test_what_is_no_text_is_refused_by_what_it_must_be(tmp_path: Path) -> None:
    path = tmp_path / "my_deck.csv"
    path.write_bytes((HEADER + "1,orangé,0\n").encode("latin-1"))
    with pytest.raises(ValueError, match=r"my_deck\.csv .*UTF-8"):
        Deck.from_csv(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n" + HEADER,
        "1,pink,-1\n",
        "colour,number,points\n1,pink,-1\n",
        "number;colour;points\n1;pink;-1\n",
    ],
)
def test_a_wrong_header_is_refused_by_what_it_must_be(tmp_path: Path, text: str) -> None:
    found = re.escape(text.partition("\n")[0])
    message = rf"my_deck\.csv, line 1: .*'number,colour,points', not '{found}'"
    with pytest.raises(ValueError, match=message):
        Deck.from_csv(deck_file(tmp_path, text))


def test_a_61st_card_is_refused_by_its_line(tmp_path: Path) -> None:
    rows = "".join(f"{number},pink,0\n" for number in range(1, 62))
    with pytest.raises(ValueError, match=r"my_deck\.csv, line 62: .* 1 to 60, not 61"):
        Deck.from_csv(deck_file(tmp_path, HEADER + rows))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "1 to 60 cards, not 0"),
        ("1,pink,-1\n3,green,12\n", "1 to 2 without a gap.*found 3 where 2 should be"),
    ],
)
def test_what_is_wrong_with_a_whole_deck_names_the_file(
    tmp_path: Path, rows: str, message: str
) -> None:
    with pytest.raises(ValueError, match=rf"my_deck\.csv: .*{message}"):
        Deck.from_csv(deck_file(tmp_path, HEADER + rows))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no_such_deck"):
        Deck.from_csv(tmp_path / "no_such_deck.csv")
