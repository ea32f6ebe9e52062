"""The formula of the bot ``greedy``: the expected points of the coming turn.

The value of a card is the sum over the prizes of the row: the probability that the card takes the
prize, times the value of the prize. That value is the score card above the prize's column (or above
the next empty column), plus the bonus of the prize, plus the change in the objective points. The
probabilities assume that every opponent plays a uniformly random card of its hand.
"""

from mindup_agents.heuristics.card_values import card_value
from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.prize_probabilities import (
    expected_prize_value,
    update_uniform_probabilities,
)
from mindup_agents.heuristics.workspace import Float64Array, Workspace, best_card
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games, Rules


@compiled
def greedy_card(
    rules: Rules, games: Games, known: KnownCards, g: int, seat: int, workspace: Workspace
) -> int:
    """The card that ``greedy`` plays for ``seat``.

    The column values, and the objective values of the seat, are up to date in the workspace.
    """
    update_uniform_probabilities(rules, games, known, g, seat, workspace)
    update_greedy_prize_values(rules, games, g, seat, workspace, workspace.prize_values)
    return best_prize_card(games.hands[g, seat], workspace.prize_values, workspace)


@compiled
def update_greedy_prize_values(
    rules: Rules, games: Games, g: int, seat: int, workspace: Workspace, prize_values: Float64Array
) -> None:
    """Fills ``prize_values`` (num_players,) for ``seat``."""
    for place in range(rules.num_players):
        prize_values[place] = card_value(rules, seat, games.row[g, place], workspace)


@compiled
def best_prize_card(hand: int, prize_values: Float64Array, workspace: Workspace) -> int:
    """The card with the highest expected prize, by ``workspace.prize_probabilities``."""
    rest = hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        workspace.card_values[card] = expected_prize_value(card, prize_values, workspace)
    return best_card(hand, workspace)
