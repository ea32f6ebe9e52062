"""Everything that chance decides in a game, one draw after the other, with exact probabilities.

A round is dealt when it begins: first its cards, then its score cards, then its objectives.
Outcomes count from 0. Outcomes that make no difference to the game are one outcome.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import comb
from typing import NamedTuple

from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine import kernels
from mindup_env.game.deal import Deal
from mindup_env.objectives import NUM_OBJECTIVES, OBJECTIVES

Drawn = tuple[int, ...]
Outcomes = list[tuple[int, float]]
"""(outcome, probability), by ascending outcome."""


class Draws(NamedTuple):
    """The outcomes drawn so far, of each kind."""

    cards: Drawn = ()
    score_cards: Drawn = ()
    objectives: Drawn = ()


class Chance:
    """The chance draws of all games of a config, with the same score cards each round if given.

    Cards are drawn in the order of ``Deal``. Those of a first hand, or of the row, are drawn in
    ascending order, each with the probability that it is the next lowest: so every hand is one
    path, and all are equally likely. Score cards are drawn for the columns from left to right,
    but not for those that no tableau of the round can reach, nor for the fifth, which follows.
    """

    def __init__(self, config: GameConfig, score_order: Sequence[int] | None = None) -> None:
        self.config = config
        self._order = SCORE_CARDS if score_order is None else tuple(score_order)
        self._dealt = config.num_players * config.hand_size
        rounds = range(config.num_rounds)
        colours = len({card.colour for card in config.deck})
        most = 0 if score_order is not None else min(colours, len(SCORE_CARDS) - 1)
        columns = [min(most, config.hand_size + round_) for round_ in rounds]
        # How many draws of each kind all rounds before a round need.
        self._cards = [0, *(self._dealt + config.num_players * (each + 1) for each in rounds)]
        self._score_cards = [0, *accumulate(columns)]
        renewed = config.objectives_renewed
        shown = [config.num_objectives * (each + 1 if renewed else 1) for each in rounds]
        self._objectives = [0, *shown]

    @property
    def most_outcomes(self) -> int:
        """An exclusive upper bound of the outcomes of any draw."""
        return max(self.config.num_cards, len(SCORE_CARDS), NUM_OBJECTIVES)

    @property
    def num_draws(self) -> int:
        """The number of draws in a whole game."""
        return sum(self._needed(self.config.num_rounds))

    def complete(self, draws: Draws, rounds: int) -> bool:
        """Whether the first ``rounds`` rounds can be played."""
        return all(len(drawn) >= n for drawn, n in zip(draws, self._needed(rounds), strict=True))

    def outcomes(self, draws: Draws, rounds: int) -> Outcomes:
        """The outcomes of the next draw, with their probabilities."""
        kind = self._next(draws, rounds)
        if kind == "cards":
            return self._outcomes_of_card(draws.cards)
        if kind == "score_cards":
            begun = max(start for start in self._score_cards if start <= len(draws.score_cards))
            taken = draws.score_cards[begun:]
            return _equally_likely(each for each in range(len(SCORE_CARDS)) if each not in taken)
        return self._outcomes_of_objective(draws.objectives)

    def name(self, draws: Draws, rounds: int, outcome: int) -> str:
        """An outcome of the next draw in words."""
        kind = self._next(draws, rounds)
        if kind == "cards":
            return str(self.config.deck[outcome + 1])
        if kind == "score_cards":
            return f"score card {SCORE_CARDS[outcome]}"
        return OBJECTIVES[outcome].id

    def draw(self, draws: Draws, rounds: int, outcome: int) -> Draws:
        """The draws with one more."""
        kind = self._next(draws, rounds)
        return draws._replace(**{kind: (*getattr(draws, kind), outcome)})

    def deal(self, draws: Draws) -> Deal:
        """A deal with these draws; later draws are any possible ones."""
        cards = [card + 1 for card in (*draws.cards, *self._undrawn(draws.cards))]
        orders = []
        for start, end in pairwise(self._score_cards):
            values = tuple(SCORE_CARDS[card] for card in draws.score_cards[start:end])
            orders.append((*values, *(card for card in self._order if card not in values)))
        objectives = draws.objectives
        while len(objectives) < self._objectives[-1]:
            objectives = (*objectives, self._outcomes_of_objective(objectives)[0][0])
        number = self.config.num_objectives
        step = number if self.config.objectives_renewed else 0
        shown = [
            [OBJECTIVES[each].id for each in objectives[step * round_ :][:number]]
            for round_ in range(self.config.num_rounds)
        ]
        return Deal.of(self.config, cards, orders, shown)

    def _needed(self, rounds: int) -> tuple[int, int, int]:
        return self._cards[rounds], self._score_cards[rounds], self._objectives[rounds]

    def _next(self, draws: Draws, rounds: int) -> str:
        """The kind of the next draw, until ``rounds`` rounds can be played."""
        kinds = zip(Draws._fields, draws, self._needed(rounds), strict=True)
        return next(kind for kind, drawn, needed in kinds if len(drawn) < needed)

    def _outcomes_of_card(self, drawn: Drawn) -> Outcomes:
        if len(drawn) < self._dealt:
            size, before = self.config.hand_size, len(drawn) % self.config.hand_size
        elif len(drawn) < self._cards[1]:
            size, before = self.config.num_players, len(drawn) - self._dealt
        else:
            size, before = 1, 0
        missing = size - before
        lowest = drawn[-1] + 1 if before else 0
        candidates = [card for card in self._undrawn(drawn) if card >= lowest]
        ways = comb(len(candidates), missing)
        return [
            (card, comb(higher, missing - 1) / ways)
            for higher, card in zip(reversed(range(len(candidates))), candidates, strict=True)
            if higher >= missing - 1
        ]

    def _outcomes_of_objective(self, drawn: Drawn) -> Outcomes:
        begun = len(drawn) - len(drawn) % self.config.num_objectives
        earlier, shown = (
            sum(1 << each for each in part) for part in (drawn[:begun], drawn[begun:])
        )
        candidates = int(kernels.next_objectives(earlier, shown))
        return _equally_likely(each for each in range(NUM_OBJECTIVES) if (candidates >> each) & 1)

    def _undrawn(self, drawn: Drawn) -> list[int]:
        return sorted({*range(self.config.num_cards)} - {*drawn})


def _equally_likely(outcomes: Iterable[int]) -> Outcomes:
    left = list(outcomes)
    return [(outcome, 1 / len(left)) for outcome in left]
