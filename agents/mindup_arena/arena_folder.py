"""The folder of an arena: a file for the settings and one for each chunk that was played.

Each file is written atomically, so a run can be interrupted at any time and resumed. Timings are
kept apart from the results, which are the same in every run.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from mindup_arena.chunk import PlayedChunk
from mindup_arena.guarded_bot import DecisionTime, Forfeit
from mindup_arena.match import MatchResults
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_env.files import write_text


class ArenaFolder:
    def __init__(self, path: Path) -> None:
        self.report = path / "report.json"
        self._settings = path / "settings.json"
        self._results, self._timings = path / "results", path / "timings"

    def read_settings(self) -> ArenaSettings | None:
        """The settings of the arena in the folder; None if there is no arena."""
        try:
            text = self._settings.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        return ArenaSettings.from_dict(json.loads(text))

    def begin(self, settings: ArenaSettings) -> None:
        for folder in (self._results, self._timings):
            folder.mkdir(parents=True, exist_ok=True)
        write_text(self._settings, _json(settings.to_dict()))

    def has(self, chunk: Chunk) -> bool:
        return (self._results / _name(chunk)).exists()

    def save(self, played: PlayedChunk) -> None:
        chunk = played.chunk
        timings = {str(bot): time._asdict() for bot, time in sorted(played.times.items())}
        write_text(self._timings / _name(chunk), _json(timings))
        plain = {
            "line_up": chunk.match,
            "deals": [chunk.deals.start, chunk.deals.stop],
            "forfeits": [forfeit._asdict() for forfeit in played.forfeits],
            "scores": played.results.scores.tolist(),
            "ranks": played.results.ranks.tolist(),
        }
        write_text(self._results / _name(chunk), _json(plain))

    def load(self, chunk: Chunk) -> PlayedChunk:
        plain = json.loads((self._results / _name(chunk)).read_text(encoding="utf-8"))
        timings = json.loads((self._timings / _name(chunk)).read_text(encoding="utf-8"))
        return PlayedChunk(
            chunk,
            MatchResults(np.array(plain["scores"]), np.array(plain["ranks"])),
            tuple(Forfeit(**forfeit) for forfeit in plain["forfeits"]),
            {int(bot): DecisionTime(**time) for bot, time in timings.items()},
        )


def _name(chunk: Chunk) -> str:
    return f"chunk-{chunk.number:05}.json"


def _json(plain: Any) -> str:
    return json.dumps(plain) + "\n"
