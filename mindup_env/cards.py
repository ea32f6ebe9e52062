"""The number cards as printed, and decks of them."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from mindup_env.settings.checks import as_list, check_int, shown
from mindup_env.settings.plain_file import content_errors_name

# The constants of this file are part of compiled code.
COLOURS = ("orange", "pink", "blue", "green", "purple")
NUM_COLOURS = len(COLOURS)
MAX_CARDS = 60
"""A set of cards is one 64-bit integer, and the official deck has 60 cards."""


class Card(NamedTuple):
    """A number card.

    Attributes:
        number: the printed number, from 1.
        colour: one of orange, pink, blue, green and purple.
        points: the bonus or malus of the card.
    """

    number: int
    colour: str
    points: int

    def __str__(self) -> str:
        points = f" {self.points:+d}" if self.points else ""
        return f"{self.number} {self.colour}{points}"


@dataclass(frozen=True, repr=False)
class Deck:
    """Up to 60 cards, numbered from 1 without a gap. ``deck[number]`` is a card.

    Attributes:
        cards: the cards in the order of their numbers.
    """

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        cards = sorted(_checked(card) for card in as_list("the cards of a deck", self.cards))
        object.__setattr__(self, "cards", tuple(cards))
        if not 1 <= len(cards) <= MAX_CARDS:
            raise ValueError(f"a deck has 1 to {MAX_CARDS} cards, not {len(cards)}")
        for expected, card in enumerate(cards, start=1):
            if card.number != expected:
                raise ValueError(
                    f"the cards must be numbered 1 to {len(cards)} without a gap or a repeat: "
                    f"found {card.number} where {expected} should be"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle is checked when it is loaded."""
        return type(self), (tuple(map(tuple, self.cards)),)

    def __repr__(self) -> str:
        return f"<Deck of {len(self)} cards>"

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __getitem__(self, number: int) -> Card:
        """The card with a printed number, from 1."""
        return self.cards[check_int("card number", number, 1, len(self)) - 1]

    @classmethod
    def from_csv(cls, path: str | PathLike[str]) -> "Deck":
        """Reads a deck from a CSV file with the columns number, colour, points."""
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            try:
                cards = _read_cards(reader)
            except (csv.Error, ValueError) as error:
                raise ValueError(f"{path}, line {max(reader.line_num, 1)}: {error}") from None
        with content_errors_name(Path(path)):
            return cls(tuple(cards))


def _read_cards(lines: Iterator[list[str]]) -> list[Card]:
    """The cards of a file, whose empty lines are passed over."""
    header, cards = next(lines, []), dict[int, Card]()
    if tuple(header) != Card._fields:
        rule = f"the header must be {','.join(Card._fields)!r}"
        raise ValueError(f"{rule}, not {shown(','.join(header))}")
    for fields in filter(None, lines):
        card = _parse(fields)
        if card.number in cards:
            raise ValueError(f"card {card.number} is listed twice")
        cards[card.number] = card
    return list(cards.values())


def _checked(card: Any) -> Card:
    fields = as_list("a card", card)
    if len(fields) != len(Card._fields):
        raise ValueError(f"a card must be {', '.join(Card._fields)}, not {shown(card)}")
    number, colour, points = fields
    if colour not in COLOURS:
        raise ValueError(f"colour must be one of {', '.join(COLOURS)}, not {shown(colour)}")
    return Card(check_int("card number", number, 1, MAX_CARDS), colour, check_int("points", points))


def _parse(fields: list[str]) -> Card:
    """A card from a line of a file; a text that is no number is left to ``_checked``."""
    texts = map(str.strip, fields)
    return _checked([int(text) if re.fullmatch("[+-]?[0-9]+", text) else text for text in texts])


with as_file(files(__package__) / "official_deck.csv") as _path:
    OFFICIAL_DECK = Deck.from_csv(_path)
    """The 60 cards of the published game."""


def first_cards(number: int) -> Deck:
    """The official deck without its higher cards."""
    return Deck(OFFICIAL_DECK.cards[:number])


def numbers_of(cards: int) -> tuple[int, ...]:
    """The printed numbers, ascending, of a set of cards as one integer, as the engine has it."""
    numbers = []
    while cards:
        lowest = cards & -cards
        numbers.append(lowest.bit_length())
        cards ^= lowest
    return tuple(numbers)
