"""Totals, ranks and winners."""

from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import NUM_PARTS, Games, Rules

_TIE_BREAK_RANGE = 256
"""More than the scores of one round can differ: they fit an int8."""


@compiled
def is_over(rules: Rules, games: Games, g: int) -> bool:
    return games.clock[g] == rules.num_turns


@compiled
def round_score(games: Games, g: int, round_: int, seat: int) -> int:
    total = 0
    for part in range(NUM_PARTS):
        total += int(games.points[g, round_, seat, part])  # an int8 would not hold every sum
    return total


@compiled
def standing(rules: Rules, games: Games, g: int, seat: int) -> int:
    """A number by which seats compare at the end: by the sum of rounds, then by the last round."""
    total = 0
    for round_ in range(rules.num_rounds):
        total += round_score(games, g, round_, seat)
    return total * _TIE_BREAK_RANGE + round_score(games, g, rules.num_rounds - 1, seat)


@compiled
def rank(rules: Rules, games: Games, g: int, seat: int) -> int:
    """How many seats stand better; 0 for a winner. Seats that share a rank share a victory."""
    better = 0
    for other in range(rules.num_players):
        better += standing(rules, games, g, other) > standing(rules, games, g, seat)
    return better
