"""How likely a seat wins, by the points so far and the numbers in the next hands."""

import numpy as np

from mindup_agents.heuristics.planner_values import STRONG_PRIZE, strength
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called
from mindup_env.engine.results import round_score
from mindup_env.engine.state import Games, Rules

TEMPERATURE = 6.0
"""Points of lead that make a victory 2.7 times as likely as that of the player behind.

Above 0 even at the end: who plays on is only a model of the players."""
TEMPERATURE_PER_TURN = 0.2
"""Each turn to come makes a lead less certain."""


@called
def chance_to_win(rules: Rules, games: Games, seat: int) -> float:
    """Of ``seat`` in the only game, by the points so far and the numbers in the next hands."""
    turns_to_come = rules.num_turns - games.clock[0]
    temperature = TEMPERATURE + TEMPERATURE_PER_TURN * turns_to_come
    own, total = outlook(rules, games, seat), 0.0
    for player in range(rules.num_players):
        total += np.exp((outlook(rules, games, player) - own) / temperature)
    return 1 / total


@called
def outlook(rules: Rules, games: Games, seat: int) -> float:
    points = 0.0
    for round_ in range(rules.num_rounds):
        points += round_score(games, 0, round_, seat)
    hand = games.hands[0, seat]
    while hand != 0:
        points += STRONG_PRIZE * strength(rules, bitset.lowest(hand))
        hand &= hand - 1
    return points
