"""The bonus objectives: when they are met, and that their points are scored."""

import pytest

from mindup_env import OBJECTIVES, GameConfig
from mindup_env.engine import conditions
from tests.rules.positions import laid_out, objectives_met, position

# Neither ascending nor descending, so that the value above a column is not its place.
SCORE_CARDS = (3, 1, 5, 2, 4)
# What they hold is no concern of an objective about the player's own tableau.
LEFT_NEIGHBOUR, RIGHT_NEIGHBOUR = "4 orange, 1 blue, 2 green", "3 purple, 3 blue, 1 pink"

OWN_TABLEAU = [
    ("orange_1_or_3", "no orange", "2 pink", False),
    ("orange_1_or_3", "one orange", "2 pink, 1 orange", True),
    ("orange_1_or_3", "two orange", "2 orange, 1 pink", False),
    ("orange_1_or_3", "three orange", "3 orange", True),
    ("orange_1_or_3", "four orange", "4 orange", False),
    ("orange_1_or_3", "five orange", "5 orange", False),
    ("orange_low", "no orange", "1 pink, 1 blue, 1 green, 1 purple", False),
    ("orange_low", "in the first column, under 3", "1 orange", False),
    ("orange_low", "in the second column, under 1", "1 pink, 2 orange", True),
    ("orange_low", "in the third column, under 5", "1 pink, 1 blue, 1 orange", False),
    ("orange_low", "in the fourth column, under 2", "1 pink, 1 blue, 1 green, 1 orange", True),
    ("orange_low", "in the last, under 4", "1 pink, 1 blue, 1 green, 1 purple, 1 orange", False),
    ("blue_2_or_4", "no blue", "2 pink", False),
    ("blue_2_or_4", "one blue", "2 pink, 1 blue", False),
    ("blue_2_or_4", "two blue", "1 pink, 2 blue", True),
    ("blue_2_or_4", "three blue", "3 blue", False),
    ("blue_2_or_4", "four blue", "4 blue", True),
    ("blue_2_or_4", "five blue", "5 blue", False),
    ("blue_most", "no card at all", "", True),
    ("blue_most", "no blue among others", "1 pink", False),
    ("blue_most", "fewer than orange", "2 orange, 1 blue", False),
    ("blue_most", "fewer than pink", "2 pink, 1 blue", False),
    ("blue_most", "fewer than green", "1 blue, 2 green", False),
    ("blue_most", "fewer than purple", "1 blue, 2 purple", False),
    ("blue_most", "as many as two others", "2 pink, 2 blue, 2 green", True),
    ("blue_most", "more than any, fewer than all others together", "2 pink, 3 blue, 2 green", True),
    ("blue_most", "fewer than the neighbour has", "2 blue", True),
    ("green_rightmost", "no card at all", "", False),
    ("green_rightmost", "no green", "2 pink, 1 blue", False),
    ("green_rightmost", "green alone", "3 green", True),
    ("green_rightmost", "green last of three", "1 pink, 2 blue, 1 green", True),
    ("green_rightmost", "green in the middle", "1 pink, 2 green, 1 blue", False),
    ("green_rightmost", "green first of two", "3 green, 1 orange", False),
    ("green_rightmost", "last of five", "1 pink, 1 blue, 1 purple, 1 orange, 1 green", True),
    ("green_rightmost", "fourth of five", "1 pink, 1 blue, 1 purple, 1 green, 1 orange", False),
    ("green_high", "no green", "1 pink, 1 blue, 1 orange, 1 purple", False),
    ("green_high", "in the first column, under 3", "1 green", False),
    ("green_high", "in the second column, under 1", "1 pink, 2 green", False),
    ("green_high", "in the third column, under 5", "1 pink, 1 blue, 1 green", True),
    ("green_high", "in the fourth column, under 2", "1 pink, 1 blue, 1 orange, 1 green", False),
    ("green_high", "in the last, under 4", "1 pink, 1 blue, 1 orange, 1 purple, 1 green", True),
    ("purple_ge_orange", "neither", "2 pink", True),
    ("purple_ge_orange", "purple only", "2 pink, 1 purple", True),
    ("purple_ge_orange", "orange only", "1 orange", False),
    ("purple_ge_orange", "as many", "2 orange, 2 purple", True),
    ("purple_ge_orange", "more purple", "2 orange, 3 purple", True),
    ("purple_ge_orange", "more orange", "3 orange, 2 purple", False),
    ("five_colours", "five", "3 pink, 1 blue, 1 orange, 1 purple, 1 green", True),
    ("five_colours", "all but green", "3 pink, 1 blue, 1 orange, 2 purple", False),
    ("five_colours", "all but orange", "3 pink, 1 blue, 1 purple, 2 green", False),
    ("three_colours", "none", "", False),
    ("three_colours", "two", "4 green, 3 orange", False),
    ("three_colours", "three", "4 green, 2 orange, 1 purple", True),
    ("three_colours", "four", "3 green, 2 orange, 1 purple, 1 pink", False),
    ("three_colours", "five", "3 green, 1 orange, 1 purple, 1 pink, 1 blue", False),
    ("colour_of_three", "three orange, after a pair", "2 pink, 3 orange", True),
    ("colour_of_three", "three pink, before four", "3 pink, 4 orange", True),
    ("colour_of_three", "three blue alone", "3 blue", True),
    ("colour_of_three", "twice three", "3 blue, 3 orange, 1 pink", True),
    ("colour_of_three", "three green, between pairs", "2 pink, 3 green, 2 blue", True),
    ("colour_of_three", "three purple, last of four", "1 pink, 1 blue, 2 green, 3 purple", True),
    ("colour_of_three", "no card at all", "", False),
    ("colour_of_three", "a pair and one", "2 pink, 1 blue", False),
    ("colour_of_three", "three colours of one card", "1 pink, 1 blue, 1 green", False),
    ("colour_of_three", "four and two", "4 pink, 2 blue", False),
    ("colour_of_three", "five", "5 pink", False),
    ("colour_of_four", "four orange, after a pair", "2 pink, 4 orange", True),
    ("colour_of_four", "four pink, before three", "4 pink, 3 orange", True),
    ("colour_of_four", "four blue alone", "4 blue", True),
    ("colour_of_four", "twice four", "4 pink, 4 orange", True),
    ("colour_of_four", "four green, between others", "2 pink, 4 green, 1 blue", True),
    ("colour_of_four", "four purple, last of four", "1 pink, 1 blue, 1 green, 4 purple", True),
    ("colour_of_four", "no card at all", "", False),
    ("colour_of_four", "two pairs", "2 pink, 2 blue", False),
    ("colour_of_four", "three and three", "3 pink, 3 blue", False),
    ("colour_of_four", "five", "5 pink, 1 blue", False),
]


