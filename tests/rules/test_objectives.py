"""The bonus objectives: when they are met, and which are dealt."""

from collections.abc import Sequence

import pytest

from mindup_env import OBJECTIVES, Deal, GameConfig
from mindup_env.cards import COLOURS
from mindup_env.engine.batch import Batch
from mindup_env.engine.keys import make_keys
from mindup_env.engine.state import NOTHING

# Neither ascending nor descending, so that the value above a column is not its place.
SCORE_CARDS = (3, 1, 5, 2, 4)
# What they hold is no concern of an objective about the player's own tableau.
LEFT_NEIGHBOUR, RIGHT_NEIGHBOUR = "4 orange, 1 blue, 2 green", "3 purple, 3 blue, 1 pink"


def objectives_met(tableaux: Sequence[str]) -> list[set[str]]:
    """All objectives, shown or not, that each seat meets, for tableaux like "2 pink, 1 blue".

    These are the columns from left to right.
    """
    config = GameConfig(len(tableaux))
    # From the highest number down: a set of high cards needs a word of more than 32 bits.
    left = {
        colour: [card.number - 1 for card in config.deck if card.colour == colour]
        for colour in COLOURS
    }
    batch = Batch.empty(config, 1)
    batch.games.score_cards[0, 0] = SCORE_CARDS
    batch.games.columns[0] = NOTHING
    for seat, text in enumerate(tableaux):
        for place, column in enumerate(text.split(", ") if text else []):
            number, colour = column.split()
            batch.games.columns[0, seat, COLOURS.index(colour)] = place
            for _ in range(int(number)):
                batch.games.tableaux[0, seat] |= 1 << left[colour].pop()
    met = batch.seat_facts().met
    assert (met >> len(OBJECTIVES) == 0).all(), "bits that stand for no objective are set"
    return [
        {objective.id for index, objective in enumerate(OBJECTIVES) if bits >> index & 1}
        for bits in met[0].tolist()
    ]


OWN_TABLEAU = [
    ("orange_1_or_3", "no orange", "2 pink", False),
    ("orange_1_or_3", "one orange", "2 pink, 1 orange", True),
    ("orange_1_or_3", "three orange", "3 orange", True),
    ("orange_1_or_3", "four orange", "4 orange", False),
    ("orange_low", "no orange", "1 pink, 1 blue, 1 green, 1 purple", False),
    ("orange_low", "in the first column, under 3", "1 orange", False),
    ("orange_low", "in the second column, under 1", "1 pink, 2 orange", True),
    ("orange_low", "in the third column, under 5", "1 pink, 1 blue, 1 orange", False),
    ("orange_low", "in the fourth column, under 2", "1 pink, 1 blue, 1 green, 1 orange", True),
    ("orange_low", "in the last, under 4", "1 pink, 1 blue, 1 green, 1 purple, 1 orange", False),
    ("blue_2_or_4", "two blue", "1 pink, 2 blue", True),
    ("blue_2_or_4", "four blue", "4 blue", True),
    ("blue_most", "no card at all", "", True),
    ("blue_most", "no blue among others", "1 pink", False),
    ("blue_most", "fewer than orange", "2 orange, 1 blue", False),
    ("blue_most", "fewer than purple", "1 blue, 2 purple", False),
    ("blue_most", "as many as two others", "2 pink, 2 blue, 2 green", True),
    ("blue_most", "more than any, fewer than all others together", "2 pink, 3 blue, 2 green", True),
    ("blue_most", "fewer than the neighbour has", "2 blue", True),
    ("green_rightmost", "no card at all", "", False),
    ("green_rightmost", "green alone", "3 green", True),
    ("green_rightmost", "green last of three", "1 pink, 2 blue, 1 green", True),
    ("green_rightmost", "green in the middle", "1 pink, 2 green, 1 blue", False),
    ("green_rightmost", "last of five", "1 pink, 1 blue, 1 purple, 1 orange, 1 green", True),
    ("green_high", "in the first column, under 3", "1 green", False),
    ("green_high", "in the second column, under 1", "1 pink, 2 green", False),
    ("green_high", "in the third column, under 5", "1 pink, 1 blue, 1 green", True),
    ("green_high", "in the last, under 4", "1 pink, 1 blue, 1 orange, 1 purple, 1 green", True),
    ("purple_ge_orange", "neither", "2 pink", True),
    ("purple_ge_orange", "orange only", "1 orange", False),
    ("purple_ge_orange", "as many", "2 orange, 2 purple", True),
    ("purple_ge_orange", "more orange", "3 orange, 2 purple", False),
    ("five_colours", "five", "3 pink, 1 blue, 1 orange, 1 purple, 1 green", True),
    ("five_colours", "all but green", "3 pink, 1 blue, 1 orange, 2 purple", False),
    ("three_colours", "none", "", False),
    ("three_colours", "two", "4 green, 3 orange", False),
    ("three_colours", "three", "4 green, 2 orange, 1 purple", True),
    ("three_colours", "four", "3 green, 2 orange, 1 purple, 1 pink", False),
    ("three_colours", "five", "3 green, 1 orange, 1 purple, 1 pink, 1 blue", False),
    ("colour_of_three", "three orange, after a pair", "2 pink, 3 orange", True),
    ("colour_of_three", "three pink, before four", "3 pink, 4 orange", True),
    ("colour_of_three", "twice three", "3 blue, 3 orange, 1 pink", True),
    ("colour_of_three", "three purple, last of four", "1 pink, 1 blue, 2 green, 3 purple", True),
    ("colour_of_three", "no card at all", "", False),
    ("colour_of_three", "three colours of one card", "1 pink, 1 blue, 1 green", False),
    ("colour_of_three", "four and two", "4 pink, 2 blue", False),
    ("colour_of_three", "five", "5 pink", False),
    ("colour_of_four", "four orange, after a pair", "2 pink, 4 orange", True),
    ("colour_of_four", "four pink, before three", "4 pink, 3 orange", True),
    ("colour_of_four", "twice four", "4 pink, 4 orange", True),
    ("colour_of_four", "four purple, last of four", "1 pink, 1 blue, 1 green, 4 purple", True),
    ("colour_of_four", "no card at all", "", False),
    ("colour_of_four", "three and three", "3 pink, 3 blue", False),
    ("colour_of_four", "five", "5 pink, 1 blue", False),
]


