"""Takes what the coming turn is expected to bring, and thinks no further.

The value of a card is the sum, over the prizes of the row, of the chance to take the prize and of
its worth: the score card of its column, or of the next empty one, its bonus or malus, and what it
does to the objectives. The chances are those against rivals who play any card of their hands.
"""

from typing import Any

from mindup_agents.heuristics.bot import ForgetfulBot
from mindup_agents.heuristics.card_values import look_at_columns, look_at_objectives, worth
from mindup_agents.heuristics.observed_games import Known, SightTable
from mindup_agents.heuristics.prize_probabilities import expect_any_card, expected_prize
from mindup_agents.heuristics.workspace import Floats, Room, best_card
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.state import Games, Int64Array, Rules


@kernel
def choose_greedily(table: SightTable, room: tuple[Any, ...], actions: Int64Array) -> None:
    """Fills ``actions`` (B,) for the first player of every game."""
    rules, games, known = Rules(*table[0]), Games(*table[1]), Known(*table[2])
    thoughts = Room(*room)
    for row in range(len(actions)):
        look_at_columns(rules, games, row, thoughts)
        look_at_objectives(rules, games, row, 0, thoughts)
        actions[row] = greedy_card(rules, games, known, row, 0, thoughts)


class Greedy(ForgetfulBot):
    _kernel = staticmethod(choose_greedily)


@called
def greedy_card(rules: Rules, games: Games, known: Known, g: int, seat: int, room: Room) -> int:
    """The choice of ``seat``, after a look at the columns and at its objectives."""
    expect_any_card(rules, games, known, g, seat, room)
    greedy_prizes(rules, games, g, seat, room, room.prizes)
    return greediest_card(games.hands[g, seat], room.prizes, room)


@compiled
def greedy_prizes(
    rules: Rules, games: Games, g: int, seat: int, room: Room, prizes: Floats
) -> None:
    """Fills ``prizes`` (num_players,) with what they are worth to ``seat``."""
    for place in range(rules.num_players):
        prizes[place] = worth(rules, seat, games.row[g, place], room)


@compiled
def greediest_card(hand: int, prizes: Floats, room: Room) -> int:
    """The one that is expected to bring most now, by ``room.places``."""
    rest = hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        room.values[card] = expected_prize(card, prizes, room)
    return best_card(hand, room)
