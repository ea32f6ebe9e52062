"""The value of a position: how likely a seat wins, estimated from the scores and the hands."""

import numpy as np

from mindup_agents.heuristics.formulas import NEXT_HAND_WEIGHT, strength
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called
from mindup_env.engine.results import total_score
from mindup_env.engine.state import Games, Rules

TEMPERATURE = 6.0
"""A lead of so many points makes a win e = 2.7 times as likely as that of the player behind.

It is above 0 at the end of the game too: the models of the players are not exact."""
TEMPERATURE_PER_TURN = 0.2
"""Added for each remaining turn, which makes a lead less certain."""


@called
def win_probability(rules: Rules, games: Games, seat: int) -> float:
    """Of ``seat`` in game 0: the softmax of the estimated scores."""
    remaining_turns = rules.num_turns - games.clock[0]
    temperature = TEMPERATURE + TEMPERATURE_PER_TURN * remaining_turns
    own, total = estimated_score(rules, games, seat), 0.0
    for player in range(rules.num_players):
        if player == seat:
            total += 1.0
        else:
            total += np.exp((estimated_score(rules, games, player) - own) / temperature)
    return 1 / total


@called
def estimated_score(rules: Rules, games: Games, seat: int) -> float:
    """The points of ``seat`` so far, plus the value of its hand."""
    points = float(total_score(rules, games, 0, seat))
    for card in bitset.members(games.hands[0, seat]):
        points += NEXT_HAND_WEIGHT * strength(rules, card)
    return points
