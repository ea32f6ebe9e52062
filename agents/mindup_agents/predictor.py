"""The bot ``predictor``: planner's formula with predicted cards of the opponents.

Each turn the hidden cards are sampled 32 times. In each sample, the cards that ``greedy`` and
``planner`` would play are computed for every opponent, from what that opponent knows. The
probabilities of the prizes follow from these cards instead of uniformly random ones. The
probability of each model for an opponent starts at 0.2 for random play, 0.3 for greedy and 0.5 for
planner, and is updated by Bayes' rule with the cards that the opponent plays.
"""

from typing import Any

from mindup_agents.heuristics.bot import HeuristicBot
from mindup_agents.heuristics.card_values import update_column_values, update_objective_values
from mindup_agents.heuristics.formulas import (
    update_planner_card_values,
    update_planner_values,
)
from mindup_agents.heuristics.observed_games import ObservedArrays, known_games
from mindup_agents.heuristics.opponent_model import (
    PRIOR,
    OpponentBeliefs,
    make_opponent_beliefs,
    update_all_beliefs,
    update_predicted_probabilities,
)
from mindup_agents.heuristics.workspace import Float64Array, Workspace, best_card, with_card_values
from mindup_env.agent import ActArguments
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int64Array

NUM_SAMPLES = 32


class Predictor(HeuristicBot):
    """Plays like planner, but predicts the opponents' cards, by models fitted to their plays."""

    def _allocate(self, rows: int) -> None:
        super()._allocate(rows)
        self._beliefs = make_opponent_beliefs(self._config, rows, NUM_SAMPLES, PRIOR)

    def _choose(self, given: ActArguments, actions: Int64Array) -> None:
        self._beliefs.model_probabilities[given.episode_start] = 0
        arrays, workspace, beliefs = self._arrays, self._workspace, tuple(self._beliefs)
        update_all_beliefs(arrays, workspace, beliefs, given.random_bits)
        choose_by_prediction(arrays, workspace, beliefs, self._card_values, actions)


@kernel
def choose_by_prediction(
    arrays: ObservedArrays,
    workspace_: tuple[Any, ...],
    beliefs_: tuple[Any, ...],
    card_values: Float64Array,
    actions: Int64Array,
) -> None:
    """Fills ``actions`` (B,) and ``card_values`` (B, num_cards) for the first players."""
    known, shared = known_games(*arrays), Workspace(*workspace_)
    rules, games, beliefs = known.rules, known.games, OpponentBeliefs(*beliefs_)
    for g in range(len(actions)):
        workspace = with_card_values(shared, card_values[g])
        update_column_values(rules, games, g, workspace)
        update_predicted_probabilities(rules, games, g, workspace, beliefs)
        update_objective_values(rules, games, g, 0, workspace)
        hand = games.hands[g, 0]
        update_planner_values(known, g, 0, hand, bitset.size(hand), workspace)
        update_planner_card_values(hand, workspace)
        actions[g] = best_card(hand, workspace)
