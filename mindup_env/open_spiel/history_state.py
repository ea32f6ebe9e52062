"""A game from its first draw on, as a value: what happens makes another one.

Nothing of the rules is here: the tables are games of the engine, dealt with what is drawn so far.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Self

from mindup_env.game import Game
from mindup_env.open_spiel.chance import Chance, Draws
from mindup_env.open_spiel.chance_draws import Outcomes


@dataclass(frozen=True, eq=False)
class HistoryState:
    chance: Chance
    draws: Draws = field(default_factory=Draws)
    rounds: int = 1  # those that have begun, the one that is being dealt included
    plays: tuple[tuple[int, ...], ...] = ()
    tables: tuple[Game, ...] = ()  # before each turn so far and now; what will be drawn is not in

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it never changes, and OpenSpiel copies a state for every step

    @property
    def dealing(self) -> bool:
        return not self.chance.complete(self.draws, self.rounds)

    @property
    def table(self) -> Game | None:
        """As it lies; None before the first cards are dealt. It is not to be played on."""
        return self.tables[-1] if self.tables else None

    @property
    def over(self) -> bool:
        return self.table is not None and self.table.over

    @property
    def outcomes(self) -> Outcomes:
        return self.chance.outcomes(self.draws, self.rounds)

    def name_of(self, outcome: int) -> str:
        return self.chance.name(self.draws, self.rounds, outcome)

    def drawn(self, outcome: int) -> "HistoryState":
        """With one draw more; the last one brings the round to its first turn."""
        history = replace(self, draws=self.chance.draw(self.draws, self.rounds, outcome))
        if history.dealing:
            return history
        deal = self.chance.deal(history.draws)
        table = Game.from_deal(self.chance.config, deal.deck, deal.score_orders, deal.objectives)
        for cards in self.plays:
            table.play(cards)
        return replace(history, tables=(*self.tables, table))

    def played(self, cards: tuple[int, ...]) -> "HistoryState":
        """With one turn more. What ends a round waits for the next one to be dealt."""
        table = self.tables[-1].copy()
        table.play(cards)
        plays = (*self.plays, cards)
        if table.round > self.rounds:
            return replace(self, plays=plays, rounds=self.rounds + 1)
        return replace(self, plays=plays, tables=(*self.tables, table))

    def __str__(self) -> str:
        if not self.dealing:
            return str(self.table)
        names = [f"{name} {drawn}" for name, drawn in self.draws._asdict().items()]
        return f"round {self.rounds} is dealt after {self.plays}; drawn: {', '.join(names)}"
