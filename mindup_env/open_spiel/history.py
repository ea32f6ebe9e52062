"""A game from its first chance draw on: what chance decides, with exact odds, and what is played.

A round is dealt when it begins: first its cards, then its score cards, then its objectives.
Outcomes count from 0. Outcomes that make no difference to the game are one outcome.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import comb
from typing import Any, Self

from mindup_env.cards import NUM_OBJECTIVES, OBJECTIVES, OFFICIAL_DECK
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.dealing import drawable_objectives
from mindup_env.game import Game
from mindup_env.game.deal import Deal, cards_drawn

Drawn = Sequence[int]
Outcomes = list[tuple[int, float]]
"""(outcome, probability), by ascending outcome."""

CARD = "card"
SCORE_ORDER = "score order"
OBJECTIVE = "objective"
SCORE_ORDERS = tuple(permutations(SCORE_CARDS))


class Chance:
    """The chance draws of all games of a config.

    Cards are drawn in the order of ``Deal``. Those of a first hand, or of the row, are drawn in
    ascending order, each with the probability that it is the next lowest: so every hand is one
    path, and all are equally likely. The order of the score cards is one draw of a round.

    Attributes:
        draws: the kind of every draw of a game.
        ends: how many draws there are before round 0, 1, ..., and in all.
    """

    def __init__(self, config: GameConfig) -> None:
        self.config = config
        # Of each card drawn: how many of its hand or row are missing, and how many are there.
        sizes = cards_drawn(config)
        self._places = [(size - before, before) for size in sizes for before in range(size)]
        self.draws = list[str]()
        self.ends = [0]
        for is_first in [True, *[False] * (config.num_rounds - 1)]:
            self.draws += [CARD] * (config.num_players * (config.hand_size * is_first + 1))
            self.draws += [SCORE_ORDER] * (config.score_order is None)
            is_renewed = is_first or config.objectives_renewed
            self.draws += [OBJECTIVE] * (config.num_objectives * is_renewed)
            self.ends.append(len(self.draws))

    def outcomes(self, drawn: Drawn) -> Outcomes:
        """The outcomes of the next draw, with their probabilities."""
        kind = self.draws[len(drawn)]
        earlier = self._of(kind, drawn)
        if kind == CARD:
            missing, before = self._places[len(earlier)]
            left = [card for card in self._undrawn(earlier) if not before or card > earlier[-1]]
            # How many hands have the card as their next lowest one.
            ways = [comb(higher, missing - 1) for higher in reversed(range(len(left)))]
        else:
            is_order = kind == SCORE_ORDER
            left = [*range(len(SCORE_ORDERS))] if is_order else self._objectives(earlier)
            ways = [1] * len(left)
        return [(each, way / sum(ways)) for each, way in zip(left, ways, strict=True) if way]

    def name(self, drawn: Drawn, outcome: int) -> str:
        """An outcome of the next draw in words."""
        kind = self.draws[len(drawn)]
        if kind == SCORE_ORDER:
            return f"score cards {SCORE_ORDERS[outcome]}"
        return str(OFFICIAL_DECK[outcome]) if kind == CARD else OBJECTIVES[outcome].id

    def deal(self, drawn: Drawn) -> Deal:
        """A deal with these draws; later draws are any possible ones."""
        cards = self._of(CARD, drawn)
        deck = [card + 1 for card in cards + self._undrawn(cards)]
        rounds = range(self.config.num_rounds)
        orders = [SCORE_ORDERS[outcome] for outcome in self._of(SCORE_ORDER, drawn)]
        orders += [self.config.score_order or SCORE_CARDS] * (len(rounds) - len(orders))
        objectives = self._of(OBJECTIVE, drawn)
        while len(objectives) < self.draws.count(OBJECTIVE):
            objectives.append(self._objectives(objectives)[0])
        ids = [OBJECTIVES[index].id for index in objectives]
        number = self.config.num_objectives
        step = number if self.config.objectives_renewed else 0
        shown = [tuple(ids[step * round_ :][:number]) for round_ in rounds]
        return Deal(tuple(deck), tuple(orders), tuple(shown))

    def _of(self, kind: str, drawn: Drawn) -> list[int]:
        """The outcomes of a kind."""
        return [outcome for each, outcome in zip(self.draws, drawn, strict=False) if each == kind]

    def _objectives(self, drawn: Drawn) -> list[int]:
        """The objectives that may be drawn next."""
        begun = len(drawn) - len(drawn) % self.config.num_objectives
        earlier = sum(1 << each for each in drawn[:begun])
        shown = sum(1 << each for each in drawn[begun:])
        drawable = drawable_objectives(earlier, shown)
        return [each for each in range(NUM_OBJECTIVES) if drawable >> each & 1]

    def _undrawn(self, drawn: Iterable[int]) -> list[int]:
        return sorted({*range(self.config.num_cards)} - {*drawn})


@dataclass(frozen=True, eq=False)
class HistoryState:
    """The draws and plays so far, as an immutable value: every event makes a new one.

    It holds no rules: its games are games of the engine, dealt with what is drawn so far.
    """

    chance: Chance
    drawn: tuple[int, ...] = ()
    rounds: int = 1  # rounds that have begun, including one that is being dealt
    plays: tuple[tuple[int, ...], ...] = ()
    games: tuple[Game, ...] = ()  # before each turn so far, and now; later draws are placeholders

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it never changes, and OpenSpiel copies a state for every step

    @property
    def dealing(self) -> bool:
        """Whether the next event is a chance draw."""
        return len(self.drawn) < self.chance.ends[self.rounds]

    @property
    def over(self) -> bool:
        return bool(self.games) and self.games[-1].over

    def draw(self, outcome: int) -> Self:
        """The state after one more chance draw; the last draw of a round starts its first turn."""
        history = replace(self, drawn=(*self.drawn, outcome))
        if history.dealing:
            return history
        game = Game.from_deal(self.chance.config, self.chance.deal(history.drawn))
        for cards in self.plays:
            game.play(cards)
        return replace(history, games=(*self.games, game))

    def play(self, cards: tuple[int, ...]) -> Self:
        """The state after one more turn; the last turn of a round starts the next dealing."""
        game = self.games[-1].copy()
        game.play(cards)
        begins = game.round > self.rounds
        return replace(
            self,
            plays=(*self.plays, cards),
            rounds=self.rounds + begins,
            games=self.games if begins else (*self.games, game),
        )

    def __str__(self) -> str:
        if not self.dealing:
            return str(self.games[-1])
        return f"round {self.rounds} is dealt after {self.plays}; drawn: {self.drawn}"


def history_of(state: Any) -> HistoryState:
    """The history of a state, or of the simultaneous state that a turn-based one wraps."""
    history: HistoryState = getattr(state, "simultaneous_game_state", lambda: state)().history_state
    return history
