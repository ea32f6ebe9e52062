"""Playing a chunk: one match over some deals, with bots that can forfeit games."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mindup_agents.labels import label, numbered
from mindup_arena.bot import ArenaBot, DecisionTime
from mindup_arena.failures import Forfeit
from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.schedule import Chunk, matches
from mindup_arena.settings import ArenaSettings
from mindup_env.game.record import NAMES
from mindup_env.runs.files import errors_name


class PlayedChunk(NamedTuple):
    """A chunk with its results."""

    chunk: Chunk
    results: MatchResults
    forfeits: tuple[Forfeit, ...]
    times: dict[int, DecisionTime]  # by bot


class ChunkPlayer:
    """Plays chunks with bots that are made once and kept from chunk to chunk."""

    def __init__(self, settings: ArenaSettings) -> None:
        self._settings, self._matches = settings, matches(settings)
        specs = enumerate(settings.bots)
        self._bots = [ArenaBot(number, spec, settings.config) for number, spec in specs]

    def play(self, chunk: Chunk) -> PlayedChunk:
        match, settings = self._matches[chunk.match], self._settings
        bots = {number: self._bots[number] for number in match}
        for bot in bots.values():
            bot.begin_chunk(len(chunk.deals) * len(match))
        games = RotatedDeals(
            settings.config, settings.seed, chunk.deals, agent_seed=settings.agent_seed
        )
        results = games.play([bots[number] for number in match])
        if settings.record is not None:
            names = numbered([label(settings.bots[number]) for number in match])
            write_records(Path(settings.record) / f"match-{chunk.match:03}", games, names)
        return PlayedChunk(
            chunk,
            results.by_deal(len(match)),
            tuple(forfeit for bot in bots.values() for forfeit in bot.forfeits),
            {number: bot.time for number, bot in bots.items() if bot.time.decisions},
        )


def write_records(folder: Path, games: RotatedDeals, names: Sequence[str]) -> None:
    """Writes a record of each game; a chunk that is played again writes the same files.

    ``names`` are those of the bots by place: in rotation r, place i is seat i + r.
    """
    with errors_name(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for deal, rotation, game in games.games():
        path = folder / f"deal-{deal:06}-rotation-{rotation}.json"
        at_seats = [names[seat - rotation] for seat in range(len(names))]
        with errors_name(path):
            path.write_text(json.dumps({**game.record(), NAMES: at_seats}) + "\n", encoding="utf-8")
