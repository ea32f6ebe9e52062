"""The bot ``search``: plays every card in sampled games and chooses the best.

The games agree with everything that the seat knows (``mindup_env.belief``), and are the same for
all cards. In each game, a model (random, greedy or planner) plays each opponent; it is drawn by how
well it explains the opponent's cards so far. The bot's own later turns are planner's. The position
at the end of the round, or the end of the game, is valued by its win probability.
"""

from time import perf_counter

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CARD_PROBABILITY, WIN_PROBABILITY
from mindup_agents.heuristics.bot import SearchingBot
from mindup_agents.heuristics.formulas import MODELS
from mindup_agents.heuristics.opponent_model import (
    believed_plays,
    read_prior,
    update_all_beliefs,
)
from mindup_agents.heuristics.playout import make_playout_state
from mindup_agents.search.kernels import evaluate_hand, match_regrets
from mindup_env.config import GameConfig
from mindup_env.engine.state import Int8Array
from mindup_env.settings.checks import check_int

HORIZONS = "round", "game"
_SIMULATIONS_PER_CALL = 8
"""With a time limit, which is checked between calls."""


class Search(SearchingBot):
    """Plays every card of the hand in sampled games, and chooses the one that wins most often.

    Args:
        config: the game
        simulations: sampled games per decision
        horizon: `round` or `game`: where a sampled game ends; the state is then valued
        models: models of the opponents, joined by `+`; all are equally likely at first
        slip: probability that an opponent plays a random card instead of its model's
        simultaneous: plays the average strategy of regret matching instead of the best card
        time_limit: seconds per decision, 0 for none; results then depend on the machine
    """

    def __init__(
        self,
        config: GameConfig,
        *,
        simulations: int = 96,
        horizon: str = "round",
        models: str = "random+greedy+planner",
        slip: float = 0.05,
        simultaneous: bool = False,
        time_limit: float = 0.0,
    ) -> None:
        if horizon not in HORIZONS:
            raise ValueError(f"horizon must be {' or '.join(map(repr, HORIZONS))}, not {horizon!r}")
        if not 0 <= slip <= 1:
            raise ValueError(f"slip must be a probability from 0 to 1, not {slip}")
        self._simulations = check_int("simulations", simulations, 1)
        self._simultaneous = simultaneous
        rounds = 1 if horizon == "round" else config.num_rounds
        playout = make_playout_state(config, float(slip), rounds)
        super().__init__(config, read_prior(models, MODELS), playout, time_limit)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The win probabilities (B, num_cards) of the cards in each row, or average strategies."""
        unit = CARD_PROBABILITY if self._simultaneous else WIN_PROBABILITY
        return unit, self._card_values

    def predict_plays(self) -> npt.NDArray[np.floating]:
        """By the models, as they explain what each opponent played."""
        return believed_plays(self._beliefs)

    def _update_beliefs(self, random_bits: npt.NDArray[np.uint64]) -> None:
        update_all_beliefs(self._arrays, self._workspace, tuple(self._beliefs), random_bits)

    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        started = perf_counter()
        rng = np.random.default_rng(int(row_bits))
        arrays = *self._sampled_games(observation, self._simulations, rng), self._workspace
        rng.integers(2**64, dtype=np.uint64)  # unused: without it, pinned choices would change
        probabilities = self._beliefs.model_probabilities[row]
        regrets = np.zeros((self._config.num_players, self._config.num_cards))
        totals = np.zeros(self._config.num_cards)
        step = _SIMULATIONS_PER_CALL if self._time_limit else self._simulations
        for first in range(0, self._simulations, step):
            end = min(first + step, self._simulations)
            if self._simultaneous:
                match_regrets(arrays, row, probabilities, row_bits, (first, end), regrets, totals)
            else:
                evaluate_hand(arrays, row, probabilities, row_bits, (first, end), totals)
            if self._time_limit and perf_counter() - started > self._time_limit:
                break
        self._card_values[row] = totals / end
        if self._simultaneous:
            return int(rng.choice(len(totals), p=totals / totals.sum()))
        return int(totals.argmax())
