"""The bot that takes what the coming turn is expected to bring, and thinks no further."""

from typing import Any

from mindup_agents.heuristics.bot import StatelessBot
from mindup_agents.heuristics.card_values import look_at_columns, look_at_objectives
from mindup_agents.heuristics.greedy_values import greedy_card
from mindup_agents.heuristics.observed_games import Known, ObservedArrays
from mindup_agents.heuristics.workspace import Workspace
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int64Array, Rules


@kernel
def choose_greedily(
    arrays: ObservedArrays, workspace: tuple[Any, ...], actions: Int64Array
) -> None:
    """Fills ``actions`` (B,) for the first player of every game."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    workspace = Workspace(*workspace)
    for row in range(len(actions)):
        look_at_columns(rules, games, row, workspace)
        look_at_objectives(rules, games, row, 0, workspace)
        actions[row] = greedy_card(rules, games, known, row, 0, workspace)


class Greedy(StatelessBot):
    """Plays the card with the highest expected points, against uniformly random opponents."""

    _kernel = staticmethod(choose_greedily)
