"""The bot ``champion``, which plays every card in sampled games that trained networks value.

The games agree with everything that the seat knows, as those of the bot ``search`` do, and are the
same for all cards. The opponents' cards of the turn are drawn from models, weighted by Bayes' rule:
random, greedy, planner, and networks that imitate stronger bots. See ``evaluation`` for the rest.
"""

from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

from mindup_agents.champion.dropping import kept_cards, stages
from mindup_agents.champion.evaluation import evaluate_cards
from mindup_agents.champion.last_turn import keep_games, make_games_before
from mindup_agents.champion.networks import load_networks
from mindup_agents.champion.opponents import judge_models
from mindup_agents.champion.seat_networks import SeatNetworks, make_seat_networks
from mindup_agents.heuristics.bot import SearchingBot
from mindup_agents.heuristics.playout import SampledArrays
from mindup_agents.weights import weights_file
from mindup_env.config import GameConfig
from mindup_env.engine.state import Games, Int8Array
from mindup_env.settings.checks import check_int

_WORLDS_PER_CALL = 8
"""With a time limit, which is checked between calls."""
_IS_COMPUTED = SeatNetworks._fields.index("is_computed")


class Champion(SearchingBot):
    """Plays the card that wins most in many short sampled games, which trained networks value.

    Args:
        config: the game
        worlds: most sampled games per decision
        decay: probability that a sampled game goes on after each of its turns, from 0 (the network
            values the position after this turn) to 1 (at the end of the round)
        models: models of the opponents, joined by `+`; by default all, equally likely at first
        time_limit: seconds per decision, 0 for none; results then depend on the machine
        networks: file of the networks; by default that of the package
    """

    def __init__(
        self,
        config: GameConfig,
        *,
        worlds: int = 512,
        decay: float = 0.85,
        models: str = "",
        time_limit: float = 0.0,
        networks: str = "",
    ) -> None:
        check_int("worlds", worlds, 1)
        if not 0 <= decay <= 1:
            raise ValueError(f"decay must be a number from 0 to 1, not {decay}")
        path = Path(networks) if networks else weights_file("champion", config)
        prior, tensors = load_networks(config, path, models)
        self._networks = make_seat_networks(config, tensors)
        self._worlds, self._decay = worlds, float(decay)
        self._stages = stages(worlds)
        super().__init__(config, prior, time_limit)

    def _allocate(self, rows: int) -> None:
        super()._allocate(rows)
        self._before = make_games_before(self._config, rows)

    def _update_beliefs(self, random_bits: npt.NDArray[np.uint64]) -> None:
        now, before = self._arrays, self._before
        judge_models(now, before, self._networks, tuple(self._beliefs), random_bits)
        keep_games(now, before)

    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        """The best card. After each stage, cards are dropped."""
        end_time = perf_counter() + (self._time_limit or np.inf)
        cards, worlds = self._hand(row), self._worlds
        arrays = self._sampled_worlds(observation, row_bits)
        step = _WORLDS_PER_CALL if self._time_limit else worlds
        ends = sorted({*range(step, worlds, step), *self._stages})
        values = np.zeros((worlds, self._config.num_cards))
        played = dict.fromkeys(cards, worlds)  # in how many worlds each card was played
        for first, end in zip([0, *ends], ends, strict=False):
            candidates = sum(1 << card for card in cards)
            evaluate_cards(arrays, row, row_bits, (first, end), self._decay, candidates, values)
            is_late = perf_counter() > end_time
            if end in self._stages or is_late:
                played.update(dict.fromkeys(cards, end))
                cards = [cards[i] for i in kept_cards(values[:end].take(cards, axis=1), worlds)]
            if is_late or len(cards) == 1:
                break
        best = cards[-1]
        value = values[: played[best], best].mean()
        for card, end in played.items():
            # A dropped card keeps its distance to the best one in the worlds that both played.
            distance = (values[:end, card] - values[:end, best]).mean()
            self._card_values[row, card] = np.clip(value + distance, 0, 1)
        return best

    def _hand(self, row: int) -> list[int]:
        hand = int(self._arrays[1][Games._fields.index("hands")][row, 0])
        return [card for card in range(self._config.num_cards) if hand >> card & 1]

    def _sampled_worlds(self, observation: Int8Array, row_bits: np.uint64) -> SampledArrays:
        """What kernels take, with a hidden part of the game for each of the worlds."""
        rng = np.random.default_rng(int(row_bits))
        self._networks[_IS_COMPUTED][...] = False
        sampled = self._sampled_games(observation, self._worlds, rng)
        return *sampled, self._networks, tuple(self._beliefs)
