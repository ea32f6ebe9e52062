"""The cards of a hand in the same sampled games, game by game: what a review compares.

champion-2 itself keeps sums over its games and drops the worse cards on the way. Here, the games of
the first part play all cards of the hand, and those of the second part only two: the card that was
best in the first part, and the card that was played. So the second part says how much better the
one is than the other without the bias of choosing the highest of several means.
"""

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from mindup_agents.champion_2.bot import LookaheadBot
from mindup_agents.champion_2.lookahead import evaluate_cards
from mindup_agents.heuristics.playout import PlayoutState
from mindup_agents.heuristics.workspace import Float64Array
from mindup_env.config import GameConfig
from mindup_env.engine.state import Games, Int8Array, Int64Array

DECAY = 0.85
"""As in champion-2."""
_HANDS = Games._fields.index("hands")
_FIRST_CARDS = PlayoutState._fields.index("first_cards")


class ComparedWorlds(NamedTuple):
    """One decision in sampled games. Cards count from 0."""

    cards: tuple[int, ...]  # of the hand, ascending
    all_cards: Float64Array  # (first worlds, cards) win probabilities
    best: int  # the card with the highest mean of these
    best_and_played: Float64Array  # (second worlds, 2) win probabilities
    opponent_cards: Int64Array  # (all worlds, num_players) what the opponents play; 0 of the seat


class WorldComparer(LookaheadBot):
    """Compares cards for a batch of seats, from the observations of each turn in order.

    Set ``played`` (B,) to the cards that were played before each call of ``act``; ``compared`` then
    has the decision of each row. ``act`` returns the best cards.

    Args:
        config: the game.
        worlds: sampled games per decision; a quarter of them play all cards.
    """

    def __init__(self, config: GameConfig, worlds: int) -> None:
        super().__init__(config, worlds, DECAY, models="", time_limit=0, networks="")
        self._num_first = worlds // 4
        self.played: npt.NDArray[np.integer] = np.zeros(0, np.int64)
        self.compared: dict[int, ComparedWorlds] = {}

    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        arrays = self._sampled_games(observation, row_bits)
        hand, played = int(self._arrays[1][_HANDS][row, 0]), int(self.played[row])
        cards = tuple(card for card in range(self._config.num_cards) if hand >> card & 1)
        worlds = self._stages[-1]
        values = np.zeros((worlds, self._config.num_cards))
        opponent_cards = np.zeros((worlds, self._config.num_players), np.int64)
        candidates, best = hand, played
        for world in range(worlds):
            if world == self._num_first:
                best = cards[int(values[:world, cards].mean(axis=0).argmax())]
                candidates = 1 << best | 1 << played
            evaluate_cards(
                arrays, row, row_bits, (world, world + 1), self._decay, candidates, values[world]
            )
            opponent_cards[world] = cast("Int64Array", self._playout[_FIRST_CARDS])
        opponent_cards[:, 0] = 0
        first, second = values[: self._num_first], values[self._num_first :]
        compared = first[:, cards], best, second[:, [best, played]], opponent_cards
        self.compared[row] = ComparedWorlds(cards, *compared)
        return best
