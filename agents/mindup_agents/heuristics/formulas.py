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
    card_value,
    placement_points,
    update_objective_values,
)
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_agents.heuristics.prize_probabilities import (
    expected_prize_value,
    update_uniform_probabilities,
)
from mindup_agents.heuristics.workspace import Float64Array, Workspace, best_card
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import NOTHING, Rules

MODELS = "random", "greedy", "planner"
"""Models of a seat: uniformly random play, and the formulas."""
RANDOM, GREEDY, PLANNER = range(len(MODELS))
NUM_MODELS = len(MODELS)

# Found by the cross-entropy method against random, greedy and an earlier planner at four players,
# and rounded.
OPENING_WEIGHT = -0.2
"""Per remaining turn, and per point by which the score card of a column that a prize opens exceeds
the mean of the free ones. Low score cards are better covered early: later colours get higher ones.
"""
NEXT_HAND_WEIGHT = 0.8
"""The strength of a card in the next hand: cards of extreme numbers choose their prize."""
HAND_WEIGHT = 0.3
"""The strength of a card in this hand, while turns remain."""
OPPONENT_PRIZE_WEIGHT = -0.25
"""Per point of the card played to the opponents on average: it is a prize of the next row."""
OWN_PRIZE_WEIGHT = 0.1
"""Per point of it to the player, who may win it back."""


@compiled
def greedy_card(known: KnownGames, g: int, seat: int, workspace: Workspace) -> int:
    """The card that ``greedy`` plays for ``seat``.

    The column values, and the objective values of the seat, are up to date in the workspace.
    """
    update_uniform_probabilities(known, g, seat, workspace)
    update_greedy_prize_values(known, g, seat, workspace, workspace.prize_values)
    return best_prize_card(known.games.hands[g, seat], workspace.prize_values, workspace)


@compiled
def update_greedy_prize_values(
    known: KnownGames, g: int, seat: int, workspace: Workspace, prize_values: Float64Array
) -> None:
    """Fills ``prize_values`` (num_players,) for ``seat``."""
    for place in range(known.rules.num_players):
        prize_values[place] = card_value(known.rules, seat, known.games.row[g, place], workspace)


@compiled
def best_prize_card(hand: int, prize_values: Float64Array, workspace: Workspace) -> int:
    """The card with the highest expected prize, by ``workspace.prize_probabilities``."""
    for card in bitset.members(hand):
        workspace.card_values[card] = expected_prize_value(card, prize_values, workspace)
    return best_card(hand, workspace)


@compiled
def planner_card(known: KnownGames, g: int, seat: int, workspace: Workspace) -> int:
    """The card that ``planner`` plays for ``seat``.

    The column values, and the objective values of the seat, are up to date in the workspace.
    """
    hand = known.games.hands[g, seat]
    update_uniform_probabilities(known, g, seat, workspace)
    update_planner_values(known, g, seat, hand, bitset.size(hand), workspace)
    update_planner_card_values(hand, workspace)
    return best_card(hand, workspace)


@called
def update_planner_values(
    known: KnownGames, g: int, seat: int, cards: int, hand_size: int, workspace: Workspace
) -> None:
    """Fills ``workspace.prize_values``, and ``keep_values`` and ``play_values`` for ``cards``.

    They depend on the size of the hand, and not on the cards in it.
    """
    rules, remaining_turns = known.rules, hand_size - 2
    for place in range(rules.num_players):
        prize = known.games.row[g, place]
        opening_gain = workspace.opening_gains[seat, rules.card_colours[prize]]
        opening = OPENING_WEIGHT * remaining_turns * opening_gain
        kept = keep_value(known, g, seat, prize, workspace)
        workspace.prize_values[place] = kept + opening
    for card in bitset.members(cards):
        workspace.keep_values[card] = keep_value(known, g, seat, card, workspace)
        workspace.play_values[card] = 0.0
        if remaining_turns > 0:
            in_hand = HAND_WEIGHT * strength(rules, card)
            workspace.play_values[card] = next_prize_value(rules, seat, card, workspace) - in_hand


@called
def update_planner_card_values(hand: int, workspace: Workspace) -> None:
    """Fills ``workspace.card_values`` for a hand from the values of prizes and cards."""
    # The best card that stays is the best of the hand or, if that is played, the second best.
    best = second = -np.inf
    best_kept = NOTHING
    for card in bitset.members(hand):
        value = workspace.keep_values[card]
        if value > best:
            best, second, best_kept = value, best, card
        elif value > second:
            second = value
    for card in bitset.members(hand):
        prize = expected_prize_value(card, workspace.prize_values, workspace)
        kept = second if card == best_kept else best
        workspace.card_values[card] = prize + kept + workspace.play_values[card]


@compiled
def keep_value(known: KnownGames, g: int, seat: int, card: int, workspace: Workspace) -> float:
    """The value of a card in the tableau of ``seat``: its points, and its use in the next hand."""
    rules = known.rules
    value = card_value(rules, seat, card, workspace)
    if rules.round_at[known.games.clock[g]] < rules.num_rounds - 1:
        value += NEXT_HAND_WEIGHT * strength(rules, card)
    return value


@compiled
def next_prize_value(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    """The value, to ``seat``, of a card in the next row."""
    own = placement_points(rules, seat, card, workspace)
    bonuses = rules.num_players * np.float64(rules.card_points[card])
    opponents = workspace.column_score_sums[rules.card_colours[card]] + bonuses - own
    return OPPONENT_PRIZE_WEIGHT * opponents / (rules.num_players - 1) + OWN_PRIZE_WEIGHT * own


@compiled
def strength(rules: Rules, card: int) -> float:
    """The distance of a card's number from the middle of the deck: 0 to 1."""
    return abs(2 * card / (len(rules.card_colours) - 1) - 1)


@compiled
def formula_card(known: KnownGames, g: int, seat: int, model: int, workspace: Workspace) -> int:
    """The card that a formula plays for ``seat``: greedy's, or planner's for any other model.

    The column values are up to date in the workspace.
    """
    update_objective_values(known.rules, known.games, g, seat, workspace)
    if model == GREEDY:
        return greedy_card(known, g, seat, workspace)
    return planner_card(known, g, seat, workspace)
