"""The end of a game: totals, the tie-break, ranks and winners.

The highest total wins. Of equal totals, the higher score in the last round wins. Seats that are
equal in both share the victory.
"""

from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import NUM_PARTS, Games, Rules

_TIE_BREAK_RANGE = 256
"""More than the scores of one round can differ, because they fit an int8."""


@compiled
def is_over(rules: Rules, games: Games, g: int) -> bool:
    return games.clock[g] == rules.num_turns


@compiled
def round_score(games: Games, g: int, round_: int, seat: int) -> int:
    """The score of a seat in a round: the sum of its parts."""
    total = 0
    for part in range(NUM_PARTS):
        total += int(games.points[g, round_, seat, part])  # an int8 would not hold every sum
    return total


@compiled
def total_score(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The score of a seat in all rounds so far."""
    total = 0
    for round_ in range(rules.num_rounds):
        total += round_score(games, g, round_, seat)
    return total


@compiled
def ranking_key(rules: Rules, games: Games, g: int, seat: int) -> int:
    """Orders the seats by result: by the total, then by the tie-break, the last round's score."""
    total = total_score(rules, games, g, seat)
    tie_break = round_score(games, g, rules.num_rounds - 1, seat)
    return total * _TIE_BREAK_RANGE + tie_break


@compiled
def rank(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The number of seats with a better result; 0 for a winner. Equal seats share a rank."""
    better = 0
    for other in range(rules.num_players):
        better += ranking_key(rules, games, g, other) > ranking_key(rules, games, g, seat)
    return better
