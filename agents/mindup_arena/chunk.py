"""Playing a chunk: one match over some deals, with bots that can forfeit games."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from mindup_agents.labels import label, numbered
from mindup_arena.bot import ArenaBot, CallMonitor, DecisionTime
from mindup_arena.failures import FailedCallError, FailureLog, Forfeit, merged, parts_of
from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.schedule import Chunk, Match, matches
from mindup_arena.settings import MatchSettings, RankedSettings
from mindup_env.game.record import NAMES
from mindup_env.runs.files import errors_name, write_text

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
    """Plays chunks with bots that are made once and kept from chunk to chunk.

    Attributes:
        finds_failed_games (bool): Whether a bot that fails forfeits the games in which it failed;
            otherwise it forfeits the whole chunk.
    """

    finds_failed_games: ClassVar[bool] = True

    def __init__(
        self, settings: MatchSettings, monitor: CallMonitor, bots_folder: Path | None = None
    ) -> None:
        self._settings = settings
        self._matches = matches(settings)
        self.bots = []
        for number, spec in enumerate(settings.bots):
            name = f"{number}-{re.sub('[^A-Za-z0-9_.-]+', '-', spec)[:_LONGEST_NAME]}"
            own = bots_folder and bots_folder / name
            self.bots.append(ArenaBot(number, spec, settings.config, monitor, own))

    def play(self, task: ChunkTask) -> PlayedChunk:
        chunk, match = task.chunk, self._matches[task.chunk.match]
        bots = {bot: self.bots[bot] for bot in match}
        for bot in bots.values():
            bot.begin_chunk()
        num_rotations = self.num_rotations(match)
        every_game = range(len(chunk.deals) * num_rotations)
        log, waiting = FailureLog(task.failures), [every_game]
        parts: list[MatchResults] = []
        forfeits: list[Forfeit] = []
        while waiting:
            games = waiting.pop()
            given_up = {bot: log.given_up(bot, games) for bot in bots}
            failures = [each for each in log.of(games) if not given_up[each.bot]]
            if failures and len(games) > 1 and self.finds_failed_games:
                waiting.extend(reversed(parts_of(games, len(every_game))))
                continue
            for number, bot in bots.items():
                lost = given_up[number]
                bot.begin_games(games, [lost] if lost else [f for f in failures if f.bot == number])
            try:
                parts.append(self.play_games(chunk, match, games))
            except FailedCallError as error:
                log.add(error.failure)
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

    def play_games(self, chunk: Chunk, match: Match, games: range) -> MatchResults:
        """Plays games of a chunk, with the bots ready, and records them if the settings say so."""
        settings = self._settings
        deals = RotatedDeals(
            settings.config,
            settings.seed,
            chunk.deals,
            agent_seed=settings.agent_seed,
            part=games,
        )
        results = deals.play([self.bots[bot] for bot in match])
        if isinstance(settings, RankedSettings) and settings.record is not None:
            names = numbered([label(settings.bots[bot]) for bot in match])
            write_records(Path(settings.record), chunk.match, deals, names)
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
    text = json.dumps({"seats": _SEATS, "line_ups": bots}, indent=2) + "\n"
    write_text(folder / "line-ups.json", text)


def _folder_name(match: int) -> str:
    return f"line-up-{match:03}"