@pytest.mark.parametrize(("objective", "words", "tableau", "met"), OWN_TABLEAU)
def test_own_tableau(*, objective: str, words: str, tableau: str, met: bool) -> None:
    _, own, _ = objectives_met([LEFT_NEIGHBOUR, tableau, RIGHT_NEIGHBOUR])
    assert (objective in own) is met, words


COMPARED = [
    ("pink_fewest", "one player has fewest", ["2 pink", "1 pink", "3 pink"], {1}),
    ("pink_fewest", "two tie", ["1 pink", "2 pink", "1 pink"], {0, 2}),
    ("pink_fewest", "nobody has pink", ["1 blue", "2 green", ""], {0, 1, 2}),
    ("pink_fewest", "the last of six", ["3 pink", *["2 pink"] * 4, "1 pink"], {5}),
    ("pink_most", "one player has most", ["2 pink", "1 pink", "3 pink"], {2}),
    ("pink_most", "most, though not in the own tableau", ["2 pink, 3 blue", "1 pink"], {0}),
    ("pink_most", "two tie", ["2 pink", "1 pink", "2 pink"], {0, 2}),
    ("pink_most", "nobody has pink", ["1 blue", "2 green", ""], {0, 1, 2}),
    ("pink_most", "the first of six", ["3 pink", "2 pink", *["1 pink"] * 4], {0}),
    ("purple_most", "one player has most", ["1 purple", "3 purple", "2 purple"], {1}),
    ("purple_most", "most, though not in the own tableau", ["1 purple", "3 pink, 2 purple"], {1}),
    ("purple_most", "two tie", ["1 purple", "2 purple", "2 purple"], {1, 2}),
    ("purple_most", "nobody has purple", ["1 blue", "2 pink", ""], {0, 1, 2}),
    ("purple_most", "the last of six", [*["1 purple"] * 4, "2 purple", "3 purple"], {5}),
]


@pytest.mark.parametrize(("objective", "words", "tableaux", "met_by"), COMPARED)
def test_compared_with_the_others(
    objective: str, words: str, tableaux: list[str], met_by: set[int]
) -> None:
    met = objectives_met(tableaux)
    assert {seat for seat, own in enumerate(met) if objective in own} == met_by, words


def test_table_is_in_step_with_the_compiled_conditions() -> None:
    letters = [objective.letter for objective in OBJECTIVES]
    for index, objective in enumerate(OBJECTIVES):
        # Places 0 and 1, 2 and 3, ...: whoever draws objectives finds the sister by its place.
        sisters = [place for place, letter in enumerate(letters) if letter == objective.letter]
        assert sisters == sorted([index, index ^ 1])


@pytest.mark.parametrize("num_rounds", [3, 6])
@pytest.mark.parametrize("num_objectives", range(6))
def test_deals_are_allowed_and_the_other_of_a_letter_may_come_later(
    num_objectives: int, num_rounds: int
) -> None:
    config = GameConfig(3, num_objectives, num_rounds, hand_size=5)
    batch = Batch.dealt(config, make_keys(3, 1000))
    sisters_return = False
    for g in range(1000):
        Deal.read(batch.games, g).check(config)
        letters = batch.games.objectives[g].ravel() // 2  # those of a letter are neighbours
        sisters_return |= len({*letters.tolist()}) < letters.size
    assert sisters_return == (num_objectives > 0)
