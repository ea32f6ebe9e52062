"""The conditions of the bonus objectives, each under the name of the objective's id."""

from mindup_env.cards import COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Rules
from mindup_env.objectives import OBJECTIVE_INDEX, OBJECTIVES

ORANGE, PINK, BLUE, GREEN, PURPLE = map(
    COLOURS.index, ("orange", "pink", "blue", "green", "purple")
)
# The index of each objective is looked up by its id, so that no order can mix up two conditions.
ORANGE_1_OR_3 = OBJECTIVE_INDEX["orange_1_or_3"]
ORANGE_LOW = OBJECTIVE_INDEX["orange_low"]
BLUE_2_OR_4 = OBJECTIVE_INDEX["blue_2_or_4"]
BLUE_MOST = OBJECTIVE_INDEX["blue_most"]
PINK_FEWEST = OBJECTIVE_INDEX["pink_fewest"]
PINK_MOST = OBJECTIVE_INDEX["pink_most"]
GREEN_RIGHTMOST = OBJECTIVE_INDEX["green_rightmost"]
GREEN_HIGH = OBJECTIVE_INDEX["green_high"]
PURPLE_GE_ORANGE = OBJECTIVE_INDEX["purple_ge_orange"]
PURPLE_MOST = OBJECTIVE_INDEX["purple_most"]
FIVE_COLOURS = OBJECTIVE_INDEX["five_colours"]
THREE_COLOURS = OBJECTIVE_INDEX["three_colours"]
COLOUR_OF_THREE = OBJECTIVE_INDEX["colour_of_three"]
COLOUR_OF_FOUR = OBJECTIVE_INDEX["colour_of_four"]
POINTS = tuple(objective.points for objective in OBJECTIVES)


@compiled
def objective_points(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The points of the objectives shown that ``seat`` would score if the round ended now."""
    total = 0
    shown = games.objectives[g, rules.round_at[games.clock[g]]]
    if len(shown) > 0:
        met = objectives_met(rules, games, g, seat)
        for objective in shown:
            if bitset.contains(met, objective):
                total += POINTS[objective]
    return total


@compiled
def objectives_met(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The set of objectives, shown or not, whose condition the tableau of ``seat`` meets now."""
    tableau, of_colour = games.tableaux[g, seat], rules.colour_cards
    orange = bitset.size(tableau & of_colour[ORANGE])
    pink = bitset.size(tableau & of_colour[PINK])
    blue = bitset.size(tableau & of_colour[BLUE])
    green = bitset.size(tableau & of_colour[GREEN])
    purple = bitset.size(tableau & of_colour[PURPLE])

    least_pink = most_pink = pink
    most_purple = purple
    for other in range(rules.num_players):
        others_pink = bitset.size(games.tableaux[g, other] & of_colour[PINK])
        others_purple = bitset.size(games.tableaux[g, other] & of_colour[PURPLE])
        least_pink, most_pink = min(least_pink, others_pink), max(most_pink, others_pink)
        most_purple = max(most_purple, others_purple)

    num_colours = (orange > 0) + (pink > 0) + (blue > 0) + (green > 0) + (purple > 0)
    of_three = 3 in (orange, pink, blue, green, purple)
    of_four = 4 in (orange, pink, blue, green, purple)
    orange_value = score_card_above(rules, games, g, games.columns[g, seat, ORANGE])
    green_value = score_card_above(rules, games, g, games.columns[g, seat, GREEN])
    # Columns fill from the left, so the rightmost one follows from their number.
    green_is_last = games.columns[g, seat, GREEN] == num_colours - 1

    return (
        (orange in (1, 3)) << ORANGE_1_OR_3
        | (orange_value in (1, 2)) << ORANGE_LOW
        | (blue in (2, 4)) << BLUE_2_OR_4
        | (blue >= max(orange, pink, green, purple)) << BLUE_MOST
        | (pink == least_pink) << PINK_FEWEST
        | (pink == most_pink) << PINK_MOST
        | (green > 0 and green_is_last) << GREEN_RIGHTMOST
        | (green_value >= NUM_COLUMNS - 1) << GREEN_HIGH
        | (purple >= orange) << PURPLE_GE_ORANGE
        | (purple == most_purple) << PURPLE_MOST
        | (num_colours == 5) << FIVE_COLOURS
        | (num_colours == 3) << THREE_COLOURS
        | of_three << COLOUR_OF_THREE
        | of_four << COLOUR_OF_FOUR
    )


@compiled
def score_card_above(rules: Rules, games: Games, g: int, column: int) -> int:
    """The value of the score card above a column; 0 if the column is NOTHING."""
    if column == NOTHING:
        return 0
    return games.score_cards[g, rules.round_at[games.clock[g]], column]
