"""The results in the folder of an arena: two files for each chunk that was played.

Each is written in one step, the results last, so that a chunk with results is complete. Timings are
kept apart from the results, which are the same in every run.
"""

import json
from pathlib import Path

import numpy as np

from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.match import MatchResults
from mindup_arena.schedule import Chunk
from mindup_env.runs.files import remove_leftovers, write_text


class ArenaFolder:
    """The files of an arena."""

    def __init__(self, path: Path) -> None:
        self.report = path / "report.json"
        self._folders = path / "timings", path / "results"

    def begin(self) -> None:
        """Makes the folders of the chunks."""
        for folder in self._folders:
            folder.mkdir(exist_ok=True)
            remove_leftovers(folder)

    def has(self, chunk: Chunk) -> bool:
        return self._paths(chunk)[-1].exists()

    def save(self, played: PlayedChunk) -> None:
        chunk, results = played.chunk, played.results
        timings = {str(bot): time._asdict() for bot, time in sorted(played.times.items())}
        plain = {
            "match": chunk.match,
            "deals": [chunk.deals.start, chunk.deals.stop],
            "forfeits": [forfeit._asdict() for forfeit in played.forfeits],
            "scores": results.scores.tolist(),
            "ranks": results.ranks.tolist(),
        }
        for path, content in zip(self._paths(chunk), (timings, plain), strict=True):
            write_text(path, json.dumps(content) + "\n")

    def load(self, chunk: Chunk) -> PlayedChunk:
        """The results of a chunk that was saved."""
        timings, plain = (json.loads(path.read_bytes()) for path in self._paths(chunk))
        return PlayedChunk(
            chunk,
            MatchResults(np.array(plain["scores"]), np.array(plain["ranks"])),
            tuple(Forfeit(**{**f, "games": tuple(f["games"])}) for f in plain["forfeits"]),
            {int(bot): DecisionTime(**timing) for bot, timing in timings.items()},
        )

    def _paths(self, chunk: Chunk) -> tuple[Path, ...]:
        """The file of the timings, and that of the results."""
        return tuple(folder / f"chunk-{chunk.number:05}.json" for folder in self._folders)
