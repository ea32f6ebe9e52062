"""The bot ``search``: plays every card in sampled games and chooses the best.

The games agree with everything that the seat knows (``mindup_env.belief``), and are the same for
all cards. In each game, a model (random, greedy or planner) plays each opponent; it is drawn by how
well it explains the opponent's cards so far. The bot's own later turns are planner's. The position
at the end of the round is valued by its win probability.
"""

from time import perf_counter

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.bot import SearchingBot
from mindup_agents.heuristics.formulas import MODELS
from mindup_agents.heuristics.opponent_model import read_prior, update_all_beliefs
from mindup_agents.search.kernels import evaluate_hand
from mindup_env.config import GameConfig
from mindup_env.engine.state import Int8Array
from mindup_env.settings.checks import check_int

_SIMULATIONS_PER_CALL = 8
"""With a time limit, which is checked between calls."""


class Search(SearchingBot):
    """Plays every card of the hand in sampled games, and chooses the one that wins most often.

    Args:
        config: the game
        simulations: sampled games per decision
        models: models of the opponents, joined by `+`; all are equally likely at first
        time_limit: seconds per decision, 0 for none; results then depend on the machine
    """

    def __init__(
        self,
        config: GameConfig,
        *,
        simulations: int = 96,
        models: str = "random+greedy+planner",
        time_limit: float = 0.0,
    ) -> None:
        self._simulations = check_int("simulations", simulations, 1)
        super().__init__(config, read_prior(models, MODELS), time_limit)

    def _update_beliefs(self, random_bits: npt.NDArray[np.uint64]) -> None:
        update_all_beliefs(self._arrays, self._workspace, tuple(self._beliefs), random_bits)

    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        end_time = perf_counter() + (self._time_limit or np.inf)
        rng = np.random.default_rng(int(row_bits))
        arrays = *self._sampled_games(observation, self._simulations, rng), self._workspace
        probabilities = self._beliefs.model_probabilities[row]
        totals = np.zeros(self._config.num_cards)
        step = _SIMULATIONS_PER_CALL if self._time_limit else self._simulations
        for first in range(0, self._simulations, step):
            end = min(first + step, self._simulations)
            evaluate_hand(arrays, row, probabilities, row_bits, (first, end), totals)
            if perf_counter() > end_time:
                break
        self._card_values[row] = totals / end
        return int(totals.argmax())
