"""What each card of the hand may bring, foreseen from models of the others.

The cards of the others are predicted as the bot ``predictor`` predicts them, and what a card is
expected to bring is written down in parts: a network weighs them better than a rule of thumb. On
the table, what matters beyond single cards: scores, columns, prizes, and what others make of them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import Shape
from mindup_agents.features.forecast_cards import write_hand
from mindup_agents.features.forecast_table import write_prizes, write_seats, write_table
from mindup_agents.features.prize_components import (
    NUM_PARTS,
    Floats,
    Parts,
    take_apart,
)
from mindup_agents.heuristics.card_values import look_at_objectives
from mindup_agents.heuristics.observed_games import Known, ObservedGames
from mindup_agents.heuristics.opponent_model import (
    NUM_MODELS,
    Forecast,
    expect_forecast,
    foresee,
    learn,
    make_forecast,
)
from mindup_agents.heuristics.planner_values import plan, planner_values
from mindup_agents.heuristics.workspace import Workspace, make_workspace
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import NUM_COLUMNS, Games, Int8Array, Rules
from mindup_env.objectives import NUM_OBJECTIVES

ForecastArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, Games, Known, Room and Forecast."""

WORLDS = 16
FIRST_BELIEF = 0.2, 0.3, 0.5


def forecast_shape(config: GameConfig) -> Shape:
    players, rivals = config.num_players, config.num_players - 1
    prizes = players * (2 + NUM_PARTS + rivals)
    seats = players * (3 + 2 * NUM_COLUMNS) + rivals * (NUM_MODELS + 2)
    table = config.num_rounds + 2 + NUM_COLUMNS + 3 * NUM_OBJECTIVES + prizes + seats
    card = 4 + NUM_COLOURS + 2 * NUM_PARTS + players + 2 * rivals
    return Shape(table, card, config.largest_hand)


class ForecastFeatures:
    """Expected values of each card, from a forecast of the opponents' cards.

    They come with a summary of scores, columns and prizes instead of the whole observation.
    """

    name = "forecast-1"

    def __init__(self, config: GameConfig) -> None:
        self.shape = forecast_shape(config)
        self._config = config
        self._workspace = tuple(make_workspace(config))
        self._parts = np.zeros((config.num_players + 1, NUM_PARTS))
        self._make_memory(0)

    def _make_memory(self, rows: int) -> None:
        self._observed = ObservedGames(self._config, rows)
        self._forecast = make_forecast(self._config, rows, WORLDS, FIRST_BELIEF)

    def fill(
        self,
        observation: Int8Array,
        action_mask: Int8Array,  # noqa: ARG002  # the hand is in the observation too
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: Floats,
    ) -> None:
        if len(observation) != self._observed.rows:
            self._make_memory(len(observation))
        self._observed.read(observation)
        self._forecast.belief[episode_start] = 0
        fill_forecast(self.arrays, random_bits, self._parts, out)

    @property
    def arrays(self) -> ForecastArrays:
        """What was read and thought last."""
        return (*self._observed.arrays, self._workspace, tuple(self._forecast))


@kernel
def fill_forecast(
    arrays: ForecastArrays,
    random_bits: npt.NDArray[np.uint64],
    parts: Parts,
    out: Floats,
) -> None:
    """Fills ``out`` (B, size); ``parts`` is room for those of the prizes and of a card."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    workspace, forecast = Workspace(*arrays[3]), Forecast(*arrays[4])
    for row in range(len(out)):
        learn(games, row, forecast)
        foresee(rules, games, known, row, random_bits[row], workspace, forecast)
        expect_forecast(rules, games, row, workspace, forecast)
        look_at_objectives(rules, games, row, 0, workspace)
        hand = games.hands[row, 0]
        plan(rules, games, row, 0, hand, bitset.size(hand), workspace)
        planner_values(hand, workspace)
        for place in range(rules.num_players):
            take_apart(rules, games.row[row, place], workspace, parts[place])
        at = write_table(rules, games, row, out[row])
        at = write_prizes(rules, games, row, workspace, parts, out[row], at)
        at = write_seats(rules, games, known, row, forecast, out[row], at)
        write_hand(rules, games, known, row, workspace, parts, out[row, at:])
