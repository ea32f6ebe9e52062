"""What a card adds to a tableau, and how likely it takes each prize.

Values are computed for each colour and looked up for each card. They are kept in the arrays of a
``Workspace``, by how long they hold: for a position, for a seat in it, for a hand.
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


class ColumnValues(NamedTuple):
    """What a card scores in a position, by its colour; ``value_columns`` returns them."""

    scores: Annotated[Float64Array, "num_players", NUM_COLOURS]  # the score card above its column
    sums: Annotated[Float64Array, NUM_COLOURS]  # of the scores over all players
    # The score minus the mean of the free score cards, if the card opens a column.
    opening_gains: Annotated[Float64Array, "num_players", NUM_COLOURS]


class SeatValues(NamedTuple):
    """What each seat makes of a position: the parts of the formulas of greedy and planner."""

    objective_gains: Annotated[Float64Array, "num_players", NUM_COLOURS]  # of a card of a colour
    greedy_prizes: Annotated[Float64Array, "num_players", "num_players"]  # the prizes of the row
    planner_prizes: Annotated[Float64Array, "num_players", "num_players"]
    # A card in the seat's own tableau, and playing a card without the prize that it takes.
    keep_values: Annotated[Float64Array, "num_players", "num_cards"]
    play_values: Annotated[Float64Array, "num_players", "num_cards"]


class HandValues(NamedTuple):
    """Of the cards in the hand of one seat."""

    # That an opponent plays a lower card, and that the card takes each prize.
    lower_probabilities: Annotated[Float64Array, "num_players", "num_cards"]
    prize_probabilities: Annotated[Float64Array, "num_cards", MAX_PLAYERS]
    totals: Annotated[Float64Array, "num_cards"]  # by which the card is chosen


class Workspace(NamedTuple):
    """Arrays that are filled again and again. All values are in points."""

    columns: ColumnValues  # of one position at a time
    seats: SeatValues  # of this position
    hand: HandValues  # of one seat at a time


def make_workspace(config: GameConfig) -> Workspace:
    return Workspace(
        allocate(ColumnValues, config), allocate(SeatValues, config), allocate(HandValues, config)
    )


@compiled
def best_card(hand: int, totals: Float64Array) -> int:
    """The card of a hand with the highest value, the lowest of equal ones; 0 for no cards."""
    best = bitset.lowest(hand) if hand != 0 else 0
    for card in bitset.members(hand):
        if totals[card] > totals[best]:
            best = card
    return best


@called
def value_columns(rules: Rules, games: Games, g: int, columns: ColumnValues) -> ColumnValues:
    """Fills ``columns`` for game ``g`` as it is now, and returns them."""
    score_cards = games.score_cards[g, rules.round_at[games.clock[g]]]
    for colour in range(NUM_COLOURS):
        columns.sums[colour] = 0.0
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
            columns.opening_gains[player, colour] = 0.0 if is_open else gain
            columns.scores[player, colour] = score
            columns.sums[colour] += score
    return columns


@compiled
def fill_objective_gains(rules: Rules, games: Games, g: int, seat: int, seats: SeatValues) -> None:
    """Fills ``seats.objective_gains`` of ``seat``.

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
            seats.objective_gains[seat, colour] = after - before if is_left else 0


@compiled
def card_value(
    rules: Rules, seat: int, card: int, columns: ColumnValues, seats: SeatValues
) -> float:
    """The points that ``card`` adds to the tableau of ``seat``, objectives included."""
    gained = seats.objective_gains[seat, rules.card_colours[card]]
    return placement_points(rules, seat, card, columns) + gained


@compiled
def placement_points(rules: Rules, seat: int, card: int, columns: ColumnValues) -> float:
    """The score card above the column of ``card`` in the tableau of ``seat``, plus its bonus."""
    bonus = np.float64(rules.card_points[card])
    return columns.scores[seat, rules.card_colours[card]] + bonus


@compiled
def fill_uniform_probabilities(known: KnownGames, g: int, seat: int, values: HandValues) -> None:
    """Fills the probabilities of the hand of ``seat`` as if opponents played random cards.

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
                values.lower_probabilities[player, card] = lower
    fill_prize_probabilities(known.rules, seat, hand, values)


@compiled
def fill_prize_probabilities(rules: Rules, seat: int, hand: int, values: HandValues) -> None:
    """Fills ``prize_probabilities`` for a hand of ``seat`` from ``lower_probabilities``.

    A card takes the prize whose place is the number of opponents that play lower cards.
    """
    for card in bitset.members(hand):
        # Of each number of lower cards; as variables for MAX_PLAYERS they stay in registers.
        p0, p1, p2, p3, p4, p5 = 1.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for player in range(rules.num_players):
            if player != seat:
                lower = values.lower_probabilities[player, card]
                p5 += (p4 - p5) * lower
                p4 += (p3 - p4) * lower
                p3 += (p2 - p3) * lower
                p2 += (p1 - p2) * lower
                p1 += (p0 - p1) * lower
                p0 *= 1 - lower
        places = values.prize_probabilities[card]
        places[0], places[1], places[2], places[3], places[4], places[5] = p0, p1, p2, p3, p4, p5


@compiled
def expected_prize_value(card: int, prize_values: Float64Array, values: HandValues) -> float:
    """The mean of ``prize_values`` (num_players,) by the probabilities of the prizes."""
    total = 0.0
    for place in range(len(prize_values)):
        total += values.prize_probabilities[card, place] * prize_values[place]
    return total
