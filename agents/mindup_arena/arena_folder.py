"""The results in the folder of an arena: two files for each chunk that was played.

Each is written in one step, the results last, so that a chunk with results is complete. Timings are
kept apart from the results, which are the same in every run.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.match import MatchResults
from mindup_arena.schedule import Chunk
from mindup_env.runs.files import remove_leftovers, write_text

_DAMAGE = (
    FileNotFoundError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
)
"""Errors of reading what is no file of a chunk."""
RESULTS, TIMINGS = "results", "timings"


class ArenaFolder:
    """The files of an arena, or of what else plays like one."""

    def __init__(self, path: Path) -> None:
        self.report, self.bots = path / "report.json", path / "bots"
        self._results, self._timings = path / RESULTS, path / TIMINGS

    def begin(self) -> None:
        """Makes the folders of the chunks."""
        for folder in (self._results, self._timings):
            folder.mkdir(exist_ok=True)
            remove_leftovers(folder)

    def has_results(self) -> bool:
        return any(self._results.glob("*.json"))

    def has(self, chunk: Chunk) -> bool:
        return (self._results / _name(chunk)).exists()

    def save(self, played: PlayedChunk) -> None:
        chunk = played.chunk
        timings = {}
        for bot in sorted({*played.times, *played.usage}):
            timings[str(bot)] = played.times.get(bot, DecisionTime())._asdict()
            if bot in played.usage:
                timings[str(bot)]["usage"] = dict(played.usage[bot])
        plain = {
            "line_up": chunk.match,
            "deals": [chunk.deals.start, chunk.deals.stop],
            "forfeits": [forfeit._asdict() for forfeit in played.forfeits],
            "scores": played.results.scores.tolist(),
            "ranks": played.results.ranks.tolist(),
        }
        write_text(self._timings / _name(chunk), json.dumps(timings) + "\n")
        write_text(self._results / _name(chunk), json.dumps(plain) + "\n")

    def load(self, chunk: Chunk) -> PlayedChunk:
        """The results of a chunk that was saved.

        Raises:
            ValueError: if its files are damaged.
        """
        results, timings = (folder / _name(chunk) for folder in (self._results, self._timings))
        try:
            return _read(chunk, _read_json(results), _read_json(timings))
        except _DAMAGE as error:
            raise ValueError(
                f"{results} and {timings} are damaged ({error}): remove both to play the chunk "
                "again"
            ) from None


def _read(chunk: Chunk, plain: Any, timings: Any) -> PlayedChunk:
    usage = {int(bot): timing.pop("usage", None) for bot, timing in timings.items()}
    return PlayedChunk(
        chunk,
        MatchResults(np.array(plain["scores"]), np.array(plain["ranks"])),
        tuple(Forfeit(**{**each, "games": tuple(each["games"])}) for each in plain["forfeits"]),
        {int(bot): DecisionTime(**timing) for bot, timing in timings.items()},
        {bot: used for bot, used in usage.items() if used is not None},
    )


def _name(chunk: Chunk) -> str:
    return f"chunk-{chunk.number:05}.json"


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
