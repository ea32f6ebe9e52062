"""The bot that is greedy, and plans for what greed forgets."""

from typing import Any

from mindup_agents.heuristics.bot import StatelessBot
from mindup_agents.heuristics.card_values import look_at_columns, look_at_objectives
from mindup_agents.heuristics.observed_games import Known, ObservedArrays
from mindup_agents.heuristics.planner_values import planner_card
from mindup_agents.heuristics.workspace import Workspace
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int64Array, Rules


@kernel
def choose_by_plan(arrays: ObservedArrays, workspace: tuple[Any, ...], actions: Int64Array) -> None:
    """Fills ``actions`` (B,) for the first player of every game."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    workspace = Workspace(*workspace)
    for row in range(len(actions)):
        look_at_columns(rules, games, row, workspace)
        look_at_objectives(rules, games, row, 0, workspace)
        actions[row] = planner_card(rules, games, known, row, 0, workspace)


class Planner(StatelessBot):
    """Plays like greedy, but also values later columns, the last card and the next hand and row."""

    _kernel = staticmethod(choose_by_plan)
