"""The number cards: what is printed on them, and the decks made of them."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from mindup_env.checks import whole_number

# Constants of this file are frozen into compiled code.
COLOURS = ("orange", "pink", "blue", "green", "purple")
NUM_COLOURS = len(COLOURS)
MAX_CARDS = 60
"""A set of cards is one 64-bit word, and the official deck has 60."""

_CSV_HEADER = ("number", "colour", "points")


class Card(NamedTuple):
    """A number card; ``points`` is its bonus or malus."""

    number: int
    colour: str
    points: int

    def __str__(self) -> str:
        points = f" {self.points:+d}" if self.points else ""
        return f"{self.number} {self.colour}{points}"


@dataclass(frozen=True, repr=False)
class Deck:
    """Cards numbered from 1 without a gap, in the order of their numbers."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        ordered = tuple(sorted(_checked(*card) for card in self.cards))
        object.__setattr__(self, "cards", ordered)
        if not 1 <= len(ordered) <= MAX_CARDS:
            raise ValueError(f"a deck has 1 to {MAX_CARDS} cards, not {len(ordered)}")
        for expected, card in enumerate(ordered, start=1):
            if card.number != expected:
                raise ValueError(
                    f"the cards must be numbered 1 to {len(ordered)} without a gap or a repeat: "
                    f"found {card.number} where {expected} should be"
                )

    def __repr__(self) -> str:
        return f"<Deck of {len(self)} cards>"

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __getitem__(self, number: int) -> Card:
        """The card of that number (from 1, as printed)."""
        if not 1 <= number <= len(self):
            raise IndexError(f"there is no card {number}: they run from 1 to {len(self)}")
        return self.cards[number - 1]

    @classmethod
    def from_csv(cls, path: str | PathLike[str]) -> "Deck":
        """Reads a deck from a file with the columns number, colour, points."""
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            header = tuple(next(reader, ()))
            if header != _CSV_HEADER:
                raise ValueError(
                    f"{path}, line 1: the header must be {','.join(_CSV_HEADER)!r}, "
                    f"not {','.join(header)!r}"
                )
            line_of: dict[int, int] = {}
            cards = []
            for fields in reader:
                where = f"{path}, line {reader.line_num}"
                try:
                    card = _parse(fields)
                except ValueError as error:
                    raise ValueError(f"{where}: {error}") from None
                if card.number in line_of:
                    first = line_of[card.number]
                    raise ValueError(f"{where}: card {card.number} stands on line {first} already")
                line_of[card.number] = reader.line_num
                cards.append(card)
        try:
            return cls(tuple(cards))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None


def _checked(number: object, colour: str, points: object) -> Card:
    if colour not in COLOURS:
        raise ValueError(f"colour {colour!r} is not one of {', '.join(COLOURS)}")
    return Card(
        whole_number("card number", number, 1, MAX_CARDS), colour, whole_number("points", points)
    )


def _parse(fields: list[str]) -> Card:
    if len(fields) != len(_CSV_HEADER):
        raise ValueError(f"expected {len(_CSV_HEADER)} fields, found {len(fields)}: {fields}")
    number, colour, points = (field.strip() for field in fields)
    return _checked(_number_or_text(number), colour, _number_or_text(points))


def _number_or_text(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _official_deck() -> Deck:
    with as_file(files(__package__) / "official_deck.csv") as path:
        return Deck.from_csv(path)


OFFICIAL_DECK = _official_deck()
