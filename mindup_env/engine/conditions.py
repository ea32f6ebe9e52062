"""The conditions of the bonus objectives."""

from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Rules
from mindup_env.objectives import OBJECTIVES

ORANGE, PINK, BLUE, GREEN, PURPLE = range(5)
# Places in the table of objectives.
(
    ORANGE_1_OR_3,
    ORANGE_LOW,
    BLUE_2_OR_4,
    BLUE_MOST,
    PINK_FEWEST,
    PINK_MOST,
    GREEN_RIGHTMOST,
    GREEN_HIGH,
    PURPLE_GE_ORANGE,
    PURPLE_MOST,
    FIVE_COLOURS,
    THREE_COLOURS,
    COLOUR_OF_THREE,
    COLOUR_OF_FOUR,
) = range(14)
POINTS = tuple(objective.points for objective in OBJECTIVES)


@compiled
def objective_points(rules: Rules, games: Games, g: int, seat: int) -> int:
    """What the objectives shown would bring ``seat`` if the round ended now."""
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
    """The set of objectives, of all there are, whose condition ``seat``'s tableau meets now."""
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
    # Columns fill from the left, so the last of them is known by how many there are.
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
    """The value of the score card above a column; 0 for NOTHING, where no card lies."""
    if column == NOTHING:
        return 0
    return games.score_cards[g, rules.round_at[games.clock[g]], column]
