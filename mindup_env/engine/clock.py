"""The clock of a game: its rounds, turns and log entries, counted from 0 as in the engine.

``Rules.round_at`` and ``turn_at`` say where a game is after a number of turns; these functions say
the rest. Compiled code and Python call the same functions.
"""

from mindup_env.engine.compiler import also_compiled
from mindup_env.engine.state import Rules


@also_compiled
def cards_of_round(rules: Rules, round_: int) -> int:
    """The cards in a hand when a round begins, and in a tableau when it ends."""
    return rules.hand_size + round_


@also_compiled
def first_turn(rules: Rules, round_: int) -> int:
    """The turns of a game before a round: each round has one turn less than cards."""
    return round_ * (rules.hand_size - 1) + round_ * (round_ - 1) // 2


@also_compiled
def log_start(rules: Rules, round_: int) -> int:
    """The first log entry of a round: each round before has one entry more than turns."""
    return first_turn(rules, round_) + round_


@also_compiled
def first_draw(rules: Rules, round_: int) -> int:
    """The index in the deck of the first card that is drawn for a round; of the row for round 0."""
    return rules.num_players * cards_of_round(rules, round_)
