"""Planner, but the others are expected to play as greedy and planner do in sampled worlds.

Each turn the hidden cards are dealt in 32 ways; in each of them every rival's card by greedy and
by planner is found, seen with that rival's eyes. The chance of a prize comes from these cards
instead of from any card of the hands. How much of each model, and of random play, a rival gets
begins with 0.2 random, 0.3 greedy and 0.5 planner, and follows Bayes' rule with what it plays.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.bot import HeuristicBot
from mindup_agents.heuristics.card_values import look_at_objectives
from mindup_agents.heuristics.observed_games import Known, ObservedArrays
from mindup_agents.heuristics.opponent_model import (
    Forecast,
    expect_forecast,
    foresee,
    learn,
    make_forecast,
)
from mindup_agents.heuristics.planner_values import plan, planner_values
from mindup_agents.heuristics.workspace import Workspace, best_card
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int64Array, Rules

WORLDS = 32
FIRST_BELIEF = 0.2, 0.3, 0.5


class Predictor(HeuristicBot):
    """Plays like planner, but predicts the opponents' cards, by models fitted to their plays."""

    def _make_memory(self, rows: int) -> None:
        super()._make_memory(rows)
        self._forecast = make_forecast(self._config, rows, WORLDS, FIRST_BELIEF)

    def _choose(
        self,
        observation: npt.NDArray[np.int8],  # noqa: ARG002
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        actions: Int64Array,
    ) -> None:
        self._forecast.belief[episode_start] = 0
        choose_by_forecast(
            self._arrays, self._workspace, tuple(self._forecast), random_bits, actions
        )


@kernel
def choose_by_forecast(
    arrays: ObservedArrays,
    workspace: tuple[Any, ...],
    memory: tuple[Any, ...],
    random_bits: npt.NDArray[np.uint64],
    actions: Int64Array,
) -> None:
    """Fills ``actions`` (B,) for the first player of every game."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    workspace, forecast = Workspace(*workspace), Forecast(*memory)
    for row in range(len(actions)):
        learn(games, row, forecast)
        foresee(rules, games, known, row, random_bits[row], workspace, forecast)
        expect_forecast(rules, games, row, workspace, forecast)
        look_at_objectives(rules, games, row, 0, workspace)
        hand = games.hands[row, 0]
        plan(rules, games, row, 0, hand, bitset.size(hand), workspace)
        planner_values(hand, workspace)
        actions[row] = best_card(hand, workspace)
