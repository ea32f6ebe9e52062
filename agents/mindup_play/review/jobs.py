"""Reviews in the background of the server, one after another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from mindup_agents.review import review_game
from mindup_play.background_worker import BackgroundWorker
from mindup_play.languages import TextError
from mindup_play.records import games_of

_MOST_KEPT = 8
"""Reviews that a server remembers."""


@dataclass
class _Job:
    progress: float = 0.0
    review: dict[str, Any] | None = None
    failed: bool = False


class ReviewJobs:
    """The reviews that a page has asked for, by the ids of games; ``warn`` is told about errors."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._lock = Lock()
        self._jobs: dict[str, _Job] = {}
        self._worker: BackgroundWorker | None = None

    def state(self, game_id: str, read_record: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """How far the review of a game is, and the review when it is ready; starts it if need be.

        A review that failed is reported once; the next request starts it again.
        """
        with self._lock:
            job = self._jobs.get(game_id)
        if job is None:
            job = self._start(game_id, read_record())
        if job.failed:
            with self._lock:
                self._jobs.pop(game_id, None)
            raise TextError("review_failed")
        return {"progress": job.progress, "review": job.review}

    def _start(self, game_id: str, record: Mapping[str, Any]) -> _Job:
        with self._lock:
            if game_id in self._jobs:  # another request was faster
                return self._jobs[game_id]
            if self._worker is None:
                self._worker = BackgroundWorker()
            job = self._jobs[game_id] = _Job()
            for old in list(self._jobs)[:-_MOST_KEPT]:
                del self._jobs[old]
        self._worker.submit(lambda: self._work(job, record))
        return job

    def _work(self, job: _Job, record: Mapping[str, Any]) -> None:
        def show(progress: float) -> None:
            job.progress = progress

        try:
            # One thread: the bots of another game may need the other cores meanwhile.
            job.review = review_game(games_of(record), num_threads=1, on_progress=show).to_dict()
        except Exception as error:  # noqa: BLE001  # the page shows that it failed
            job.failed = True
            self._warn(f"the review failed: {type(error).__name__}: {error}")
