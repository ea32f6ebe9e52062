"""The features of a card as a prize. A function returns how many features it writes."""

from typing import NamedTuple

from mindup_agents.champion.feature_shape import Float32Array
from mindup_agents.heuristics.card_values import ColumnValues, placement_points
from mindup_agents.heuristics.formulas import strength
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Float64Array, Rules

POINT_SCALE = 5.0  # points are divided by it, to be of about 1


class PrizeValue(NamedTuple):
    """The value of a card as a prize, in points; a network learns the weights of its parts."""

    placed: float  # in the tableau
    objectives: float
    opening: float  # the gain of a new column
    strength: float  # as a card of the hand
    opponents: float  # the mean of the points for them


NUM_PARTS = len(PrizeValue._fields)


class Points(NamedTuple):
    """What cards score in a position."""

    columns: ColumnValues
    objective_gains: Float64Array  # (num_players, num_colours) those of the seat are filled


@compiled
def write_expected_prize(
    known: KnownGames,
    g: int,
    seat: int,
    probabilities: Float64Array,
    points: Points,
    out: Float32Array,
) -> int:
    """Writes the expected value of the prize that a card takes, and how likely it takes each."""
    rules = known.rules
    placed = objectives = opening = strengths = opponents = 0.0
    for place in range(rules.num_players):
        probability = probabilities[place]
        prize = prize_value(rules, seat, known.games.row[g, place], points)
        placed += probability * prize.placed
        objectives += probability * prize.objectives
        opening += probability * prize.opening
        strengths += probability * prize.strength
        opponents += probability * prize.opponents
        out[NUM_PARTS + place] = probability
    write_value(PrizeValue(placed, objectives, opening, strengths, opponents), out)
    return NUM_PARTS + rules.num_players


@compiled
def write_value_to_all(
    rules: Rules, seat: int, card: int, points: Points, out: Float32Array
) -> int:
    """Writes the value of a card as a prize, and its points for each opponent."""
    write_value(prize_value(rules, seat, card, points), out)
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        placed = placement_points(rules, opponent, card, points.columns)
        out[NUM_PARTS + after - 1] = placed / POINT_SCALE
    return NUM_PARTS + rules.num_players - 1


@compiled
def prize_value(rules: Rules, seat: int, card: int, points: Points) -> PrizeValue:
    colour = rules.card_colours[card]
    opponents = 0.0
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        opponents += placement_points(rules, opponent, card, points.columns)
    return PrizeValue(
        placement_points(rules, seat, card, points.columns),
        points.objective_gains[seat, colour],
        points.columns.opening_gains[seat, colour],
        strength(rules, card),
        opponents / (rules.num_players - 1),
    )


@compiled
def write_value(value: PrizeValue, out: Float32Array) -> None:
    for part in range(NUM_PARTS):
        out[part] = value[part] / POINT_SCALE