@pytest.mark.parametrize(
    ("objective", "tableau", "met"),
    [
        pytest.param(objective, tableau, met, id=f"{objective}: {words}")
        for objective, words, tableau, met in OWN_TABLEAU
    ],
)
def test_own_tableau(*, objective: str, tableau: str, met: bool) -> None:
    tableaux = laid_out(LEFT_NEIGHBOUR, tableau, RIGHT_NEIGHBOUR)
    batch = position(GameConfig(num_players=3), tableaux, SCORE_CARDS)
    assert (objective in objectives_met(batch, 1)) is met


COMPARED = [
    ("pink_fewest", "one player has fewest", ["2 pink", "1 pink", "3 pink"], {1}),
    ("pink_fewest", "none is fewer than one", ["1 pink", "2 blue", "1 pink"], {1}),
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


@pytest.mark.parametrize(
    ("objective", "tableaux", "met_by"),
    [
        pytest.param(objective, tableaux, met_by, id=f"{objective}: {words}")
        for objective, words, tableaux, met_by in COMPARED
    ],
)
def test_compared_with_the_others(objective: str, tableaux: list[str], met_by: set[int]) -> None:
    config = GameConfig(num_players=len(tableaux))
    batch = position(config, laid_out(*tableaux))
    seats = range(config.num_players)
    assert {seat for seat in seats if objective in objectives_met(batch, seat)} == met_by


def test_table_is_in_step_with_the_compiled_conditions() -> None:
    letters = [objective.letter for objective in OBJECTIVES]
    for index, objective in enumerate(OBJECTIVES):
        assert getattr(conditions, objective.id.upper()) == index
        # Places 0 and 1, 2 and 3, ...: whoever draws objectives finds the sister by its place.
        sisters = [place for place, letter in enumerate(letters) if letter == objective.letter]
        assert sisters == sorted([index, index ^ 1])
