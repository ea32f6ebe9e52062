"""One game of a person against bots."""

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from typing import Any

import numpy as np

from mindup_env import BatchEnv, Game
from mindup_env.game.record import CARD_EVALUATIONS, NAMES
from mindup_play.bots import BotChoice, BotPlayer, TurnSnapshot, in_background
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state, turn_state


class Session:
    """The bots choose in the background while the person does; then all cards are revealed.

    ``plays`` are the turns of a resumed game, which are legal. The bots see and choose in these
    turns too, because some keep a memory.
    """

    def __init__(self, settings: PlaySettings, plays: Iterable[Sequence[int]] = ()) -> None:
        self.settings, config = settings, settings.config
        self._bots = {seat: BotPlayer(spec, config, seat) for seat, spec in settings.bots.items()}
        self._hint_bot = (
            None if settings.hints is None else BotPlayer(settings.hints, config, settings.seat)
        )
        self._env = BatchEnv(config, autoreset=False)
        self._env.reset(seed=settings.seed)
        if settings.deal is not None:
            self._env.set_game(0, settings.first_game())
        self._before: Game | None = None
        self._game = self._env.game(0)
        self._turns: list[dict[str, Any]] = []  # what happened in each turn, for the log
        self._choices: list[dict[int, BotChoice]] = []  # of each turn, by seat
        self._snapshots: list[TurnSnapshot] = []
        self._hints: list[Future[BotChoice]] = []  # of the first turns, up to the last request
        self._chosen: Future[None]
        self._start_turn()
        for cards in plays:
            self.wait_for_bots()
            self._play_turn(cards)

    @property
    def game(self) -> Game:
        """The game itself, not a copy; it holds cards that are hidden from the person."""
        return self._game

    @property
    def turns_played(self) -> int:
        return len(self._game.plays)

    def table_state(self) -> dict[str, Any]:
        """What the person may know, as JSON data."""
        return table_state(self._game, self._before, self.settings.seat)

    def log(self) -> list[dict[str, Any]]:
        """All turns of the game so far, as the ``last_turn`` of a table state has one."""
        return list(self._turns)

    def hint(self) -> "Future[BotChoice] | None":
        """The hint bot's choice at the person's seat; None without a hint bot.

        The bot chooses from the first request on, but sees all earlier turns too, in their order.
        """
        if self._hint_bot is None or self._game.over:
            return None
        for turn in self._snapshots[len(self._hints) :]:
            choose, earlier = partial(self._hint_bot.choose, turn), self._hints[-1:]
            self._hints.append(in_background(partial(_after, earlier, choose)))
        return self._hints[-1]

    def wait_for_bots(self) -> None:
        """Waits until all opponents have chosen. After a failure, the next call tries again."""
        try:
            self._chosen.result()
        except Exception:
            self._chosen = in_background(self._choose)
            raise

    def play(self, card: int) -> None:
        """Plays a turn: the person's card and those that the bots have chosen."""
        hand = self._game.hand(self.settings.seat)
        if card not in hand:
            raise ValueError(f"card {card} is not in the hand: {', '.join(map(str, hand))}")
        self.wait_for_bots()
        cards = {seat: choice.card for seat, choice in self._choices[-1].items()}
        cards[self.settings.seat] = card
        self._play_turn([cards[seat] for seat in range(self.settings.players)])

    def record(self) -> dict[str, Any]:
        """The record of the game, with all hands and the bots' evaluations of their cards."""
        return {
            **self._game.record(),
            NAMES: self.settings.names,
            CARD_EVALUATIONS: [self._evaluations(turn) for turn in range(self.turns_played)],
        }

    def _evaluations(self, turn: int) -> list[dict[str, Any] | None]:
        choices = {**self._choices[turn]}
        hint = self._hints[turn] if turn < len(self._hints) else None
        if hint is not None and hint.done() and hint.exception() is None:
            choices[self.settings.seat] = hint.result()
        seats = range(self.settings.players)
        return [choices[seat].evaluation_dict() if seat in choices else None for seat in seats]

    def _play_turn(self, cards: Sequence[int]) -> None:
        """Call this after all bots have chosen: they must see the turns in order."""
        self._env.step(np.array([cards]) - 1)
        self._before, self._game = self._game, self._env.game(0)
        self._turns.append(turn_state(self._before, self._game))
        if not self._game.over:
            self._start_turn()

    def _start_turn(self) -> None:
        self._snapshots.append(TurnSnapshot.of(self._env))
        self._choices.append({})
        self._chosen = in_background(self._choose)

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
