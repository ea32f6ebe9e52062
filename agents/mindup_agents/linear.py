"""A bidder with five numbers: it plays the card whose weighted features add up to the most.

It looks at its own hand, the row and its own tableau; the cards of the others it takes to be
anywhere among those it does not see.
"""

import math

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.kernels import Keys, Table
from mindup_env.engine.random_play import random_card
from mindup_env.engine.state import NOTHING, Games, Int8Array, Rules
from mindup_env.engine.turns import open_columns

Weights = npt.NDArray[np.float64]

FEATURES = (
    "prize",  # what the prize is worth that the card should win
    "points",  # the card's own bonus or malus, which whoever wins it next turn gets
    "keep",  # what the card would be worth as the last one of the hand
    "high",  # the card's number, from 0 to 1
    "middle",  # how near its number is to the middle, from 0 to 1
)


@kernel
def play_against_random(
    table: Table, keys: Keys, learner_seats: Int8Array, weights: Weights, cards: Int8Array
) -> None:
    """Fills ``cards`` (N, P): one seat of each game bids by its weights, the others at random."""
    rules, games = Rules(*table[0]), Games(*table[1])
    for g in range(len(games.clock)):
        for seat in range(rules.num_players):
            cards[g, seat] = random_card(games, g, seat, keys[g])
        cards[g, learner_seats[g]] = best_card(rules, games, g, learner_seats[g], weights)


@compiled
def best_card(rules: Rules, games: Games, g: int, seat: int, weights: Weights) -> int:
    hand = games.hands[g, seat]
    unseen = unseen_cards(rules, games, g, seat)
    best, best_value = NOTHING, -np.inf
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        height = card / (len(rules.card_colours) - 1)
        value = (
            weights[g, 0] * expected_prize(rules, games, g, seat, card, unseen)
            + weights[g, 1] * rules.card_points[card]
            + weights[g, 2] * worth(rules, games, g, seat, card)
            + weights[g, 3] * height
            + weights[g, 4] * (1 - abs(2 * height - 1))
        )
        if value > best_value:
            best, best_value = card, value
    return best


@compiled
def unseen_cards(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The set of cards that are neither in the row nor ``seat``'s own."""
    seen = games.hands[g, seat] | games.tableaux[g, seat]
    for place in range(rules.num_players):
        seen |= bitset.one(games.row[g, place])
    return (bitset.one(len(rules.card_colours)) - 1) & ~seen


@compiled
def expected_prize(rules: Rules, games: Games, g: int, seat: int, card: int, unseen: int) -> float:
    """The worth of the prize at the expected place of ``card``, between two prizes if need be."""
    chance_lower = bitset.size_below(unseen, card) / bitset.size(unseen)
    place = chance_lower * (rules.num_players - 1)
    first = math.floor(place)
    second = min(first + 1, rules.num_players - 1)
    share = place - first
    return (1 - share) * worth(rules, games, g, seat, games.row[g, first]) + share * worth(
        rules, games, g, seat, games.row[g, second]
    )


@compiled
def worth(rules: Rules, games: Games, g: int, seat: int, card: int) -> int:
    """The points that ``card`` would add to the tableau of ``seat`` now."""
    column = games.columns[g, seat, rules.card_colours[card]]
    if column == NOTHING:
        column = open_columns(games, g, seat)
    score_card = games.score_cards[g, rules.round_at[games.clock[g]], column]
    return int(score_card) + rules.card_points[card]
