"""What a card would add to a tableau: found for each colour, then looked up for each card."""

import numpy as np

from mindup_agents.heuristics.workspace import Workspace
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.conditions import objective_points
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Rules
from mindup_env.engine.turns import open_columns


@called
def look_at_columns(rules: Rules, games: Games, g: int, workspace: Workspace) -> None:
    """Fills ``workspace.tops`` and ``workspace.openings`` of all players, of game ``g``."""
    order = games.score_cards[g, rules.round_at[games.clock[g]]]
    for player in range(rules.num_players):
        first_free, free = open_columns(games, g, player), 0.0
        for column in range(first_free, NUM_COLUMNS):
            free += order[column]
        for colour in range(NUM_COLOURS):
            column = games.columns[g, player, colour]
            workspace.openings[player, colour] = 0.0
            if column == NOTHING:
                column = first_free
                mean = free / (NUM_COLUMNS - first_free)
                workspace.openings[player, colour] = order[column] - mean
            workspace.tops[player, colour] = order[column]


@called
def look_at_objectives(rules: Rules, games: Games, g: int, seat: int, workspace: Workspace) -> None:
    """Fills ``workspace.gains`` of ``seat``."""
    if games.objectives.shape[2] > 0:
        for colour in range(NUM_COLOURS):
            workspace.gains[seat, colour] = objectives_gained(rules, games, g, seat, colour)


@compiled
def worth(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    """The points of ``card`` in the tableau of ``seat``, with what it does to the objectives."""
    return points_of(rules, seat, card, workspace) + workspace.gains[seat, rules.card_colours[card]]


@compiled
def points_of(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    """The score card of the column where ``card`` would lie, and its bonus or malus."""
    return workspace.tops[seat, rules.card_colours[card]] + np.float64(rules.card_points[card])


@compiled
def objectives_gained(rules: Rules, games: Games, g: int, seat: int, colour: int) -> float:
    """What a card of ``colour`` more changes about the objective points of ``seat``.

    Objectives ask for no more of a card than its colour. They count as if the round ended now.
    """
    others = rules.colour_cards[colour] & ~games.tableaux[g, seat]
    if others == 0:
        return 0.0
    card = bitset.lowest(others)
    column = games.columns[g, seat, colour]
    before = objective_points(rules, games, g, seat)
    if column == NOTHING:
        games.columns[g, seat, colour] = open_columns(games, g, seat)
    games.tableaux[g, seat] |= bitset.one(card)
    after = objective_points(rules, games, g, seat)
    games.tableaux[g, seat] &= ~bitset.one(card)
    games.columns[g, seat, colour] = column
    return float(after - before)
