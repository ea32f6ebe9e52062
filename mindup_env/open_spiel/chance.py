"""What chance decides in a game, one draw after the other.

A round is dealt when it begins and not before: first its cards, then its score cards, then its
objectives.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindup_env.config import GameConfig
from mindup_env.game.deal import Deal
from mindup_env.open_spiel.chance_draws import Cards, Drawn, Objectives, Outcomes, Pile, ScoreCards


class Draws(NamedTuple):
    """What was drawn so far, from each pile."""

    cards: Drawn = ()
    score_cards: Drawn = ()
    objectives: Drawn = ()


class Chance:
    """The draws of all games of a config."""

    def __init__(self, config: GameConfig, score_order: Sequence[int] | None = None) -> None:
        self.config = config
        self._cards = Cards(config)
        self._score_cards = ScoreCards(config, score_order)
        self._objectives = Objectives(config)

    @property
    def _piles(self) -> Iterator[tuple[str, Pile]]:
        return zip(Draws._fields, (self._cards, self._score_cards, self._objectives), strict=True)

    @property
    def most_outcomes(self) -> int:
        """More than any outcome of any draw."""
        return max(pile.size for _, pile in self._piles)

    @property
    def num_draws(self) -> int:
        """In a whole game."""
        return sum(pile.needed(self.config.num_rounds) for _, pile in self._piles)

    def complete(self, draws: Draws, rounds: int) -> bool:
        """Whether the first ``rounds`` rounds can be played."""
        return all(
            len(drawn) >= pile.needed(rounds)
            for drawn, (_, pile) in zip(draws, self._piles, strict=True)
        )

    def outcomes(self, draws: Draws, rounds: int) -> Outcomes:
        """What may come next, with its odds, until ``rounds`` rounds can be played."""
        name, pile = self._next(draws, rounds)
        return pile.outcomes(getattr(draws, name))

    def name(self, draws: Draws, rounds: int, outcome: int) -> str:
        """What a draw is called."""
        return self._next(draws, rounds)[1].name(outcome)

    def draw(self, draws: Draws, rounds: int, outcome: int) -> Draws:
        name, _ = self._next(draws, rounds)
        return draws._replace(**{name: (*getattr(draws, name), outcome)})

    def deal(self, draws: Draws) -> Deal:
        """A deal with these draws; what is not drawn yet is anything that may be."""
        return Deal.of(
            self.config,
            self._cards.deck(draws.cards),
            self._score_cards.orders(draws.score_cards),
            self._objectives.shown(draws.objectives),
        )

    def _next(self, draws: Draws, rounds: int) -> tuple[str, Pile]:
        return next(
            (name, pile)
            for name, pile in self._piles
            if len(getattr(draws, name)) < pile.needed(rounds)
        )
