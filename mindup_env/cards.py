"""The number cards as printed."""

import csv
from importlib.resources import files
from typing import NamedTuple

# The constants of this file are part of compiled code.
COLOURS = ("orange", "pink", "blue", "green", "purple")
NUM_COLOURS = len(COLOURS)


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


with (files(__package__) / "official_deck.csv").open(encoding="utf-8") as _file:
    OFFICIAL_DECK = tuple(
        Card(int(row["number"]), row["colour"], int(row["points"])) for row in csv.DictReader(_file)
    )
    """The 60 cards of the published game, ascending: action ``a`` plays ``OFFICIAL_DECK[a]``."""


def card_of(number: int) -> Card:
    """The card with a printed number, from 1."""
    return OFFICIAL_DECK[number - 1]


def numbers_of(cards: int) -> tuple[int, ...]:
    """The printed numbers, ascending, of a set of cards as one integer, as the engine has it."""
    numbers = []
    while cards:
        lowest = cards & -cards
        numbers.append(lowest.bit_length())
        cards ^= lowest
    return tuple(numbers)
