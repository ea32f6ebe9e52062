"""What bots would play in a game: at every turn and seat, from what that seat saw."""

from collections.abc import Sequence
from functools import partial
from threading import Lock
from typing import Any

from mindup_env import Game
from mindup_env.checks import InputError, check_int, suggestion
from mindup_play.bots import BotPlayer, in_thread
from mindup_play.settings import can_play

Choices = list[dict[str, Any]]
"""Those of a turn, by seat: card, evaluation and predictions."""


class Advice:
    """Asks bots about a game that is over, or that bots play.

    ``games`` are the game before its first turn, and after each turn, and may grow. A bot with a
    memory sees all turns in order, as if it had played at each seat.
    """

    def __init__(self, games: list[Game], bots: Sequence[str], seed: int = 0) -> None:
        config = games[0].config
        self.bots = [bot for bot in bots if can_play(bot, config.num_players)]
        self._games = games
        seats = range(config.num_players)
        self._make = lambda bot: [BotPlayer(bot, config, seed, seat) for seat in seats]
        self._asked: dict[str, tuple[list[BotPlayer], list[Choices]]] = {}
        self._lock = Lock()

    async def choices(self, bot: str, turn: str) -> dict[str, Choices]:
        """Those of a bot after so many turns. Only ``bots`` are asked: a name can run code."""
        if bot not in self.bots:
            raise InputError(f"unknown bot {bot!r}{suggestion(bot, self.bots)}")
        last = len(self._games) - 1 - self._games[-1].over
        number = check_int("turn", int(turn) if turn.isdecimal() else turn, 0, last)
        return {"choices": await in_thread(partial(self._choices, bot, number))}

    def _choices(self, bot: str, turn: int) -> Choices:
        with self._lock:
            # A bot that fails is made anew when it is asked again.
            players, made = self._asked.pop(bot, None) or (self._make(bot), [])
            for game in self._games[len(made) : turn + 1]:
                made.append([player.choose(game)._asdict() for player in players])
            self._asked[bot] = players, made
        return made[turn]
