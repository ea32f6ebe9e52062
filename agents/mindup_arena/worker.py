"""What runs in a worker's process, and what it tells the process that started it."""

from contextlib import suppress
from multiprocessing.connection import Connection
from typing import NamedTuple

from mindup_arena.chunk import Outcome, play_chunk
from mindup_arena.settings import ArenaSettings


class Called(NamedTuple):
    """A bot is asked for a decision."""

    bot: int
    decision: int


class Returned(NamedTuple):
    """It has answered, or failed."""


class Spent(NamedTuple):
    """What a bot took for its decisions."""

    decisions: int = 0
    seconds: float = 0.0


class Done(NamedTuple):
    """A chunk is played."""

    outcome: Outcome
    spent: dict[int, Spent]  # by bot


class Telling:
    """A watch that tells of each call before it begins: a bot may never come back from it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._loaded: set[int] = set()
        self.spent: dict[int, Spent] = {}

    def begin(self, bot: int, decision: int) -> None:
        self._connection.send(Called(bot, decision))

    def end(self, bot: int, decisions: int, seconds: float) -> None:
        self._connection.send(Returned())
        if bot in self._loaded:
            before = self.spent.get(bot, Spent())
            self.spent[bot] = Spent(before.decisions + decisions, before.seconds + seconds)
        self._loaded.add(bot)  # the first call of all loads what the bot needs: it is not timed


def serve(connection: Connection, settings: ArenaSettings) -> None:
    """Plays one task after the other until nobody sends or hears any more."""
    watch = Telling(connection)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            task = connection.recv()
            watch.spent = {}
            connection.send(Done(play_chunk(settings, task, watch), watch.spent))
