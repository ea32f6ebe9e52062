"""What is printed: the number cards, and the objectives of the variant."""

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
        points: its bonus or malus.
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


# Objectives

MAX_OBJECTIVES = 5
"""At most this many are shown together."""


class Objective(NamedTuple):
    """A player who meets ``condition`` at the end of a round scores ``points``.

    Attributes:
        id: its name.
        letter: the printed letter; two of the same letter are never shown together.
        points: positive or negative.
        condition: the condition in words.
    """

    id: str
    letter: str
    points: int
    condition: str


# In compiled code an objective is its index in this tuple, as in ``engine/conditions.py``. The two
# objectives of a letter are adjacent: the other one is the index with its last bit flipped.
OBJECTIVES = (
    Objective("orange_1_or_3", "A", +2, "1 or 3 orange cards, no other number"),
    Objective("orange_low", "A", -2, "orange cards, under score card 1 or 2"),
    Objective("blue_2_or_4", "B", +2, "2 or 4 blue cards, no other number"),
    Objective("blue_most", "B", +2, "none of your colours outnumbers blue"),
    Objective("pink_fewest", "C", -2, "nobody has fewer pink cards than you"),
    Objective("pink_most", "C", +2, "nobody has more pink cards than you"),
    Objective("green_rightmost", "D", +2, "green cards, in the last of your columns"),
    Objective("green_high", "D", +2, "green cards, under score card 4 or 5"),
    Objective("purple_ge_orange", "E", +2, "no fewer purple cards than orange ones"),
    Objective("purple_most", "E", -2, "nobody has more purple cards than you"),
    Objective("five_colours", "F", +2, "cards of all five colours"),
    Objective("three_colours", "F", +2, "cards of three colours, no more, no fewer"),
    Objective("colour_of_three", "G", -2, "a colour with exactly 3 cards"),
    Objective("colour_of_four", "G", +2, "a colour with exactly 4 cards"),
)
"""All objectives; ``objectives`` parts of an observation have an entry for each, in this order."""

NUM_OBJECTIVES = len(OBJECTIVES)
OBJECTIVE_INDEX = {objective.id: index for index, objective in enumerate(OBJECTIVES)}
