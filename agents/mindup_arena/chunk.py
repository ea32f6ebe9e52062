"""Playing a chunk, as a worker does."""

from pathlib import Path
from typing import NamedTuple

from mindup_arena.guarded_bot import Entrant, Forfeit, GuardedBot, Watch
from mindup_arena.records import write_records
from mindup_arena.schedule import Chunk, line_ups
from mindup_arena.settings import ArenaSettings
from mindup_arena.tables import GameResults, Tables


class Task(NamedTuple):
    """A chunk, and what came of it when it was played before, by a process that had to end."""

    chunk: Chunk
    forfeits: tuple[Forfeit, ...] = ()
    died: bool = False  # once, and it may have been killed from outside


class Outcome(NamedTuple):
    chunk: Chunk
    played: GameResults
    forfeits: tuple[Forfeit, ...]


def play_chunk(settings: ArenaSettings, task: Task, watch: Watch) -> Outcome:
    line_up = line_ups(settings)[task.chunk.line_up]
    tables = Tables(settings.config, settings.seed, task.chunk.deals)
    known = {forfeit.bot: forfeit for forfeit in task.forfeits}
    bots = [
        GuardedBot(
            Entrant(bot, settings.bots[bot], settings.config),
            tables.rows([place for place, sits in enumerate(line_up) if sits == bot]),
            watch,
            known.get(bot),
        )
        for bot in dict.fromkeys(line_up)
    ]
    played = tables.play(bots)
    if settings.record is not None:
        write_records(Path(settings.record), task.chunk.line_up, tables)
    forfeits = [each.forfeit for each in bots if each.forfeit is not None]
    return Outcome(task.chunk, played, tuple(forfeits))
