"""The piles that chance draws from. Each knows how many draws it takes to begin a round.

What is drawn is a tuple of outcomes, which count from 0. The outcomes that may come next have exact
odds, and nothing that makes no difference to the game is told apart.
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
"""Each with its odds, ascending."""


class Pile(Protocol):
    size: int
    """More than any outcome."""

    def needed(self, rounds: int) -> int:
        """How many draws it takes until the first ``rounds`` rounds can be played."""
        ...

    def outcomes(self, drawn: Drawn) -> Outcomes:
        """What may be drawn next."""
        ...

    def name(self, outcome: int) -> str: ...


class Cards:
    """The hands, the first row, and the cards drawn for later rounds, in the order of ``Deal``.

    The cards of a first hand, or of the row, come in ascending order, each with the odds that it
    is the next lowest of so many. So every hand is one path, and all are equally likely.
    """

    def __init__(self, config: GameConfig) -> None:
        self.size = config.num_cards
        self._config = config
        self._dealt = config.num_players * config.hand_size
        self._with_row = self._dealt + config.num_players

    def needed(self, rounds: int) -> int:
        return self._with_row + self._config.num_players * (rounds - 1)

    def outcomes(self, drawn: Drawn) -> Outcomes:
        before, still = self._in_set(len(drawn))
        lowest = drawn[-1] + 1 if before else 0
        candidates = [card for card in self._left(drawn) if card >= lowest]
        ways = comb(len(candidates), still)
        return [
            (card, comb(higher, still - 1) / ways)
            for higher, card in zip(reversed(range(len(candidates))), candidates, strict=True)
            if higher >= still - 1
        ]

    def name(self, outcome: int) -> str:
        return str(self._config.deck[outcome + 1])

    def deck(self, drawn: Drawn) -> list[int]:
        """All cards by their numbers; those not drawn yet come last, in any order."""
        return [card + 1 for card in (*drawn, *self._left(drawn))]

    def _left(self, drawn: Drawn) -> list[int]:
        gone = set(drawn)
        return [card for card in range(self.size) if card not in gone]

    def _in_set(self, place: int) -> tuple[int, int]:
        """How many cards of its set are drawn before one, and how many are from it on."""
        if place < self._dealt:
            size, before = self._config.hand_size, place % self._config.hand_size
        elif place < self._with_row:
            size, before = self._config.num_players, place - self._dealt
        else:
            size, before = 1, 0
        return before, size - before


class ScoreCards:
    """For each round the score cards of its columns, from the left.

    Columns that no tableau of the round can reach are left out, and so is the last of all, which
    follows from the others.
    """

    size = len(SCORE_CARDS)

    def __init__(self, config: GameConfig, order: Sequence[int] | None) -> None:
        self._order = SCORE_CARDS if order is None else tuple(order)
        most = min(len({card.colour for card in config.deck}), len(SCORE_CARDS) - 1)
        told = [
            min(most, config.hand_size + earlier) if order is None else 0
            for earlier in range(config.num_rounds)
        ]
        self._starts = [0, *accumulate(told)]

    def needed(self, rounds: int) -> int:
        return self._starts[rounds]

    def outcomes(self, drawn: Drawn) -> Outcomes:
        begun = max(start for start in self._starts if start <= len(drawn))
        left = [card for card in range(self.size) if card not in drawn[begun:]]
        return [(card, 1 / len(left)) for card in left]

    def name(self, outcome: int) -> str:
        return f"score card {SCORE_CARDS[outcome]}"

    def orders(self, drawn: Drawn) -> list[tuple[int, ...]]:
        """Of all rounds; what is not drawn lies in any order, or in the one that is fixed."""
        orders = []
        for start, end in zip(self._starts, self._starts[1:], strict=False):
            told = tuple(SCORE_CARDS[card] for card in drawn[start:end])
            orders.append((*told, *(card for card in self._order if card not in told)))
        return orders


class Objectives:
    size = NUM_OBJECTIVES

    def __init__(self, config: GameConfig) -> None:
        self._config = config

    def needed(self, rounds: int) -> int:
        return self._config.num_objectives * (rounds if self._config.objectives_renewed else 1)

    def outcomes(self, drawn: Drawn) -> Outcomes:
        begun = len(drawn) - len(drawn) % self._config.num_objectives
        earlier, beside = (
            sum(1 << each for each in part) for part in (drawn[:begun], drawn[begun:])
        )
        candidates = int(kernels.next_objectives(earlier, beside))
        left = [objective for objective in range(self.size) if (candidates >> objective) & 1]
        return [(objective, 1 / len(left)) for objective in left]

    def name(self, outcome: int) -> str:
        return OBJECTIVES[outcome].id

    def shown(self, drawn: Drawn) -> list[list[str]]:
        """Of all rounds; those not drawn yet are any that may be."""
        rounds, number = self._config.num_rounds, self._config.num_objectives
        while len(drawn) < self.needed(rounds):
            drawn = (*drawn, self.outcomes(drawn)[0][0])
        step = number if self._config.objectives_renewed else 0
        return [
            [OBJECTIVES[each].id for each in drawn[step * round_ :][:number]]
            for round_ in range(rounds)
        ]
