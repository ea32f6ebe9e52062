"""Greedy, and what greed forgets: columns, the last card, the next hand, the row left behind.

The value of a card is in points. It is the expected prize, as greedy has it but with the prize's
use for later added, plus the best card that stays in hand (the last one is scored too), plus what
it means that the card played is a prize of the next row, less the use of its number while turns
are to come. The rules of thumb stand below as numbers.
"""

import numpy as np

from mindup_agents.heuristics.card_values import points_of, worth
from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.prize_probabilities import expect_any_card, expected_prize
from mindup_agents.heuristics.workspace import Workspace, best_card
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Games, Rules

# Points. They were found by the cross-entropy method against random, greedy and an earlier planner
# at four players, and rounded.
OPENING = -0.2
"""For each turn to come, and each point by which the score card of a column that a prize opens is
above the mean of the free ones: cover low ones early, and later colours lie under higher ones."""
STRONG_PRIZE = 0.8
"""The number 1 or 60 in the next hand, instead of a middle one: extreme numbers choose a prize."""
STRONG_PLAY = 0.3
"""What such a number is worth while it is in hand and turns are to come."""
GIFT = -0.25
"""Each point that the card played is worth to the others, on average: it is a prize next turn."""
COMES_BACK = 0.1
"""Each point that it is worth to oneself, who may win it back."""


@called
def planner_card(
    rules: Rules, games: Games, known: Known, g: int, seat: int, workspace: Workspace
) -> int:
    """The choice of ``seat``, after a look at the columns and at its objectives."""
    hand = games.hands[g, seat]
    expect_any_card(rules, games, known, g, seat, workspace)
    plan(rules, games, g, seat, hand, bitset.size(hand), workspace)
    planner_values(hand, workspace)
    return best_card(hand, workspace)


@called
def plan(
    rules: Rules, games: Games, g: int, seat: int, cards: int, hand_size: int, workspace: Workspace
) -> None:
    """Fills ``workspace`` with what prizes are worth, and ``cards`` in a hand of that size.

    Nothing of it depends on what else is in the hand.
    """
    turns_to_come = hand_size - 2
    for place in range(rules.num_players):
        prize = games.row[g, place]
        column = OPENING * turns_to_come * workspace.openings[seat, rules.card_colours[prize]]
        workspace.prizes[place] = to_keep(rules, games, g, seat, prize, workspace) + column
    while cards != 0:
        card = bitset.lowest(cards)
        cards &= cards - 1
        workspace.keeps[card] = to_keep(rules, games, g, seat, card, workspace)
        workspace.plays[card] = 0.0
        if turns_to_come > 0:
            number = STRONG_PLAY * strength(rules, card)
            workspace.plays[card] = as_prize(rules, seat, card, workspace) - number


@called
def planner_values(hand: int, workspace: Workspace) -> None:
    """Fills ``workspace.values``: what comes now, stays in hand, and lies in the row next."""
    rest = hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        # Of what stays in hand the last card is scored too: say, the best.
        kept = best_kept(hand, card, workspace)
        workspace.values[card] = (
            expected_prize(card, workspace.prizes, workspace) + kept + workspace.plays[card]
        )


@compiled
def to_keep(
    rules: Rules, games: Games, g: int, seat: int, card: int, workspace: Workspace
) -> float:
    """What a card is worth in the own tableau: its points, and its use in the next hand."""
    value = worth(rules, seat, card, workspace)
    if rules.round_at[games.clock[g]] < rules.num_rounds - 1:
        value += STRONG_PRIZE * strength(rules, card)
    return value


@compiled
def best_kept(hand: int, played: int, workspace: Workspace) -> float:
    best = -np.inf
    rest = hand & ~bitset.one(played)
    while rest != 0:
        best = max(best, workspace.keeps[bitset.lowest(rest)])
        rest &= rest - 1
    return best


@compiled
def as_prize(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    """What it brings that a card lies in the next row."""
    gift = 0.0
    for rival in range(rules.num_players):
        if rival != seat:
            gift += points_of(rules, rival, card, workspace)
    own = points_of(rules, seat, card, workspace)
    return GIFT * gift / (rules.num_players - 1) + COMES_BACK * own


@compiled
def strength(rules: Rules, card: int) -> float:
    """How far a number is from the middle: 0 to 1."""
    return abs(2 * card / (len(rules.card_colours) - 1) - 1)
