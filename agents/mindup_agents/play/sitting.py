"""One game of a person with bots."""

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from mindup_agents.page.moments import moment_of
from mindup_agents.play.bots import Choice, Company
from mindup_agents.play.settings import Settings
from mindup_env import BatchEnv, Game
from mindup_env.checks import ordered, whole_number
from mindup_env.engine.state import Int8Array
from mindup_env.record import WEIGHINGS


class Sitting:
    """The others choose while the person thinks, as at a table; nobody sees what before the reveal.

    ``plays`` are the turns of a game that is taken up again: the bots are asked in these too, for
    the memory of those that have one.
    """

    def __init__(self, settings: Settings, plays: Iterable[Any] = ()) -> None:
        self.settings = settings
        self._company = Company(settings)
        self._env = BatchEnv(settings.config, autoreset=False, illegal_action="raise")
        self._env.reset(seed=settings.seed)
        self._before: Game | None = None
        self._game = self._env.game(0)
        self._weighings: list[list[dict[str, Any] | None]] = []
        self._thinker = ThreadPoolExecutor(1, "bots")
        self._thoughts = self._think()
        for cards in plays:
            self._play_turn(self._checked(cards))

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

    def hint(self) -> dict[str, Any] | None:
        """What the chosen bot would play in the person's place; None if none was chosen."""
        if self.settings.hints is None or self._game.over:
            return None
        choice = self._choices()[self.settings.seat]
        return {"card": choice.card, "weighing": _plain(choice)}

    def play(self, card: Any) -> None:
        """The person's card, against those that the bots have chosen."""
        hand = self._game.hand(self.settings.seat)
        if whole_number("the card", card) not in hand:
            raise ValueError(f"card {card} is not in the hand: {', '.join(map(str, hand))}")
        choices = self._choices()
        cards = {seat: choice.card for seat, choice in choices.items()}
        cards[self.settings.seat] = card
        self._play_turn([cards[seat] for seat in range(self.settings.players)])

    def record(self) -> dict[str, Any]:
        """The game with what the bots made of their cards; it shows all hands."""
        return {**self._game.record(), WEIGHINGS: self._weighings}

    def leave(self) -> None:
        self._thinker.shutdown(wait=False, cancel_futures=True)

    def _checked(self, cards: Any) -> list[int]:
        """The cards of a turn as they were saved; Game says what is wrong with them."""
        self._game.copy().play(cards)
        return ordered("the cards of a turn", cards)

    def _play_turn(self, cards: list[int]) -> None:
        choices = self._choices()
        self._weighings.append(
            [_plain(choices[s]) if s in choices else None for s in range(self.settings.players)]
        )
        self._env.step(np.array([cards]) - 1)
        self._before, self._game = self._game, self._env.game(0)
        self._thoughts = self._think()

    def _choices(self) -> dict[int, Choice]:
        """Waits for the bots. Those that failed are asked again the next time."""
        try:
            return self._thoughts.result()
        except Exception:
            self._thoughts = self._think()
            raise

    def _think(self) -> "Future[dict[int, Choice]]":
        if self._game.over:
            done: Future[dict[int, Choice]] = Future()
            done.set_result({})
            return done
        return self._thinker.submit(self._company.choose, self._env)


def _plain(choice: Choice) -> dict[str, Any] | None:
    return None if choice.weighing is None else choice.weighing.to_dict()
