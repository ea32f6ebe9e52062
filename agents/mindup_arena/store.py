"""The folder of an arena: a file for the settings and one for each chunk that was played.

Each file is whole from the moment it is there, so a run may end at any time and be resumed.
Timings are kept apart from the results, which are the same in every run.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from mindup_arena.chunk import Outcome
from mindup_arena.guarded_bot import Forfeit
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_arena.tables import GameResults
from mindup_arena.worker import Done, Spent
from mindup_env.files import write_text

SETTINGS = "settings.json"


def read_settings(folder: Path) -> ArenaSettings | None:
    """Those of the arena in a folder; None where there is none."""
    try:
        text = (folder / SETTINGS).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    return ArenaSettings.from_dict(json.loads(text))


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._results, self._timings = folder / "results", folder / "timings"

    def begin(self, settings: ArenaSettings) -> None:
        for folder in (self._results, self._timings):
            folder.mkdir(parents=True, exist_ok=True)
        write_text(self.folder / SETTINGS, _json(settings.to_dict()))

    def has(self, chunk: Chunk) -> bool:
        return (self._results / _name(chunk)).exists()

    def save(self, done: Done) -> None:
        chunk, played, forfeits = done.outcome
        timings = {str(bot): each._asdict() for bot, each in sorted(done.spent.items())}
        write_text(self._timings / _name(chunk), _json(timings))
        results = {
            "line_up": chunk.line_up,
            "deals": [chunk.deals.start, chunk.deals.stop],
            "forfeits": [forfeit._asdict() for forfeit in forfeits],
            "scores": played.scores.tolist(),
            "ranks": played.ranks.tolist(),
        }
        write_text(self._results / _name(chunk), _json(results))

    def load(self, chunk: Chunk) -> Done:
        plain = json.loads((self._results / _name(chunk)).read_text(encoding="utf-8"))
        played = GameResults(np.array(plain["scores"]), np.array(plain["ranks"]))
        forfeits = tuple(Forfeit(**forfeit) for forfeit in plain["forfeits"])
        timings = json.loads((self._timings / _name(chunk)).read_text(encoding="utf-8"))
        spent = {int(bot): Spent(**each) for bot, each in timings.items()}
        return Done(Outcome(chunk, played, forfeits), spent)


def _name(chunk: Chunk) -> str:
    return f"chunk-{chunk.number:05}.json"


def _json(plain: Any) -> str:
    return json.dumps(plain) + "\n"
