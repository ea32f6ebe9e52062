"""The formulas of the bots ``greedy`` and ``planner``: the value of each card of a hand, in points.

For ``greedy`` it is the sum over the prizes of the row: the probability that the card takes the
prize, times the value of the prize. That value is the score card above the prize's column (or above
the next empty column), plus the bonus of the prize, plus the change in the objective points. The
probabilities assume that every opponent plays a uniformly random card of its hand.

For ``planner`` it is the sum of

- the expected prize as ``greedy`` computes it, where the value of a prize also counts the column
  that it opens (``OPENING_WEIGHT``) and its number in the next hand (``NEXT_HAND_WEIGHT``);
- the value of the best card that stays in the hand, since the last card of a hand is scored too;
- while turns remain, the value of the card as a prize of the next row, to the opponents
  (``OPPONENT_PRIZE_WEIGHT``) and to the player (``OWN_PRIZE_WEIGHT``), minus the value of its
  number in the hand (``HAND_WEIGHT``).
"""

import numpy as np

from mindup_agents.heuristics.card_values import (
    ColumnValues,
    HandValues,
    SeatValues,
    Workspace,
    card_value,
    expected_prize_value,
    fill_objective_gains,
    fill_uniform_probabilities,
    placement_points,
)
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.results import total_score
from mindup_env.engine.state import NOTHING, Games, Rules

MODELS = "random", "greedy", "planner"  # of a seat: uniformly random play, and the formulas
RANDOM, GREEDY, PLANNER = range(3)

# Found by the cross-entropy method against random, greedy and an earlier planner at four players,
# and rounded.
OPENING_WEIGHT = -0.2
"""Per remaining turn, and per point by which the score card of a column that a prize opens exceeds
the mean of the free ones. Low score cards are better covered early: later colours get higher ones.
"""
NEXT_HAND_WEIGHT = 0.8  # the strength of a card in the next hand: extreme numbers choose prizes
HAND_WEIGHT = 0.3  # the strength of a card in this hand, while turns remain
OPPONENT_PRIZE_WEIGHT = -0.25
"""Per point of the card played to the opponents on average: it is a prize of the next row."""
OWN_PRIZE_WEIGHT = 0.1  # per point of it to the player, who may win it back


@compiled
def formula_values(
    known: KnownGames, g: int, seat: int, model: int, columns: ColumnValues, workspace: Workspace
) -> HandValues:
    """The values of the hand of ``seat``: those of greedy, or of planner for any other model."""
    fill_uniform_probabilities(known, g, seat, workspace.hand)
    fill_objective_gains(known.rules, known.games, g, seat, workspace.seats)
    if model == GREEDY:
        fill_greedy_prizes(known, g, seat, columns, workspace.seats)
        return greedy_values(known.games.hands[g, seat], seat, workspace)
    return own_planner_values(known, g, seat, columns, workspace)


@compiled
def own_planner_values(
    known: KnownGames, g: int, seat: int, columns: ColumnValues, workspace: Workspace
) -> HandValues:
    """The values of planner for the hand of ``seat``, whose gains and probabilities are filled."""
    hand = known.games.hands[g, seat]
    fill_planner_parts(known, g, seat, hand, bitset.size(hand), columns, workspace.seats)
    return planner_values(hand, seat, workspace)


@compiled
def fill_greedy_prizes(
    known: KnownGames, g: int, seat: int, columns: ColumnValues, seats: SeatValues
) -> None:
    """Fills ``greedy_prizes`` of ``seat``, whose objective gains are filled; for any hand."""
    for place in range(known.rules.num_players):
        value = card_value(known.rules, seat, known.games.row[g, place], columns, seats)
        seats.greedy_prizes[seat, place] = value


@compiled
def greedy_values(hand: int, seat: int, workspace: Workspace) -> HandValues:
    """The values of greedy for a hand of ``seat``, whose prizes and probabilities are filled."""
    prizes = workspace.seats.greedy_prizes[seat]
    for card in bitset.members(hand):
        workspace.hand.totals[card] = expected_prize_value(card, prizes, workspace.hand)
    return workspace.hand


