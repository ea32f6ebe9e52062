"""The three kinds of chance draws: cards, score cards and objectives.

A kind knows how many draws a round needs before it can begin, and the exact probability of every
outcome. Outcomes count from 0. Outcomes that make no difference to the game are one outcome.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import comb
from typing import Protocol

from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine import kernels
from mindup_env.objectives import NUM_OBJECTIVES, OBJECTIVES

Drawn = tuple[int, ...]
Outcomes = list[tuple[int, float]]
"""(outcome, probability), by ascending outcome."""


class ChanceDraws(Protocol):
    """One kind of draws."""

    size: int
    """An exclusive upper bound of the outcomes."""

    def needed(self, rounds: int) -> int:
        """How many draws the first ``rounds`` rounds need."""
        ...

    def outcomes(self, drawn: Drawn) -> Outcomes:
        """The outcomes of the next draw."""
        ...

    def name(self, outcome: int) -> str:
        """An outcome in words."""
        ...


class CardDraws:
    """The hands, the first row, and the cards drawn for later rounds, in the order of ``Deal``.

    The cards of a first hand, or of the row, are drawn in ascending order, each with the
    probability that it is the next lowest. So every hand is one path, and all are equally likely.
    """

    def __init__(self, config: GameConfig) -> None:
        self.size = config.num_cards
        self._config = config
        self._dealt = config.num_players * config.hand_size
        self._with_row = self._dealt + config.num_players

    def needed(self, rounds: int) -> int:
        return self._with_row + self._config.num_players * (rounds - 1)

    def outcomes(self, drawn: Drawn) -> Outcomes:
        before, missing = self._in_set(len(drawn))
        lowest = drawn[-1] + 1 if before else 0
        candidates = [card for card in self._undrawn(drawn) if card >= lowest]
        ways = comb(len(candidates), missing)
        return [
            (card, comb(higher, missing - 1) / ways)
            for higher, card in zip(reversed(range(len(candidates))), candidates, strict=True)
            if higher >= missing - 1
        ]

    def name(self, outcome: int) -> str:
        return str(self._config.deck[outcome + 1])

    def deck(self, drawn: Drawn) -> list[int]:
        """All card numbers; those not drawn yet come last, ascending."""
        return [card + 1 for card in (*drawn, *self._undrawn(drawn))]

    def _undrawn(self, drawn: Drawn) -> list[int]:
        gone = set(drawn)
        return [card for card in range(self.size) if card not in gone]

    def _in_set(self, index: int) -> tuple[int, int]:
        """How many cards its hand or row has before draw ``index``, and how many it still needs."""
        if index < self._dealt:
            size, before = self._config.hand_size, index % self._config.hand_size
        elif index < self._with_row:
            size, before = self._config.num_players, index - self._dealt
        else:
            size, before = 1, 0
        return before, size - before


class ScoreCardDraws:
    """For each round the score cards of its columns, left to right.

    Columns that no tableau of the round can reach are not drawn, nor is the fifth column, which
    follows from the others.
    """

    size = len(SCORE_CARDS)

    def __init__(self, config: GameConfig, order: Sequence[int] | None) -> None:
        self._order = SCORE_CARDS if order is None else tuple(order)
        most = min(len({card.colour for card in config.deck}), len(SCORE_CARDS) - 1)
        draws_per_round = [
            min(most, config.hand_size + earlier) if order is None else 0
            for earlier in range(config.num_rounds)
        ]
        self._starts = [0, *accumulate(draws_per_round)]

    def needed(self, rounds: int) -> int:
        return self._starts[rounds]

    def outcomes(self, drawn: Drawn) -> Outcomes:
        begun = max(start for start in self._starts if start <= len(drawn))
        left = [card for card in range(self.size) if card not in drawn[begun:]]
        return [(card, 1 / len(left)) for card in left]

    def name(self, outcome: int) -> str:
        return f"score card {SCORE_CARDS[outcome]}"

    def orders(self, drawn: Drawn) -> list[tuple[int, ...]]:
        """The score cards of all rounds; those not drawn are in the fixed or any other order."""
        orders = []
        for start, end in zip(self._starts, self._starts[1:], strict=False):
            values = tuple(SCORE_CARDS[card] for card in drawn[start:end])
            orders.append((*values, *(card for card in self._order if card not in values)))
        return orders


class ObjectiveDraws:
    """The objectives of each round, or of the first one if they stay for the game."""

    size = NUM_OBJECTIVES

    def __init__(self, config: GameConfig) -> None:
        self._config = config

    def needed(self, rounds: int) -> int:
        return self._config.num_objectives * (rounds if self._config.objectives_renewed else 1)

    def outcomes(self, drawn: Drawn) -> Outcomes:
        begun = len(drawn) - len(drawn) % self._config.num_objectives
        earlier, shown = (
            sum(1 << each for each in part) for part in (drawn[:begun], drawn[begun:])
        )
        candidates = int(kernels.next_objectives(earlier, shown))
        left = [objective for objective in range(self.size) if (candidates >> objective) & 1]
        return [(objective, 1 / len(left)) for objective in left]

    def name(self, outcome: int) -> str:
        return OBJECTIVES[outcome].id

    def shown(self, drawn: Drawn) -> list[list[str]]:
        """The ids of the objectives of all rounds; those not drawn yet are any possible ones."""
        rounds, number = self._config.num_rounds, self._config.num_objectives
        while len(drawn) < self.needed(rounds):
            drawn = (*drawn, self.outcomes(drawn)[0][0])
        step = number if self._config.objectives_renewed else 0
        return [
            [OBJECTIVES[each].id for each in drawn[step * round_ :][:number]]
            for round_ in range(rounds)
        ]
