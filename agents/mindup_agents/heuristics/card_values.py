"""The points that a card adds to a tableau: computed for each colour, looked up for each card."""

import numpy as np

from mindup_agents.heuristics.workspace import Workspace
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.conditions import objective_points
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Rules
from mindup_env.engine.turns import open_columns


@called
def update_column_values(rules: Rules, games: Games, g: int, workspace: Workspace) -> None:
    """Fills ``workspace.column_scores`` and ``opening_gains`` for all players of game ``g``."""
    score_cards = games.score_cards[g, rules.round_at[games.clock[g]]]
    for player in range(rules.num_players):
        first_free, free = open_columns(games, g, player), 0.0
        for column in range(first_free, NUM_COLUMNS):
            free += score_cards[column]
        for colour in range(NUM_COLOURS):
            column = games.columns[g, player, colour]
            workspace.opening_gains[player, colour] = 0.0
            if column == NOTHING:
                column = first_free
                mean = free / (NUM_COLUMNS - first_free)
                workspace.opening_gains[player, colour] = score_cards[column] - mean
            workspace.column_scores[player, colour] = score_cards[column]


@called
def update_objective_values(
    rules: Rules, games: Games, g: int, seat: int, workspace: Workspace
) -> None:
    """Fills ``workspace.objective_gains`` for ``seat``."""
    if games.objectives.shape[2] > 0:
        for colour in range(NUM_COLOURS):
            gained = objective_points_gained(rules, games, g, seat, colour)
            workspace.objective_gains[seat, colour] = gained


@compiled
def card_value(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    """The points that ``card`` adds to the tableau of ``seat``, objectives included."""
    gained = workspace.objective_gains[seat, rules.card_colours[card]]
    return placement_points(rules, seat, card, workspace) + gained


@compiled
def placement_points(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    """The score card above the column of ``card`` in the tableau of ``seat``, plus its bonus."""
    bonus = np.float64(rules.card_points[card])
    return workspace.column_scores[seat, rules.card_colours[card]] + bonus


@compiled
def objective_points_gained(rules: Rules, games: Games, g: int, seat: int, colour: int) -> float:
    """The change in the objective points of ``seat`` if it takes a card of ``colour``.

    Objectives depend on the colour of a card only. They count as if the round ended now.
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
