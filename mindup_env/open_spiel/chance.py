"""Everything that chance decides in a game, one draw after the other.

A round is dealt when it begins: first its cards, then its score cards, then its objectives.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindup_env.config import GameConfig
from mindup_env.game.deal import Deal
from mindup_env.open_spiel.chance_draws import (
    CardDraws,
    ChanceDraws,
    Drawn,
    ObjectiveDraws,
    Outcomes,
    ScoreCardDraws,
)


class Draws(NamedTuple):
    """The outcomes drawn so far, of each kind."""

    cards: Drawn = ()
    score_cards: Drawn = ()
    objectives: Drawn = ()


class Chance:
    """The chance draws of all games of a config, with the same score cards each round if given."""

    def __init__(self, config: GameConfig, score_order: Sequence[int] | None = None) -> None:
        self.config = config
        self._cards = CardDraws(config)
        self._score_cards = ScoreCardDraws(config, score_order)
        self._objectives = ObjectiveDraws(config)

    @property
    def _kinds(self) -> Iterator[tuple[str, ChanceDraws]]:
        return zip(Draws._fields, (self._cards, self._score_cards, self._objectives), strict=True)

    @property
    def most_outcomes(self) -> int:
        """An exclusive upper bound of the outcomes of any draw."""
        return max(kind.size for _, kind in self._kinds)

    @property
    def num_draws(self) -> int:
        """The number of draws in a whole game."""
        return sum(kind.needed(self.config.num_rounds) for _, kind in self._kinds)

    def complete(self, draws: Draws, rounds: int) -> bool:
        """Whether the first ``rounds`` rounds can be played."""
        return all(
            len(drawn) >= kind.needed(rounds)
            for drawn, (_, kind) in zip(draws, self._kinds, strict=True)
        )

    def outcomes(self, draws: Draws, rounds: int) -> Outcomes:
        """The outcomes of the next draw, with their probabilities."""
        name, kind = self._next(draws, rounds)
        return kind.outcomes(getattr(draws, name))

    def name(self, draws: Draws, rounds: int, outcome: int) -> str:
        """An outcome of the next draw in words."""
        return self._next(draws, rounds)[1].name(outcome)

    def draw(self, draws: Draws, rounds: int, outcome: int) -> Draws:
        """The draws with one more."""
        name, _ = self._next(draws, rounds)
        return draws._replace(**{name: (*getattr(draws, name), outcome)})

    def deal(self, draws: Draws) -> Deal:
        """A deal with these draws; later draws are any possible ones."""
        return Deal.of(
            self.config,
            self._cards.deck(draws.cards),
            self._score_cards.orders(draws.score_cards),
            self._objectives.shown(draws.objectives),
        )

    def _next(self, draws: Draws, rounds: int) -> tuple[str, ChanceDraws]:
        """The kind of the next draw, until ``rounds`` rounds can be played."""
        return next(
            (name, kind)
            for name, kind in self._kinds
            if len(getattr(draws, name)) < kind.needed(rounds)
        )
