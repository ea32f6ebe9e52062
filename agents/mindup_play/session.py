"""One game of a person against bots."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from mindup_env import Game
from mindup_env.checks import InputError
from mindup_play.bots import BotChoice, BotPlayer, in_background
from mindup_play.records import after_turn
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state, turn_state


@dataclass(eq=False)
class PlayedGame:
    """A game of a person, without its bots.

    ``games`` are the game before its first turn, and after each turn; they hold cards that are
    hidden from the person.
    """

    settings: PlaySettings
    games: list[Game]
    cost: float | None = None  # of the person's choices, if the game was reviewed

    @property
    def place(self) -> int:
        """The person's place in a finished game, from 1."""
        return self.game.ranks[self.settings.seat] + 1

    @property
    def win_share(self) -> float:
        """The person's share in the victory of a finished game."""
        return (self.place == 1) / len(self.game.winners)

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

    def record(self) -> dict[str, Any]:
        """The record of the game, with all hands and who played."""
        return {**self.game.record(), **self.settings.seats._asdict()}


class Session(PlayedGame):
    """The bots choose in the background while the person does; then all cards are revealed.

    ``plays`` are the turns of a resumed game, which are legal. The bots see and choose in these
    turns too, because some keep a memory. Before they choose, ``wait`` waits until they can.
    """

    def __init__(
        self,
        settings: PlaySettings,
        plays: Iterable[Sequence[int]] = (),
        wait: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(settings, [Game(settings.config, settings.seed)])
        make = partial(BotPlayer, config=settings.config, seed=settings.seed)
        self._bots = {seat: make(spec, seat=seat) for seat, spec in settings.bots.items()}
        self._hint_bot = make(settings.hints, seat=settings.seat) if settings.hints else None
        self._wait = wait
        self._hints: list[Future[BotChoice]] = []  # of the first turns, up to the last request
        self._choices: dict[int, BotChoice] = {}  # of this turn, by seat
        self._choosing = in_background(self._choose)  # done when all opponents have chosen
        for cards in plays:
            self._choosing.result()
            self._play_turn(cards)

    def hint(self) -> "Future[BotChoice] | None":
        """The hint bot's choice at the person's seat; None without a hint bot.

        The bot chooses from the first request on, but sees all earlier turns too, in their order.
        """
        if self._hint_bot is None or self.game.over:
            return None
        for game in self.games[len(self._hints) :]:
            choose = partial(_choose_after, self._hints[-1:], self._hint_bot, game)
            self._hints.append(in_background(choose))
        return self._hints[-1]

    async def bots_chose(self) -> None:
        """Waits until all opponents have chosen. The first request after a failure tries again."""
        if self._choosing.done() and self._choosing.exception():
            self._choosing = in_background(self._choose)
        await asyncio.wrap_future(self._choosing)

    def check_card(self, card: int) -> None:
        hand = self.game.hand(self.settings.seat)
        if card not in hand:
            raise InputError(f"card {card} is not in the hand: {', '.join(map(str, hand))}")

    def play(self, card: int) -> None:
        """Plays a turn: the person's card and those that the bots have chosen.

        It waits for them; a request has done so before, by ``bots_chose``.
        """
        self._choosing.result()
        cards = {seat: choice.card for seat, choice in self._choices.items()}
        cards[self.settings.seat] = card
        self._play_turn([cards[seat] for seat in range(self.settings.players)])

    def _play_turn(self, cards: Sequence[int]) -> None:
        """Call this after all bots have chosen: they must see the turns in order."""
        self.games.append(after_turn(self.game, cards))
        if not self.game.over:
            self._choices = {}
            self._choosing = in_background(self._choose)

    def _choose(self) -> None:
        """Adds the missing choices, so that after a failure no bot chooses twice in a turn."""
        self._wait()
        for seat, bot in self._bots.items():
            if seat not in self._choices:
                self._choices[seat] = bot.choose(self.game)


def _choose_after(earlier: "list[Future[BotChoice]]", bot: BotPlayer, game: Game) -> BotChoice:
    wait(earlier)
    return bot.choose(game)
