"""The folder of an arena: a file for the settings and one for each chunk that was played.

Each file is written atomically, so a run can be interrupted at any time and resumed. Timings are
kept apart from the results, which are the same in every run.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mindup_arena.chunk import PlayedChunk
from mindup_arena.chunk_data import read_chunk
from mindup_arena.fingerprint import Fingerprints
from mindup_arena.monitored_agent import DecisionTime
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_env.runs.files import remove_leftovers, write_text
from mindup_env.settings.checks import as_list


class ArenaFolder:
    """The files of an arena, or of what else plays like one, by the class of its settings."""

    def __init__(self, path: Path, settings_class: type[ArenaSettings] = ArenaSettings) -> None:
        self._settings_class = settings_class
        self.report, self.bots = path / "report.json", path / "bots"
        self._path, self._settings = path, path / "settings.json"
        self._fingerprints = path / "fingerprints.json"
        self._results, self._timings = path / "results", path / "timings"

    def read_settings(self) -> ArenaSettings | None:
        """The settings of the arena in the folder; None if there is no arena."""
        try:
            return self._settings_class.from_dict(_read_json(self._settings))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, RecursionError) as error:
            kind = self._settings_class.kind
            raise ValueError(
                f"cannot read the settings of the {kind} in {self._settings}: {error}"
            ) from None

    def has_settings(self) -> bool:
        """Whether something was begun in the folder, of any kind."""
        return self._settings.exists()

    def begin(self, settings: ArenaSettings) -> None:
        for folder in (self._results, self._timings):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (self._path, self._results, self._timings):
            remove_leftovers(folder)
        write_text(self._settings, _json(settings.to_dict()))

    def read_fingerprints(self) -> list[Fingerprints | None]:
        """Those of the bots, one for each version that played; None if they are not known."""
        try:
            plain = _read_json(self._fingerprints)
            found = as_list("fingerprints", plain)
            return [None if each is None else Fingerprints.from_dict(each) for each in found]
        except FileNotFoundError:
            # In the first versions no arena had fingerprints.
            return [None] if self.has_results() else []
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{self._fingerprints} has no fingerprints: {error}") from None

    def write_fingerprints(self, found: Sequence[Fingerprints | None]) -> None:
        write_text(self._fingerprints, _json([each and each._asdict() for each in found]))

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
        write_text(self._timings / _name(chunk), _json(timings))
        plain = {
            "line_up": chunk.match,
            "deals": [chunk.deals.start, chunk.deals.stop],
            "forfeits": [forfeit._asdict() for forfeit in played.forfeits],
            "scores": played.results.scores.tolist(),
            "ranks": played.results.ranks.tolist(),
        }
        write_text(self._results / _name(chunk), _json(plain))

    def load(self, chunk: Chunk, settings: ArenaSettings) -> PlayedChunk:
        """The results of a chunk that was saved.

        Raises:
            ValueError: if its files are damaged.
        """
        results, timings = (folder / _name(chunk) for folder in (self._results, self._timings))
        try:
            return read_chunk(chunk, settings, _read_json(results), _read_json(timings))
        except (FileNotFoundError, ValueError, RecursionError) as error:
            raise ValueError(
                f"{results} and {timings} are not the results and the timings of a chunk of this "
                f"arena ({error}): remove both to play the chunk again"
            ) from None


def _name(chunk: Chunk) -> str:
    return f"chunk-{chunk.number:05}.json"


def _json(plain: Any) -> str:
    return json.dumps(plain) + "\n"


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
