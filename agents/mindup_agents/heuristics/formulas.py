"""The formulas of ``greedy`` and ``planner`` as models of a seat, and the bots that play them."""

from typing import Any

from mindup_agents.heuristics.bot import HeuristicBot
from mindup_agents.heuristics.card_values import update_column_values, update_objective_values
from mindup_agents.heuristics.greedy_values import greedy_card
from mindup_agents.heuristics.observed_games import KnownCards, ObservedArrays
from mindup_agents.heuristics.opponent_model import GREEDY
from mindup_agents.heuristics.planner_values import planner_card
from mindup_agents.heuristics.workspace import Float64Array, Workspace, with_card_values
from mindup_env.agent import ActArguments
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import Games, Int64Array, Rules


@compiled
def formula_card(
    rules: Rules,
    games: Games,
    known: KnownCards,
    g: int,
    seat: int,
    model: int,
    workspace: Workspace,
) -> int:
    """The card that a formula plays for ``seat``: greedy's, or planner's for any other model.

    The column values are up to date in the workspace.
    """
    update_objective_values(rules, games, g, seat, workspace)
    if model == GREEDY:
        return greedy_card(rules, games, known, g, seat, workspace)
    return planner_card(rules, games, known, g, seat, workspace)


@kernel
def choose_by_formula(
    arrays: ObservedArrays,
    workspace_: tuple[Any, ...],
    model: int,
    card_values: Float64Array,
    actions: Int64Array,
) -> None:
    """Fills ``actions`` (B,) and ``card_values`` (B, num_cards) for the first players."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    shared = Workspace(*workspace_)
    for g in range(len(actions)):
        workspace = with_card_values(shared, card_values[g])
        update_column_values(rules, games, g, workspace)
        actions[g] = formula_card(rules, games, known, g, 0, model, workspace)


class FormulaBot(HeuristicBot):
    """Chooses by the formula of a model alone, without memory and without randomness."""

    _model: int

    def _choose(self, given: ActArguments, actions: Int64Array) -> None:  # noqa: ARG002  # read before
        choose_by_formula(self._arrays, self._workspace, self._model, self._card_values, actions)
