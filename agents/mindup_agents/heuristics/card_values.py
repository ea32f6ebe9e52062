"""What a card adds to a tableau, and how likely it takes each prize.

Values are computed for each colour and looked up for each card. The functions that compute for a
whole hand write to the scratch arrays of a ``Workspace``.
"""

from typing import Annotated, NamedTuple

import numpy as np

from mindup_agents.heuristics.observed_games import KnownGames, unseen_cards
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import MAX_PLAYERS, GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.conditions import (
    add_card,
    conditions_met,
    read_tableau,
    shown_objectives,
    total_points,
)
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Float64Array, Games, Rules
from mindup_env.engine.turns import open_columns


class Workspace(NamedTuple):
    """All values are in points."""

    # What a card adds to the tableau of each player, by its colour: the score card above its
    # column, the sum of these over all players, that minus the mean of the free ones, and the
    # change in objective points.
    column_scores: Annotated[Float64Array, "num_players", NUM_COLOURS]
    column_score_sums: Annotated[Float64Array, NUM_COLOURS]
    opening_gains: Annotated[Float64Array, "num_players", NUM_COLOURS]
    objective_gains: Annotated[Float64Array, "num_players", NUM_COLOURS]

    # What the formulas of greedy and planner count, for each player: the prizes of the row, a card
    # in the player's own tableau, and playing a card without the prize that it takes.
    greedy_prizes: Annotated[Float64Array, "num_players", "num_players"]
    planner_prizes: Annotated[Float64Array, "num_players", "num_players"]
    keep_values: Annotated[Float64Array, "num_players", "num_cards"]
    play_values: Annotated[Float64Array, "num_players", "num_cards"]

    # Of the cards in the hand of the player who decides: that an opponent plays a lower card, that
    # the card takes each prize, and the total value by which the card is chosen.
    lower_probabilities: Annotated[Float64Array, "num_players", "num_cards"]
    prize_probabilities: Annotated[Float64Array, "num_cards", MAX_PLAYERS]
    card_values: Annotated[Float64Array, "num_cards"]


def make_workspace(config: GameConfig) -> Workspace:
    return allocate(Workspace, config)


@compiled
def best_card(hand: int, workspace: Workspace) -> int:
    """The card of a hand with the highest value, the lowest of equal ones; 0 for no cards."""
    best = bitset.lowest(hand) if hand != 0 else 0
    for card in bitset.members(hand):
        if workspace.card_values[card] > workspace.card_values[best]:
            best = card
    return best


@called
def update_column_values(rules: Rules, games: Games, g: int, workspace: Workspace) -> None:
    """Fills ``workspace.column_scores``, their sums and ``opening_gains`` for game ``g``."""
    score_cards = games.score_cards[g, rules.round_at[games.clock[g]]]
    for colour in range(NUM_COLOURS):
        workspace.column_score_sums[colour] = 0.0
    for player in range(rules.num_players):
        first_free = open_columns(games, g, player)
        free = 0
        for column in range(first_free, NUM_COLUMNS):
            free += int(score_cards[column])  # uncompiled, a quotient of int8 would be a float16
        gain = 0.0
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


@compiled
def update_uniform_probabilities(
    known: KnownGames, g: int, seat: int, workspace: Workspace
) -> None:
    """Fills ``workspace.prize_probabilities`` as if opponents played uniformly random cards.

    A hidden card is any unseen card with the same probability, independently of the others.
    """
    unseen = unseen_cards(known, g, seat)
    hand = known.games.hands[g, seat]
    share = 1 / max(bitset.size(unseen), 1)
    for card in bitset.members(hand):
        hidden_lower = bitset.size_below(unseen, card) * share
        for player in range(known.rules.num_players):
            if player != seat:
                cards = known.cards[g, player]
                num_hidden = known.num_hidden[g, player]
                lower = bitset.size_below(cards, card) + num_hidden * hidden_lower
                lower /= max(bitset.size(cards) + num_hidden, 1)
                workspace.lower_probabilities[player, card] = lower
    update_prize_probabilities(known.rules, seat, hand, workspace)


@compiled
def update_prize_probabilities(rules: Rules, seat: int, hand: int, workspace: Workspace) -> None:
    """Fills ``prize_probabilities`` for a hand of ``seat`` from ``lower_probabilities``.

    A card takes the prize whose place is the number of opponents that play lower cards.
    """
    for card in bitset.members(hand):
        # Of each number of lower cards; as variables for MAX_PLAYERS they stay in registers.
        p0, p1, p2, p3, p4, p5 = 1.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for player in range(rules.num_players):
            if player != seat:
                lower = workspace.lower_probabilities[player, card]
                p5 += (p4 - p5) * lower
                p4 += (p3 - p4) * lower
                p3 += (p2 - p3) * lower
                p2 += (p1 - p2) * lower
                p1 += (p0 - p1) * lower
                p0 *= 1 - lower
        places = workspace.prize_probabilities[card]
        places[0], places[1], places[2], places[3], places[4], places[5] = p0, p1, p2, p3, p4, p5


@compiled
def expected_prize_value(card: int, prize_values: Float64Array, workspace: Workspace) -> float:
    """The mean of ``prize_values`` (num_players,) by ``workspace.prize_probabilities``."""
    total = 0.0
    for place in range(len(prize_values)):
        total += workspace.prize_probabilities[card, place] * prize_values[place]
    return total
