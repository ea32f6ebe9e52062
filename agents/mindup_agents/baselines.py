"""The baselines: ``greedy`` and ``planner`` choose by a formula, ``predictor`` by predictions too.

``heuristics.formulas`` explains the formulas. ``predictor`` uses that of planner. Each turn it
samples the hidden cards 32 times. In each sample, the cards that ``greedy`` and ``planner`` would
play are computed for every opponent, from what that opponent knows. The probabilities of the prizes
follow from these cards instead of uniformly random ones. The probability of each model for an
opponent starts at 0.2 for random play, 0.3 for greedy and 0.5 for planner, and is updated by Bayes'
rule with the cards that the opponent plays.
"""

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.bot import HeuristicBot
from mindup_agents.heuristics.card_values import (
    HandValues,
    Workspace,
    best_card,
    fill_objective_gains,
    value_columns,
)
from mindup_agents.heuristics.formulas import GREEDY, PLANNER, formula_values, own_planner_values
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_agents.heuristics.predictions import (
    OpponentBeliefs,
    fill_predicted_probabilities,
    make_opponent_beliefs,
    predict_cards,
    update_beliefs,
)
from mindup_env.agent import ActArguments
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled, scalar_kernel, typed_once
from mindup_env.engine.state import Float64Array, Int64Array

PRIOR = 0.2, 0.3, 0.5  # the probabilities of random, greedy and planner before any play
NUM_SAMPLES = 32


class Greedy(HeuristicBot):
    """Plays the card with the highest expected points, against uniformly random opponents."""

    _model = GREEDY

    def _choose(self, given: ActArguments, actions: Int64Array) -> None:  # noqa: ARG002  # read before
        choose_by_formula(self._known, self._workspace, self._model, self._card_values, actions)


class Planner(Greedy):
    """Plays like greedy, but also values later columns, the last card and the next hand and row."""

    _model = PLANNER


class Predictor(HeuristicBot):
    """Plays like planner, but predicts the opponents' cards, by models fitted to their plays."""

    def _allocate(self, rows: int) -> None:
        super()._allocate(rows)
        self.beliefs = make_opponent_beliefs(self._config, rows, NUM_SAMPLES, PRIOR)

    def predict_cards(self) -> Float64Array:
        """The probability of each card of each opponent (B, opponents, cards)."""
        now = self.beliefs.model_probabilities[:, 1:], self.beliefs.card_probabilities[:, 1:]
        predicted: Float64Array = np.einsum("gom,gomc->goc", *now)
        return predicted

    def _choose(self, given: ActArguments, actions: Int64Array) -> None:
        self.beliefs.model_probabilities[given.episode_start] = 0
        choose_by_prediction(
            self._known,
            self._workspace,
            self.beliefs,
            given.random_bits,
            self._card_values,
            actions,
        )


@typed_once
@scalar_kernel
def choose_by_formula(
    known: KnownGames,
    workspace: Workspace,
    model: int,
    card_values: Float64Array,
    actions: Int64Array,
) -> None:
    """Fills ``actions`` (B,) and ``card_values`` (B, num_cards) for the first players."""
    for g in range(len(actions)):
        columns = value_columns(known.rules, known.games, g, workspace.columns)
        values = formula_values(known, g, 0, model, columns, workspace)
        actions[g] = choose_best(known.games.hands[g, 0], values, card_values[g])


@typed_once
@scalar_kernel
def choose_by_prediction(
    known: KnownGames,
    workspace: Workspace,
    beliefs: OpponentBeliefs,
    random_bits: npt.NDArray[np.uint64],
    card_values: Float64Array,
    actions: Int64Array,
) -> None:
    """The same, after what they believe was updated by the cards of the last turn."""
    for g in range(len(actions)):
        update_beliefs(known.games, g, beliefs)
        columns = predict_cards(known, g, known, random_bits[g], workspace, beliefs)
        fill_predicted_probabilities(known.rules, known.games, g, workspace.hand, beliefs)
        fill_objective_gains(known.rules, known.games, g, 0, workspace.seats)
        values = own_planner_values(known, g, 0, columns, workspace)
        actions[g] = choose_best(known.games.hands[g, 0], values, card_values[g])


@compiled
def choose_best(hand: int, values: HandValues, card_values: Float64Array) -> int:
    """The best card of a hand; copies the values of all its cards to ``card_values``."""
    for card in bitset.members(hand):
        card_values[card] = values.totals[card]
    return best_card(hand, values.totals)
