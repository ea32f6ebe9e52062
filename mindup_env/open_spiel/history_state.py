"""A game from its first chance draw on, as an immutable value: every event makes a new one.

It holds no rules: its games are games of the engine, dealt with what is drawn so far.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Self

from mindup_env.game import Game
from mindup_env.open_spiel.chance import Chance, Draws, Outcomes


@dataclass(frozen=True, eq=False)
class HistoryState:
    """The draws and plays so far."""

    chance: Chance
    draws: Draws = field(default_factory=Draws)
    rounds: int = 1  # rounds that have begun, including one that is being dealt
    plays: tuple[tuple[int, ...], ...] = ()
    games: tuple[Game, ...] = ()  # before each turn so far, and now; later draws are placeholders

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it never changes, and OpenSpiel copies a state for every step

    @property
    def dealing(self) -> bool:
        """Whether the next event is a chance draw."""
        return not self.chance.complete(self.draws, self.rounds)

    @property
    def game(self) -> Game | None:
        """The game as it is now, to read only; None before the first cards are dealt."""
        return self.games[-1] if self.games else None

    @property
    def over(self) -> bool:
        return self.game is not None and self.game.over

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of the next chance draw, with their probabilities."""
        return self.chance.outcomes(self.draws, self.rounds)

    def drawn(self, outcome: int) -> "HistoryState":
        """The state after one more chance draw; the last draw of a round starts its first turn."""
        history = replace(self, draws=self.chance.draw(self.draws, self.rounds, outcome))
        if history.dealing:
            return history
        game = Game._begin(self.chance.config, self.chance.deal(history.draws))
        for cards in self.plays:
            game.play(cards)
        return replace(history, games=(*self.games, game))

    def played(self, cards: tuple[int, ...]) -> "HistoryState":
        """The state after one more turn; the last turn of a round starts the next dealing."""
        game = self.games[-1].copy()
        game.play(cards)
        plays = (*self.plays, cards)
        if game.round > self.rounds:
            return replace(self, plays=plays, rounds=self.rounds + 1)
        return replace(self, plays=plays, games=(*self.games, game))

    def __str__(self) -> str:
        if not self.dealing:
            return str(self.game)
        names = [f"{name} {drawn}" for name, drawn in self.draws._asdict().items()]
        return f"round {self.rounds} is dealt after {self.plays}; drawn: {', '.join(names)}"
