"""What runs in a worker process: it plays chunks, and reports each call of a bot as it begins."""

import json
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from mindup_arena.games import MatchResults, RotatedDeals
from mindup_arena.guarded_bot import CallMonitor, Forfeit, GuardedBot
from mindup_arena.schedule import Chunk, matches
from mindup_arena.settings import ArenaSettings
from mindup_env.files import write_text

_SEATS = "in rotation r the bot at place i is player (i + r) modulo the number of players"


class ChunkTask(NamedTuple):
    """A chunk to play, and what is known from a process that had to be replaced in it."""

    chunk: Chunk
    forfeits: tuple[Forfeit, ...] = ()
    died: bool = False  # its process died once, perhaps killed from outside


class CallBegins(NamedTuple):
    """A message: a bot is called for a decision."""

    bot: int
    decision: int


class CallEnds(NamedTuple):
    """A message: the bot has returned, or raised an error."""


class DecisionTime(NamedTuple):
    """The time that a bot took for its decisions."""

    decisions: int = 0
    seconds: float = 0.0


class PlayedChunk(NamedTuple):
    """A message: a chunk is played."""

    chunk: Chunk
    results: MatchResults
    forfeits: tuple[Forfeit, ...]
    times: dict[int, DecisionTime]  # by bot


class CallReporter:
    """Sends a message before each call of a bot, which may never return, and after it."""

    def __init__(self, connection: Connection) -> None:
        self.times: dict[int, DecisionTime] = {}
        self._connection = connection
        self._called: set[int] = set()

    def call_begins(self, bot: int, decision: int) -> None:
        self._connection.send(CallBegins(bot, decision))

    def call_ends(self, bot: int, decisions: int, seconds: float) -> None:
        self._connection.send(CallEnds())
        if bot in self._called:  # the first call also loads what the bot needs: it is not timed
            before = self.times.get(bot, DecisionTime())
            self.times[bot] = DecisionTime(before.decisions + decisions, before.seconds + seconds)
        self._called.add(bot)


def serve(connection: Connection, settings: ArenaSettings) -> None:
    """Plays the tasks that arrive until the connection is closed."""
    reporter = CallReporter(connection)
    player = ChunkPlayer(settings, reporter)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            task = connection.recv()
            reporter.times = {}
            results, forfeits = player.play(task)
            connection.send(PlayedChunk(task.chunk, results, forfeits, reporter.times))


class ChunkPlayer:
    """Plays chunks of an arena with bots that are made once and kept from chunk to chunk."""

    def __init__(self, settings: ArenaSettings, monitor: CallMonitor) -> None:
        self._settings = settings
        self._bots = [
            GuardedBot(bot, spec, settings.config, monitor)
            for bot, spec in enumerate(settings.bots)
        ]

    def play(self, task: ChunkTask) -> tuple[MatchResults, tuple[Forfeit, ...]]:
        match = matches(self._settings)[task.chunk.match]
        known = {forfeit.bot: forfeit for forfeit in task.forfeits}
        for bot in set(match):
            self._bots[bot].begin_chunk(known.get(bot))
        games = RotatedDeals(self._settings.config, self._settings.seed, task.chunk.deals)
        results = games.play([self._bots[bot] for bot in match])
        if self._settings.record is not None:
            write_records(Path(self._settings.record), task.chunk.match, games)
        forfeits = (self._bots[bot].forfeit for bot in dict.fromkeys(match))
        return results, tuple(forfeit for forfeit in forfeits if forfeit is not None)


def write_records(folder: Path, match: int, games: RotatedDeals) -> None:
    """Writes a record of each game; a chunk that is played again writes the same files."""
    own = folder / _folder_name(match)
    own.mkdir(parents=True, exist_ok=True)
    for deal, rotation, game in games.games():
        text = json.dumps(game.record()) + "\n"
        (own / f"deal-{deal:06}-rotation-{rotation}.json").write_text(text, encoding="utf-8")


def write_seats(folder: Path, settings: ArenaSettings) -> None:
    """Writes, beside the records, which bot sits where."""
    bots = {
        _folder_name(index): [settings.bots[bot] for bot in match]
        for index, match in enumerate(matches(settings))
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"seats": _SEATS, "line_ups": bots}, indent=2) + "\n"
    write_text(folder / "line-ups.json", text)


def _folder_name(match: int) -> str:
    return f"line-up-{match:03}"
