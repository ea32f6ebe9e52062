"""Playing a chunk: one match over some deals, with bots that can forfeit games."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from mindup_agents.labels import label, numbered
from mindup_arena.bot import ArenaBot, DecisionTime, ReportCall
from mindup_arena.failures import FailedCallError, Forfeit, given_up, merged, parts_of
from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.schedule import Chunk, Match, matches
from mindup_arena.settings import ArenaSettings, MatchSettings
from mindup_env.game.record import NAMES
from mindup_env.runs.files import errors_name, write_plain

_LONGEST_NAME = 40
_SEATS = "in rotation r the bot at place i is player (i + r) modulo the number of players"


class ChunkTask(NamedTuple):
    """A chunk to play, and what is known from processes that had to be replaced in it."""

    chunk: Chunk
    failures: tuple[Forfeit, ...] = ()
    died: bool = False  # its process died once, perhaps killed from outside


class PlayedChunk(NamedTuple):
    """A chunk with its results."""

    chunk: Chunk
    results: MatchResults
    forfeits: tuple[Forfeit, ...]
    times: dict[int, DecisionTime]  # by bot
    usage: Mapping[int, Mapping[str, float]] = MappingProxyType({})  # by bot, and by name


class ChunkPlayer:
    """Plays chunks with bots that are made once and kept from chunk to chunk."""

    reward = "win"

    def __init__(
        self, settings: MatchSettings, report_call: ReportCall, bots_folder: Path | None = None
    ) -> None:
        self.settings = settings
        self._matches = matches(settings)
        self.bots = []
        for number, spec in enumerate(settings.bots):
            name = f"{number}-{re.sub('[^A-Za-z0-9_.-]+', '-', spec)[:_LONGEST_NAME]}"
            own = bots_folder and bots_folder / name
            self.bots.append(ArenaBot(number, spec, settings.config, report_call, own))

    def play(self, task: ChunkTask) -> PlayedChunk:
        chunk, match, settings = task.chunk, self._matches[task.chunk.match], self.settings
        bots = {bot: self.bots[bot] for bot in match}
        for bot in bots.values():
            bot.time, bot.usage = DecisionTime(), {}
        num_rotations = self.num_rotations(match)
        every_game = range(len(chunk.deals) * num_rotations)
        parts: list[MatchResults] = []
        forfeits: list[Forfeit] = []
        errors: list[Forfeit] = []
        waiting = [every_game]
        while waiting:
            games = waiting.pop()
            lost = {bot: given_up(bot, games, errors, task.failures) for bot in bots}
            # Of several failures in exactly these games, the last is the earliest decision.
            failed = {
                each.bot: each
                for each in (*task.failures, *errors)
                if each.games == tuple(games) and not lost[each.bot]
            }
            if failed and len(games) > 1:
                waiting.extend(reversed(parts_of(games, len(every_game))))
                continue
            for number, bot in bots.items():
                bot.begin_games(games, lost[number] or failed.get(number))
            deals = RotatedDeals(
                settings.config,
                settings.seed,
                chunk.deals,
                agent_seed=settings.agent_seed,
                num_rotations=num_rotations,
                part=games,
                reward=self.reward,
            )
            try:
                parts.append(self.play_games(deals, chunk, [self.bots[bot] for bot in match]))
            except FailedCallError as error:
                errors.append(error.failure)
                waiting.append(games)
            else:
                forfeits += [each for bot in bots.values() for each in bot.forfeits]
        return PlayedChunk(
            chunk,
            MatchResults.concatenate(parts).by_deal(num_rotations),
            merged(forfeits),
            {number: bot.time for number, bot in bots.items() if bot.time.decisions},
            {number: bot.usage for number, bot in bots.items() if bot.usage},
        )

    def num_rotations(self, match: Match) -> int:
        """In how many seat rotations each deal is played."""
        return len(match)

    def play_games(
        self, games: RotatedDeals, chunk: Chunk, bots: Sequence[ArenaBot]
    ) -> MatchResults:
        """Plays games of a chunk with the bots of its match, and keeps what the settings ask."""
        results = games.play(bots)
        if isinstance(self.settings, ArenaSettings) and self.settings.record is not None:
            names = numbered([label(bot.spec) for bot in bots])
            write_records(Path(self.settings.record), chunk.match, games, names)
        return results


def write_records(folder: Path, match: int, games: RotatedDeals, names: Sequence[str]) -> None:
    """Writes a record of each game; a chunk that is played again writes the same files.

    ``names`` are those of the bots by place: in rotation r, place i is seat i + r.
    """
    own = folder / _folder_name(match)
    with errors_name(own):
        own.mkdir(parents=True, exist_ok=True)
    for deal, rotation, game in games.games():
        path = record_path(folder, match, deal, rotation)
        with errors_name(path):
            at_seats = [names[seat - rotation] for seat in range(len(names))]
            record = {**game.record(), NAMES: at_seats}
            path.write_text(json.dumps(record) + "\n", encoding="utf-8")


def record_path(folder: Path, match: int, deal: int, rotation: int) -> Path:
    """The file of a game in a folder of records."""
    return folder / _folder_name(match) / f"deal-{deal:06}-rotation-{rotation}.json"


def write_seats(folder: Path, settings: MatchSettings) -> None:
    """Writes, beside the records, which bot sits where."""
    bots = {
        _folder_name(index): [settings.bots[bot] for bot in match]
        for index, match in enumerate(matches(settings))
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_plain(folder / "line-ups.json", {"seats": _SEATS, "line_ups": bots})


def _folder_name(match: int) -> str:
    return f"line-up-{match:03}"
