"""The bot that plays every card in sampled games, which trained networks value.

The games agree with everything that the seat knows, as those of the bot ``search`` do, and are the
same for all cards. The opponents' cards of the turn are drawn from models, weighted by Bayes' rule:
random, greedy, planner, and networks that imitate stronger bots. See ``evaluation`` for the rest.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import WIN_PROBABILITY
from mindup_agents.heuristics.bot import SearchingBot
from mindup_agents.heuristics.last_turn import keep_games, make_games_before
from mindup_agents.heuristics.opponent_model import believed_plays
from mindup_agents.heuristics.playout import SampledArrays, make_playout_state
from mindup_agents.heuristics.workspace import Float64Array
from mindup_agents.lookahead.evaluation import evaluate_cards
from mindup_agents.lookahead.network_folder import load_networks
from mindup_agents.lookahead.opponents import judge_models, predict_all_cards
from mindup_agents.lookahead.seat_networks import SeatNetworks, make_seat_networks
from mindup_env.config import GameConfig
from mindup_env.engine.state import Games, Int8Array

SLIP = 0.05
"""The probability that an opponent plays a random card instead of its model's."""
_WORLDS_PER_CALL = 8
"""With a time limit, which is checked between calls."""
_IS_COMPUTED = SeatNetworks._fields.index("is_computed")


class Schedule(NamedTuple):
    """How a bot uses the worlds."""

    ends_early: bool
    """Value each world once, after a turn that is drawn by its weight, not after all turns."""
    stages: Callable[[int], list[int]]
    """After how many worlds cards are dropped, given their number, which comes last."""
    ranked: Callable[[Float64Array, int], list[int]]
    """Which cards are kept, the best one last, given values (worlds, cards) and all worlds."""


class LookaheadBot(SearchingBot):
    """Plays the card with the highest value, with at least one world; see ``Champion``.

    Args:
        config: the game
        networks: folder of the networks
        worlds: sampled games per decision
        decay: weight of what a sampled game shows after a turn more
        schedule: how it uses the worlds
        models: models of the opponents, joined by `+`; all if it is empty
        time_limit: seconds per decision, 0 for none
    """

    def __init__(
        self,
        config: GameConfig,
        networks: Path,
        *,
        worlds: int,
        decay: float,
        schedule: Schedule,
        models: str = "",
        time_limit: float = 0.0,
    ) -> None:
        loaded = load_networks(config, networks, models)
        self._networks = make_seat_networks(config, loaded.tensors)
        self._weights = float(decay), schedule.ends_early
        self._stages, self._ranked = schedule.stages(worlds), schedule.ranked
        step = _WORLDS_PER_CALL if time_limit else worlds
        ends = sorted({*range(step, worlds, step), *self._stages})
        self._parts = list(zip([0, *ends], ends, strict=False))
        playout = make_playout_state(config, SLIP, num_rounds=1)
        super().__init__(config, loaded.prior, playout, time_limit)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        return WIN_PROBABILITY, self._card_values

    def predict_plays(self) -> npt.NDArray[np.floating]:
        beliefs = tuple(self._beliefs)
        predict_all_cards(self._arrays, self._networks, beliefs, self._random_bits)
        return believed_plays(self._beliefs)

    def _allocate(self, rows: int) -> None:
        super()._allocate(rows)
        self._before = make_games_before(self._config, rows)

    def _update_beliefs(self, random_bits: npt.NDArray[np.uint64]) -> None:
        now, before, self._random_bits = self._arrays, self._before, random_bits.copy()
        judge_models(now, before, self._networks, tuple(self._beliefs), random_bits)
        keep_games(now, before)

    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        """The best card. After each stage, cards are dropped."""
        end_time = perf_counter() + (self._time_limit or np.inf)
        hand = int(self._arrays[1][Games._fields.index("hands")][row, 0])
        cards = [card for card in range(self._config.num_cards) if hand >> card & 1]
        worlds, arrays = self._stages[-1], self._worlds(observation, row_bits)
        values = np.zeros((worlds, self._config.num_cards))
        played = dict.fromkeys(cards, worlds)  # in how many worlds each card was played
        for first, end in self._parts:
            candidates = sum(1 << card for card in cards)
            evaluate_cards(arrays, row, row_bits, (first, end), self._weights, candidates, values)
            is_late = perf_counter() > end_time
            if end in self._stages or is_late:
                played.update(dict.fromkeys(cards, end))
                cards = [cards[i] for i in self._ranked(values[:end].take(cards, axis=1), worlds)]
            if is_late or len(cards) == 1:
                break
        best = cards[-1]
        value = values[: played[best], best].mean()
        for card, end in played.items():
            # A dropped card keeps its distance to the best one in the worlds that both played.
            distance = (values[:end, card] - values[:end, best]).mean()
            self._card_values[row, card] = np.clip(value + distance, 0, 1)
        return best

    def _worlds(self, observation: Int8Array, row_bits: np.uint64) -> SampledArrays:
        """What kernels take, with a hidden part of the game for each of the worlds."""
        rng = np.random.default_rng(int(row_bits))
        self._networks[_IS_COMPUTED][...] = False
        sampled = self._sampled_games(observation, self._stages[-1], rng)
        return *sampled, self._networks, tuple(self._beliefs)
