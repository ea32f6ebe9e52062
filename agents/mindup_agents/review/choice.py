"""What the choice of a card cost: the best card against the one that was played.

The cards of a hand are compared in the same sampled games, game by game. The bot itself drops
the worse cards on the way. Here, the games of the first part play all cards of the hand, and those
of the second part only two: the card that was best in the first part, and the card that was played.
So the second part says how much better the one is than the other without the bias of choosing the
highest of several means.
"""

from math import sqrt
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from mindup_agents.champion import Champion
from mindup_agents.champion.evaluation import evaluate_cards
from mindup_agents.heuristics.workspace import Float64Array
from mindup_env.config import GameConfig
from mindup_env.engine.state import Int8Array

QUANTILE = 2.576
"""Of 99 % intervals: in a whole game, few choices among equal cards are called mistakes."""
LEAST_MISTAKE = 0.005
"""A smaller difference would be shown as 0 %, and may come from rounding."""


class ComparedWorlds(NamedTuple):
    """One decision in sampled games. Cards count from 0."""

    cards: tuple[int, ...]  # of the hand, ascending
    all_cards: Float64Array  # (first worlds, cards) win probabilities
    best: int  # the card with the highest mean of these
    best_and_played: Float64Array  # (second worlds, 2) win probabilities


class WorldComparer(Champion):
    """Compares cards for a batch of seats, from the observations of each turn in order.

    Set ``played`` (B,) to the cards that were played before each call of ``act``; ``compared`` then
    has the decision of each row. ``act`` returns the best cards.

    Args:
        config: the game.
        worlds: sampled games per decision; a quarter of them play all cards.
    """

    def __init__(self, config: GameConfig, worlds: int) -> None:
        super().__init__(config, worlds=worlds)
        self._num_first = worlds // 4
        self.played: npt.NDArray[np.integer] = np.zeros(0, np.int64)
        self.compared: dict[int, ComparedWorlds] = {}

    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        arrays, worlds = self._sampled_worlds(observation, row_bits), self._worlds
        cards, played = tuple(self._hand(row)), int(self.played[row])
        values = np.zeros((worlds, self._config.num_cards))
        given, end = (arrays, row, row_bits), self._num_first
        evaluate_cards(*given, (0, end), self._decay, sum(1 << card for card in cards), values)
        best = cards[int(values[:end, cards].mean(axis=0).argmax())]
        evaluate_cards(*given, (end, worlds), self._decay, 1 << best | 1 << played, values)
        first, second = values[:end], values[end:]
        compared = ComparedWorlds(cards, first[:, cards], best, second[:, [best, played]])
        self.compared[row] = compared
        return best


class Choice(NamedTuple):
    """A decision of one seat. Win probabilities are those that it could estimate then."""

    turn: int  # turns played before
    seat: int
    played: int  # card numbers
    best: int
    win_probability: float  # with the best card
    cost: float  # how much more the best card wins than the card played, on average
    margin: float  # half the width of the 99 % interval of the cost
    values: dict[int, float]  # the win probability of each card of the hand

    @property
    def is_mistake(self) -> bool:
        """Whether the interval of the cost excludes 0."""
        return self.cost - self.margin > 0 and self.cost >= LEAST_MISTAKE

    @classmethod
    def of(cls, compared: ComparedWorlds, played: int, turn: int, seat: int) -> Self:
        """The choice of the card ``played`` (from 0) at a seat."""
        best, second = compared.best, compared.best_and_played
        differences = second[:, 0] - second[:, 1]
        win_probability = float(second[:, 0].mean())
        # A card keeps the distance to the best one that it had where both were played.
        means = compared.all_cards.mean(axis=0)
        shifted = means - means[compared.cards.index(best)] + win_probability
        values = dict(zip(compared.cards, shifted.tolist(), strict=True))
        values[played] = float(second[:, 1].mean())
        return cls(
            turn=turn,
            seat=seat,
            played=played + 1,
            best=best + 1,
            win_probability=_probability(win_probability),
            cost=float(differences.mean()),
            margin=QUANTILE * float(differences.std(ddof=1)) / sqrt(len(differences)),
            values={card + 1: _probability(value) for card, value in values.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """The choice as plain data for JSON."""
        return {
            **{name: getattr(self, name) for name in ("turn", "seat", "played", "best")},
            **{
                name: round(getattr(self, name), 4)
                for name in ("win_probability", "cost", "margin")
            },
            "mistake": self.is_mistake,
            "values": _plain(self.values, 4),
        }


def _plain(cards: dict[int, float], digits: int) -> dict[str, float]:
    return {str(card): round(value, digits) for card, value in cards.items()}


def _probability(value: float) -> float:
    """Networks may leave the range of probabilities a little."""
    return min(max(value, 0.0), 1.0)
