"""What the choice of a card cost: the best card against the one that was played."""

from math import sqrt
from typing import Any, NamedTuple, Self

import numpy as np

from mindup_agents.review.compared_worlds import ComparedWorlds
from mindup_env.engine.state import Int64Array

QUANTILE = 2.576
"""Of 99 % intervals: in a whole game, few choices among equal cards are called mistakes."""
LEAST_MISTAKE = 0.005
"""A smaller difference would be shown as 0 %, and may come from rounding."""
_MOST_EXPECTED = 6
"""Cards of an opponent that a review tells."""


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
    expected: dict[int, dict[int, float]]  # by opponent: its most probable cards of this turn

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
        num_players = compared.opponent_cards.shape[1]
        return cls(
            turn=turn,
            seat=seat,
            played=played + 1,
            best=best + 1,
            win_probability=_probability(win_probability),
            cost=float(differences.mean()),
            margin=QUANTILE * float(differences.std(ddof=1)) / sqrt(len(differences)),
            values={card + 1: _probability(value) for card, value in values.items()},
            expected={
                (seat + after) % num_players: _frequent_cards(compared.opponent_cards[:, after])
                for after in range(1, num_players)
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """The choice as plain data for JSON."""
        return {
            "turn": self.turn,
            "seat": self.seat,
            "played": self.played,
            "best": self.best,
            "win_probability": round(self.win_probability, 4),
            "cost": round(self.cost, 4),
            "margin": round(self.margin, 4),
            "mistake": self.is_mistake,
            "values": {str(card): round(value, 4) for card, value in self.values.items()},
            "expected": {
                str(seat): {str(card): round(share, 3) for card, share in cards.items()}
                for seat, cards in self.expected.items()
            },
        }


def _probability(value: float) -> float:
    """Networks may leave the range of probabilities a little."""
    return min(max(value, 0.0), 1.0)


def _frequent_cards(cards: Int64Array) -> dict[int, float]:
    """The most frequent of cards (worlds,) as card numbers, and how often they were played."""
    numbers, counts = np.unique(cards + 1, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_MOST_EXPECTED]
    return {int(numbers[i]): float(counts[i] / len(cards)) for i in order}
