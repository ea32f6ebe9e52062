"""The bot ``planner``; its formula is in ``heuristics.planner_values``."""

from typing import Any

from mindup_agents.heuristics.bot import StatelessBot
from mindup_agents.heuristics.card_values import update_column_values, update_objective_values
from mindup_agents.heuristics.observed_games import KnownCards, ObservedArrays
from mindup_agents.heuristics.planner_values import planner_card
from mindup_agents.heuristics.workspace import Float64Array, Workspace, with_card_values
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int64Array, Rules


@kernel
def choose_planner_cards(
    arrays: ObservedArrays,
    workspace_: tuple[Any, ...],
    card_values: Float64Array,
    actions: Int64Array,
) -> None:
    """Fills ``actions`` (B,) and ``card_values`` (B, num_cards) for the first players."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    shared = Workspace(*workspace_)
    for g in range(len(actions)):
        workspace = with_card_values(shared, card_values[g])
        update_column_values(rules, games, g, workspace)
        update_objective_values(rules, games, g, 0, workspace)
        actions[g] = planner_card(rules, games, known, g, 0, workspace)


class Planner(StatelessBot):
    """Plays like greedy, but also values later columns, the last card and the next hand and row."""

    _kernel = staticmethod(choose_planner_cards)
