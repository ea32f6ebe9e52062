"""Tries every card in sampled games, and plays the one that wins most of them.

The games agree with all that the seat knows (``mindup_env.belief``), and are the same for all
cards. In each, every rival is played by a model (random, greedy or planner) drawn by how well it
explains what the rival has played, with a slip now and then; the bot's own later turns are
planner's. The end of the round, or of the game, is valued as a chance to win.
"""

from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CHANCE, ODDS
from mindup_agents.heuristics.bot import HeuristicBot
from mindup_agents.heuristics.observed_games import Known, ObservedArrays, make_known
from mindup_agents.heuristics.opponent_model import MODELS, Forecast, foresee, learn, make_forecast
from mindup_agents.heuristics.playout import make_trial
from mindup_agents.heuristics.workspace import Floats, Workspace
from mindup_agents.search.flat_monte_carlo import SearchArrays, try_cards
from mindup_agents.search.regret_matching import match_regrets
from mindup_env.belief import sample
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int64Array, Rules, make_games

HORIZONS = "round", "game"
BELIEF_WORLDS = 16
_STEP = 8
"""Sampled games between two looks at the clock."""


class Search(HeuristicBot):
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
            raise ValueError(f"horizon must be {' or '.join(HORIZONS)}, not {horizon!r}")
        if not 0 <= slip <= 1:
            raise ValueError(f"slip must be from 0 to 1, not {slip}")
        if time_limit < 0:
            raise ValueError(f"time_limit must be seconds, or 0 for none, not {time_limit}")
        self._simulations = check_int("simulations", simulations, 1)
        self._first_belief = _first_belief(models)
        self._simultaneous = simultaneous
        self._time_limit = time_limit
        rounds = 1 if horizon == "round" else config.num_rounds
        self._trial = tuple(make_trial(config, float(slip), rounds))
        self._known = tuple(make_known(config, 1))
        self._game = tuple(make_games(config, 1))
        self._evaluated = np.zeros(config.num_cards)
        super().__init__(config)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        return ODDS if self._simultaneous else CHANCE, self._evaluated

    def _make_memory(self, rows: int) -> None:
        super()._make_memory(rows)
        self._forecast = make_forecast(self._config, rows, BELIEF_WORLDS, self._first_belief)

    def _choose(
        self,
        observation: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        actions: Int64Array,
    ) -> None:
        self._forecast.belief[episode_start] = 0
        look_back(self._arrays, self._workspace, tuple(self._forecast), random_bits)
        hands = self._arrays[1][Games._fields.index("hands")][:, 0]
        for row, hand in enumerate(hands.tolist()):
            if hand.bit_count() > 1:
                belief = self._forecast.belief[row]
                actions[row] = self._search(observation[row], belief, random_bits[row])
            else:
                actions[row] = max(hand.bit_length() - 1, 0)

    def _search(self, seen: npt.NDArray[np.int8], belief: Floats, row_bits: np.uint64) -> int:
        started = perf_counter()
        rng = np.random.default_rng(int(row_bits))
        worlds = sample(seen, self._config, self._simulations, rng)
        arrays: SearchArrays = (
            self._arrays[0],
            tuple(worlds.games),
            self._game,
            self._known,
            self._trial,
            self._workspace,
        )
        regrets = np.zeros((self._config.num_players, self._config.num_cards))
        scores = np.zeros(self._config.num_cards)
        for first in range(0, self._simulations, _STEP):
            end = min(first + _STEP, self._simulations)
            if self._simultaneous:
                match_regrets(arrays, belief, row_bits, first, end, regrets, scores)
            else:
                try_cards(arrays, belief, row_bits, first, end, scores)
            if self._time_limit and perf_counter() - started > self._time_limit:
                break
        self._evaluated[:] = scores / end
        if self._simultaneous:
            return int(rng.choice(len(scores), p=scores / scores.sum()))
        return int(scores.argmax())


def _first_belief(models: str) -> tuple[float, ...]:
    names = models.split("+")
    unknown = [name for name in names if name not in MODELS]
    if unknown:
        raise ValueError(f"models are {', '.join(MODELS)}, joined by +; not {', '.join(unknown)}")
    return tuple((name in names) / len(set(names)) for name in MODELS)


@kernel
def look_back(
    arrays: ObservedArrays,
    workspace: tuple[Any, ...],
    memory: tuple[Any, ...],
    random_bits: npt.NDArray[np.uint64],
) -> None:
    """Learns from what was played how the rivals of each first player play."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    workspace, forecast = Workspace(*workspace), Forecast(*memory)
    for row in range(len(random_bits)):
        learn(games, row, forecast)
        foresee(rules, games, known, row, random_bits[row], workspace, forecast)
