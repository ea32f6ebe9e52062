"""The points that a card adds to a tableau: computed for each colour, looked up for each card."""

import numpy as np

from mindup_agents.heuristics.workspace import Workspace
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.conditions import (
    add_card,
    conditions_met,
    read_tableau,
    shown_objectives,
    total_points,
)
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Rules
from mindup_env.engine.turns import open_columns


@called
def update_column_values(rules: Rules, games: Games, g: int, workspace: Workspace) -> None:
    """Fills ``workspace.column_scores``, their sums and ``opening_gains`` for game ``g``."""
    score_cards = games.score_cards[g, rules.round_at[games.clock[g]]]
    for colour in range(NUM_COLOURS):
        workspace.column_score_sums[colour] = 0.0
    for player in range(rules.num_players):
        first_free, free, gain = open_columns(games, g, player), 0, 0.0
        for column in range(first_free, NUM_COLUMNS):
            free += int(score_cards[column])  # uncompiled, a quotient of int8 would be a float16
        if first_free < NUM_COLUMNS:
            gain = score_cards[first_free] - free / (NUM_COLUMNS - first_free)
        for colour in range(NUM_COLOURS):
            column = games.columns[g, player, colour]
            is_open = column != NOTHING
            score = np.float64(score_cards[column if is_open else first_free])
            workspace.opening_gains[player, colour] = 0.0 if is_open else gain
            workspace.column_scores[player, colour] = score
            workspace.column_score_sums[colour] += score


@compiled
def update_objective_values(
    rules: Rules, games: Games, g: int, seat: int, workspace: Workspace
) -> None:
    """Fills ``workspace.objective_gains`` for ``seat``.

    Objectives depend on the colour of a card only. They count as if the round ended now.
    """
    if games.objectives.shape[2] > 0:
        tableau = read_tableau(rules, games, g, seat)
        shown = shown_objectives(rules, games, g)
        before = total_points(conditions_met(rules, games, g, tableau) & shown)
        for colour in range(NUM_COLOURS):
            met = conditions_met(rules, games, g, add_card(tableau, colour))
            after = total_points(met & shown)
            is_left = (rules.colour_cards[colour] & ~games.tableaux[g, seat]) != 0
            workspace.objective_gains[seat, colour] = after - before if is_left else 0


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
