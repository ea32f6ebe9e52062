"""One game of a person against bots."""

import asyncio
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from mindup_env import BatchEnv, Game
from mindup_env.game.record import CARD_EVALUATIONS, NAMES
from mindup_play.bots import BotChoice, BotPlayer, TurnSnapshot, in_background
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state, turn_state

Evaluations = list[list[dict[str, Any] | None]]
"""What bots expected of the cards in their hands, by turn and player."""


class PlayedGame:
    """A game of a person, without its bots.

    ``games`` are the game before its first turn, and after each turn; they hold cards that are
    hidden from the person.
    """

    def __init__(
        self, settings: PlaySettings, games: list[Game], evaluations: Evaluations | None = None
    ) -> None:
        self.settings, self.games = settings, games
        self._known_evaluations = evaluations

    @property
    def game(self) -> Game:
        """The game itself, not a copy."""
        return self.games[-1]

    @property
    def turns_played(self) -> int:
        return len(self.game.plays)

    def table_state(self) -> dict[str, Any]:
        """What the person may know, as JSON data."""
        before = self.games[-2] if self.turns_played else None
        return table_state(self.game, before, self.settings.seat)

    def log(self) -> list[dict[str, Any]]:
        """All turns of the game so far, as the ``last_turn`` of a table state has one."""
        return [turn_state(before, after) for before, after in pairwise(self.games)]

    def evaluations(self) -> Evaluations | None:
        return self._known_evaluations

    def record(self) -> dict[str, Any]:
        """The record of the game, with all hands and the bots' evaluations of their cards."""
        evaluations = self.evaluations()
        extra = {} if evaluations is None else {CARD_EVALUATIONS: evaluations}
        return {**self.game.record(), NAMES: self.settings.names, **extra}


class Session(PlayedGame):
    """The bots choose in the background while the person does; then all cards are revealed.

    ``plays`` are the turns of a resumed game, which are legal. The bots see and choose in these
    turns too, because some keep a memory.
    """

    def __init__(self, settings: PlaySettings, plays: Iterable[Sequence[int]] = ()) -> None:
        config = settings.config
        self._bots = {seat: BotPlayer(spec, config, seat) for seat, spec in settings.bots.items()}
        self._hint_bot = (
            None if settings.hints is None else BotPlayer(settings.hints, config, settings.seat)
        )
        self._env = BatchEnv(config, autoreset=False)
        self._env.reset(seed=settings.seed)
        super().__init__(settings, [self._env.game(0)])
        self._choices: list[dict[int, BotChoice]] = []  # of each turn, by seat
        self._snapshots: list[TurnSnapshot] = []
        self._hints: list[Future[BotChoice]] = []  # of the first turns, up to the last request
        self._choosing: Future[None]  # becomes done when all opponents have chosen
        self._start_turn()
        for cards in plays:
            self._choosing.result()
            self._play_turn(cards)

    def hint(self) -> "Future[BotChoice] | None":
        """The hint bot's choice at the person's seat; None without a hint bot.

        The bot chooses from the first request on, but sees all earlier turns too, in their order.
        """
        if self._hint_bot is None or self.game.over:
            return None
        for turn in self._snapshots[len(self._hints) :]:
            choose, earlier = partial(self._hint_bot.choose, turn), self._hints[-1:]
            self._hints.append(in_background(partial(_after, earlier, choose)))
        return self._hints[-1]

    async def bots_chose(self) -> None:
        """Waits until all opponents have chosen.

        After a failure, which all who wait are told, the missing choices are started again once.
        """
        choosing = self._choosing
        try:
            await asyncio.wrap_future(choosing)
        except Exception:
            if self._choosing is choosing:
                self._choosing = in_background(self._choose)
            raise

    def check_card(self, card: int) -> None:
        hand = self.game.hand(self.settings.seat)
        if card not in hand:
            raise ValueError(f"card {card} is not in the hand: {', '.join(map(str, hand))}")

    def play(self, card: int) -> None:
        """Plays a turn: the person's card and those that the bots have chosen.

        It waits for them; a request has done so before, by ``bots_chose``.
        """
        self.check_card(card)
        self._choosing.result()
        cards = {seat: choice.card for seat, choice in self._choices[-1].items()}
        cards[self.settings.seat] = card
        self._play_turn([cards[seat] for seat in range(self.settings.players)])

    def evaluations(self) -> Evaluations:
        evaluations = []
        for turn in range(self.turns_played):
            choices = {**self._choices[turn]}
            hint = self._hints[turn] if turn < len(self._hints) else None
            if hint is not None and hint.done() and hint.exception() is None:
                choices[self.settings.seat] = hint.result()
            chosen = map(choices.get, range(self.settings.players))
            evaluations.append([each and each.evaluation_dict() for each in chosen])
        return evaluations

    def _play_turn(self, cards: Sequence[int]) -> None:
        """Call this after all bots have chosen: they must see the turns in order."""
        self._env.step(np.array([cards]) - 1)
        self.games.append(self._env.game(0))
        if not self.game.over:
            self._start_turn()

    def _start_turn(self) -> None:
        self._snapshots.append(TurnSnapshot.of(self._env))
        self._choices.append({})
        self._choosing = in_background(self._choose)

    def _choose(self) -> None:
        """Adds the missing choices, so that after a failure no bot chooses twice in a turn."""
        turn, choices = self._snapshots[-1], self._choices[-1]
        for seat, bot in self._bots.items():
            if seat not in choices:
                choices[seat] = bot.choose(turn)


def _after(earlier: "list[Future[BotChoice]]", choose: Any) -> BotChoice:
    wait(earlier)
    choice: BotChoice = choose()
    return choice
