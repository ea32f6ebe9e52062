"""What a card would add to a tableau."""

from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.conditions import objective_points
from mindup_env.engine.state import NOTHING, Games, Rules
from mindup_env.engine.turns import open_columns


@called
def worth(rules: Rules, games: Games, g: int, seat: int, card: int) -> float:
    """The points of ``card`` in the tableau of ``seat``, with what it does to the objectives.

    Objectives count as if the round ended with it.
    """
    points = points_of(rules, games, g, seat, card)
    if games.objectives.shape[2] > 0:
        points += objectives_gained(rules, games, g, seat, card)
    return points


@compiled
def points_of(rules: Rules, games: Games, g: int, seat: int, card: int) -> float:
    """The score card of the column where ``card`` would lie, and its bonus or malus."""
    column = games.columns[g, seat, rules.card_colours[card]]
    if column == NOTHING:
        column = open_columns(games, g, seat)
    score_card = games.score_cards[g, rules.round_at[games.clock[g]], column]
    return float(score_card) + float(rules.card_points[card])


@compiled
def objectives_gained(rules: Rules, games: Games, g: int, seat: int, card: int) -> float:
    """What laying ``card`` changes about the objective points of ``seat``."""
    colour = rules.card_colours[card]
    column = games.columns[g, seat, colour]
    before = objective_points(rules, games, g, seat)
    if column == NOTHING:
        games.columns[g, seat, colour] = open_columns(games, g, seat)
    games.tableaux[g, seat] |= bitset.one(card)
    after = objective_points(rules, games, g, seat)
    games.tableaux[g, seat] &= ~bitset.one(card)
    games.columns[g, seat, colour] = column
    return float(after - before)
