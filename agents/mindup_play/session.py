"""One game of a person with bots."""

from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any

import numpy as np

from mindup_env import BatchEnv, Game
from mindup_env.checks import as_list, check_int
from mindup_env.engine.state import Int8Array
from mindup_env.game.record import CARD_EVALUATIONS
from mindup_play.background_worker import BackgroundWorker
from mindup_play.bots import Bot, BotSeats, Choice, Turn
from mindup_play.settings import PlaySettings
from mindup_play.table_state import moment_of


class Session:
    """The others choose while the person thinks, as at a table; nobody sees what before the reveal.

    ``plays`` are the turns of a game that is taken up again: the bots are asked in these too, for
    the memory of those that have one.
    """

    def __init__(self, settings: PlaySettings, plays: Iterable[Any] = ()) -> None:
        self.settings, config = settings, settings.config
        self._company = BotSeats(settings.bots, config)
        self._adviser = settings.hints and Bot(settings.hints, config, settings.seat)
        self._env = BatchEnv(config, autoreset=False, illegal_action="raise")
        self._env.reset(seed=settings.seed)
        self._before: Game | None = None
        self._game = self._env.game(0)
        self._chosen: list[dict[int, Choice]] = []  # in each turn
        self._hints: list[Future[Choice]] = []  # in each turn, if there is an adviser
        self._worker, self._adviser_worker = BackgroundWorker(), BackgroundWorker()
        self._think()
        for cards in plays:
            checked = self._checked(cards)
            self.wait()
            self._play_turn(checked)

    @property
    def game(self) -> Game:
        """Not a copy, and not for the person's eyes."""
        return self._game

    @property
    def clock(self) -> int:
        """Turns played."""
        return len(self._game.plays)

    @property
    def seen(self) -> tuple[Int8Array, Int8Array]:
        """Observation (1, size) and mask (1, num_cards) of the person's seat."""
        seen, seat = self._env.seen, [self.settings.seat]
        return seen["observation"][0, seat], seen["action_mask"][0, seat]

    def moment(self) -> dict[str, Any]:
        """What the person may know."""
        return moment_of(self._game, self._before, self.settings.seat)

    def hint(self) -> "Future[Choice] | None":
        """What the chosen bot would play in the person's place; None if none was chosen."""
        return self._hints[self.clock] if self._hints and not self._game.over else None

    def check_playable(self, card: Any) -> None:
        hand = self._game.hand(self.settings.seat)
        if check_int("the card", card) not in hand:
            raise ValueError(f"card {card} is not in the hand: {', '.join(map(str, hand))}")

    def wait(self) -> None:
        """For the bots to choose. Those that failed are asked again the next time."""
        try:
            self._thoughts.result()
        except Exception:
            self._ask_company()
            raise

    def play(self, card: Any) -> None:
        """The person's card, against those that the bots have chosen."""
        self.check_playable(card)
        self.wait()
        cards = {seat: choice.card for seat, choice in self._chosen[-1].items()}
        cards[self.settings.seat] = card
        self._play_turn([cards[seat] for seat in range(self.settings.players)])

    def record(self) -> dict[str, Any]:
        """The game with what the bots made of their cards; it shows all hands."""
        return {
            **self._game.record(),
            CARD_EVALUATIONS: [self._evaluations(turn) for turn in range(self.clock)],
        }

    def leave(self) -> None:
        self._worker.leave()
        self._adviser_worker.leave()

    def _evaluations(self, turn: int) -> list[dict[str, Any] | None]:
        chosen = {**self._chosen[turn]}
        if self._hints and self._hints[turn].exception() is None:
            chosen[self.settings.seat] = self._hints[turn].result()
        seats = range(self.settings.players)
        return [chosen[seat].plain_evaluation if seat in chosen else None for seat in seats]

    def _checked(self, cards: Any) -> list[int]:
        """The cards of a turn as they were saved; Game says what is wrong with them."""
        self._game.copy().play(cards)
        return as_list("the cards of a turn", cards)

    def _play_turn(self, cards: list[int]) -> None:
        """When all bots have chosen: they see the next turn only then."""
        self._env.step(np.array([cards]) - 1)
        self._before, self._game = self._game, self._env.game(0)
        self._think()

    def _think(self) -> None:
        if self._game.over:
            return
        self._turn = Turn.of(self._env)
        self._chosen.append({})
        self._ask_company()
        if self._adviser:
            self._hints.append(self._adviser_worker.ask(partial(self._adviser.choose, self._turn)))

    def _ask_company(self) -> None:
        self._thoughts = self._worker.ask(
            partial(self._company.choose, self._turn, self._chosen[-1])
        )
