"""The conditions of the bonus objectives."""

from typing import NamedTuple

from mindup_env.cards import COLOURS, OBJECTIVES
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Rules

ORANGE, PINK, BLUE, GREEN, PURPLE = map(
    COLOURS.index, ("orange", "pink", "blue", "green", "purple")
)
SETS_BY_POINTS = tuple(
    (points, sum(1 << index for index, each in enumerate(OBJECTIVES) if each.points == points))
    for points in sorted({each.points for each in OBJECTIVES})
)
"""The objectives of each number of points, as a set."""


class Tableau(NamedTuple):
    """What the conditions depend on, for one seat: numbers of cards, and columns or NOTHING."""

    orange: int
    pink: int
    blue: int
    green: int
    purple: int
    orange_column: int
    green_column: int
    others_least_pink: int  # of the other seats
    others_most_pink: int
    others_most_purple: int


@compiled
def shown_objectives_met(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The set of objectives shown that ``seat`` would score if the round ended now."""
    if games.objectives.shape[2] == 0:
        return 0
    return objectives_met(rules, games, g, seat) & shown_objectives(rules, games, g)


@compiled
def shown_objectives(rules: Rules, games: Games, g: int) -> int:
    """The set of objectives shown in this round."""
    shown = 0
    for objective in games.objectives[g, rules.round_at[games.clock[g]]]:
        shown |= bitset.one(objective)
    return shown


@compiled
def total_points(objectives: int) -> int:
    """The points of a set of objectives."""
    total = 0
    for points, members in SETS_BY_POINTS:
        total += points * bitset.size(objectives & members)
    return total


@compiled
def objectives_met(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The set of objectives, shown or not, whose condition the tableau of ``seat`` meets now."""
    return conditions_met(rules, games, g, read_tableau(rules, games, g, seat))


@compiled
def read_tableau(rules: Rules, games: Games, g: int, seat: int) -> Tableau:
    """Counts the cards of ``seat``, and those of the other seats that are compared with them."""
    least_pink = len(rules.card_colours)
    most_pink = 0
    most_purple = 0
    for other in range(rules.num_players):
        if other != seat:
            pink = count_cards(rules, games, g, other, PINK)
            purple = count_cards(rules, games, g, other, PURPLE)
            least_pink = min(least_pink, pink)
            most_pink = max(most_pink, pink)
            most_purple = max(most_purple, purple)
    return Tableau(
        count_cards(rules, games, g, seat, ORANGE),
        count_cards(rules, games, g, seat, PINK),
        count_cards(rules, games, g, seat, BLUE),
        count_cards(rules, games, g, seat, GREEN),
        count_cards(rules, games, g, seat, PURPLE),
        int(games.columns[g, seat, ORANGE]),
        int(games.columns[g, seat, GREEN]),
        least_pink,
        most_pink,
        most_purple,
    )


@compiled
def add_card(tableau: Tableau, colour: int) -> Tableau:
    """The tableau with one more card of ``colour``; a new column is the leftmost empty one."""
    num_columns = count_columns(tableau)
    opens_orange = colour == ORANGE and tableau.orange == 0
    opens_green = colour == GREEN and tableau.green == 0
    return Tableau(
        tableau.orange + (colour == ORANGE),
        tableau.pink + (colour == PINK),
        tableau.blue + (colour == BLUE),
        tableau.green + (colour == GREEN),
        tableau.purple + (colour == PURPLE),
        num_columns if opens_orange else tableau.orange_column,
        num_columns if opens_green else tableau.green_column,
        tableau.others_least_pink,
        tableau.others_most_pink,
        tableau.others_most_purple,
    )


@compiled
def count_cards(rules: Rules, games: Games, g: int, seat: int, colour: int) -> int:
    return bitset.size(games.tableaux[g, seat] & rules.colour_cards[colour])


@compiled
def count_columns(tableau: Tableau) -> int:
    orange, pink, blue, green, purple = tableau[:5]
    return (orange > 0) + (pink > 0) + (blue > 0) + (green > 0) + (purple > 0)


@compiled
def conditions_met(rules: Rules, games: Games, g: int, tableau: Tableau) -> int:
    """The set of objectives, shown or not, whose condition a tableau meets."""
    orange, pink, blue, green, purple = tableau[:5]
    num_colours = count_columns(tableau)
    of_three = 3 in (orange, pink, blue, green, purple)
    of_four = 4 in (orange, pink, blue, green, purple)
    orange_value = score_card_above(rules, games, g, tableau.orange_column)
    green_value = score_card_above(rules, games, g, tableau.green_column)
    # Columns fill from the left, so the rightmost one follows from their number.
    green_is_last = tableau.green_column == num_colours - 1

    # In the order of OBJECTIVES.
    return (
        (orange in (1, 3)) << 0
        | (orange_value in (1, 2)) << 1
        | (blue in (2, 4)) << 2
        | (blue >= max(orange, pink, green, purple)) << 3
        | (pink <= tableau.others_least_pink) << 4
        | (pink >= tableau.others_most_pink) << 5
        | (green > 0 and green_is_last) << 6
        | (green_value >= NUM_COLUMNS - 1) << 7
        | (purple >= orange) << 8
        | (purple >= tableau.others_most_purple) << 9
        | (num_colours == 5) << 10
        | (num_colours == 3) << 11
        | of_three << 12
        | of_four << 13
    )


@compiled
def score_card_above(rules: Rules, games: Games, g: int, column: int) -> int:
    """The value of the score card above a column; 0 if the column is NOTHING."""
    if column == NOTHING:
        return 0
    return games.score_cards[g, rules.round_at[games.clock[g]], column]