@called
def fill_planner_parts(
    known: KnownGames,
    g: int,
    seat: int,
    cards: int,
    hand_size: int,
    columns: ColumnValues,
    seats: SeatValues,
) -> None:
    """Fills ``planner_prizes`` of ``seat``, and ``keep_values`` and ``play_values`` of ``cards``.

    They depend on the size of the hand, and not on the cards in it. The objective gains of the
    seat are filled.
    """
    rules = known.rules
    remaining_turns = hand_size - 2
    for place in range(rules.num_players):
        prize = known.games.row[g, place]
        opening_gain = columns.opening_gains[seat, rules.card_colours[prize]]
        opening = OPENING_WEIGHT * remaining_turns * opening_gain
        kept = keep_value(known, g, seat, prize, columns, seats)
        seats.planner_prizes[seat, place] = kept + opening
    for card in bitset.members(cards):
        seats.keep_values[seat, card] = keep_value(known, g, seat, card, columns, seats)
        play_value = 0.0
        if remaining_turns > 0:
            in_hand = HAND_WEIGHT * strength(rules, card)
            play_value = next_prize_value(rules, seat, card, columns) - in_hand
        seats.play_values[seat, card] = play_value


@called
def planner_values(hand: int, seat: int, workspace: Workspace) -> HandValues:
    """The values of planner for a hand of ``seat``, whose parts and probabilities are filled."""
    seats = workspace.seats
    # The best card that stays is the best of the hand or, if that is played, the second best.
    best = second = -np.inf
    best_kept = NOTHING
    for card in bitset.members(hand):
        value = seats.keep_values[seat, card]
        if value > best:
            second = best
            best = value
            best_kept = card
        elif value > second:
            second = value
    for card in bitset.members(hand):
        prize = expected_prize_value(card, seats.planner_prizes[seat], workspace.hand)
        kept = second if card == best_kept else best
        workspace.hand.totals[card] = prize + kept + seats.play_values[seat, card]
    return workspace.hand


@compiled
def keep_value(
    known: KnownGames, g: int, seat: int, card: int, columns: ColumnValues, seats: SeatValues
) -> float:
    """The value of a card in the tableau of ``seat``: its points, and its use in the next hand."""
    rules = known.rules
    value = card_value(rules, seat, card, columns, seats)
    if rules.round_at[known.games.clock[g]] < rules.num_rounds - 1:
        value += NEXT_HAND_WEIGHT * strength(rules, card)
    return value


@compiled
def next_prize_value(rules: Rules, seat: int, card: int, columns: ColumnValues) -> float:
    """The value, to ``seat``, of a card in the next row."""
    own = placement_points(rules, seat, card, columns)
    bonuses = rules.num_players * np.float64(rules.card_points[card])
    opponents = columns.sums[rules.card_colours[card]] + bonuses - own
    return OPPONENT_PRIZE_WEIGHT * opponents / (rules.num_players - 1) + OWN_PRIZE_WEIGHT * own


@compiled
def strength(rules: Rules, card: int) -> float:
    """The distance of a card's number from the middle of the deck: 0 to 1."""
    return abs(2 * card / (len(rules.card_colours) - 1) - 1)


TEMPERATURE = 6.0
"""A lead of so many points makes a win e = 2.7 times as likely as that of the player behind.

It is above 0 at the end of the game too: the models of the players are not exact."""
TEMPERATURE_PER_TURN = 0.2  # added for each remaining turn, which makes a lead less certain


@called
def win_probability(rules: Rules, games: Games) -> float:
    """The probability that player 0 wins game 0: the softmax of the estimated scores."""
    remaining_turns = rules.num_turns - games.clock[0]
    temperature = TEMPERATURE + TEMPERATURE_PER_TURN * remaining_turns
    own = estimated_score(rules, games, 0)
    total = 1.0
    for player in range(1, rules.num_players):
        lead = estimated_score(rules, games, player) - own
        total += np.exp(lead / temperature)
    return 1 / total


@called
def estimated_score(rules: Rules, games: Games, seat: int) -> float:
    """The points of ``seat`` so far, plus the value of its hand."""
    points = float(total_score(rules, games, 0, seat))
    for card in bitset.members(games.hands[0, seat]):
        points += NEXT_HAND_WEIGHT * strength(rules, card)
    return points
