"""Takes what the coming turn is expected to bring, and thinks no further.

The value of a card is the sum, over the prizes of the row, of the chance to take the prize and of
its worth: the score card of its column, or of the next empty one, its bonus or malus, and what it
does to the objectives. The chances are those against rivals who play any card of their hands.
"""

from mindup_agents.heuristics.card_values import worth
from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.prize_probabilities import expect_any_card, expected_prize
from mindup_agents.heuristics.workspace import Floats, Workspace, best_card
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Games, Rules


@called
def greedy_card(
    rules: Rules, games: Games, known: Known, g: int, seat: int, workspace: Workspace
) -> int:
    """The choice of ``seat``, after a look at the columns and at its objectives."""
    expect_any_card(rules, games, known, g, seat, workspace)
    greedy_prizes(rules, games, g, seat, workspace, workspace.prizes)
    return greediest_card(games.hands[g, seat], workspace.prizes, workspace)


@compiled
def greedy_prizes(
    rules: Rules, games: Games, g: int, seat: int, workspace: Workspace, prizes: Floats
) -> None:
    """Fills ``prizes`` (num_players,) with what they are worth to ``seat``."""
    for place in range(rules.num_players):
        prizes[place] = worth(rules, seat, games.row[g, place], workspace)


@compiled
def greediest_card(hand: int, prizes: Floats, workspace: Workspace) -> int:
    """The one that is expected to bring most now, by ``workspace.places``."""
    rest = hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        workspace.values[card] = expected_prize(card, prizes, workspace)
    return best_card(hand, workspace)
