"""Playing a chunk: one match over some deals, with bots that can forfeit it."""

import json
from pathlib import Path
from typing import NamedTuple

from mindup_arena.guarded_bot import CallMonitor, DecisionTime, Forfeit, GuardedBot
from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.schedule import Chunk, Match, matches
from mindup_arena.settings import ArenaSettings
from mindup_env.files import errors_name, write_text

_SEATS = "in rotation r the bot at place i is player (i + r) modulo the number of players"


class ChunkTask(NamedTuple):
    """A chunk to play, and what is known from a process that had to be replaced in it."""

    chunk: Chunk
    forfeits: tuple[Forfeit, ...] = ()
    died: bool = False  # its process died once, perhaps killed from outside


class PlayedChunk(NamedTuple):
    """A chunk with its results."""

    chunk: Chunk
    results: MatchResults
    forfeits: tuple[Forfeit, ...]
    times: dict[int, DecisionTime]  # by bot


class ChunkPlayer:
    """Plays chunks with bots that are made once and kept from chunk to chunk."""

    def __init__(self, settings: ArenaSettings, monitor: CallMonitor) -> None:
        self._settings = settings
        self._matches = matches(settings)
        self.bots = [
            GuardedBot(bot, spec, settings.config, monitor)
            for bot, spec in enumerate(settings.bots)
        ]

    def play(self, task: ChunkTask) -> PlayedChunk:
        chunk, match = task.chunk, self._matches[task.chunk.match]
        bots = {bot: self.bots[bot] for bot in match}
        known = {forfeit.bot: forfeit for forfeit in task.forfeits}
        for number, bot in bots.items():
            bot.begin_chunk(known.get(number))
        results = self.play_games(chunk, match)
        return PlayedChunk(
            chunk,
            results,
            tuple(bot.forfeit for bot in bots.values() if bot.forfeit is not None),
            {number: bot.time for number, bot in bots.items() if bot.time.decisions},
        )

    def play_games(self, chunk: Chunk, match: Match) -> MatchResults:
        """Plays the games of a chunk, with the bots ready, and keeps what the settings ask for."""
        settings = self._settings
        games = RotatedDeals(
            settings.config, settings.seed, chunk.deals, agent_seed=settings.agent_seed
        )
        results = games.play([self.bots[bot] for bot in match])
        if settings.record is not None:
            write_records(Path(settings.record), chunk.match, games)
        return results


def write_records(folder: Path, match: int, games: RotatedDeals) -> None:
    """Writes a record of each game; a chunk that is played again writes the same files."""
    own = folder / _folder_name(match)
    with errors_name(own):
        own.mkdir(parents=True, exist_ok=True)
    for deal, rotation, game in games.games():
        path = record_path(folder, match, deal, rotation)
        with errors_name(path):
            path.write_text(json.dumps(game.record()) + "\n", encoding="utf-8")


def record_path(folder: Path, match: int, deal: int, rotation: int) -> Path:
    """The file of a game in a folder of records."""
    return folder / _folder_name(match) / f"deal-{deal:06}-rotation-{rotation}.json"


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
