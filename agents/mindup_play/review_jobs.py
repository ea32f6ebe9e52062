"""Reviews of games in the background of a server."""

import traceback
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Any

from mindup_agents.review import review_game
from mindup_env import Game
from mindup_play.bots import in_background

_MOST_KEPT = 8
"""Reviews that a server remembers."""


class ReviewJobs:
    """The reviews that a page has asked for, by the ids of games, in the background."""

    def __init__(self) -> None:
        self._lock, self._working = Lock(), Lock()
        self._jobs: dict[str, tuple[list[float], Future[dict[str, Any]]]] = {}  # with progress

    def state(self, game_id: str, read_games: Callable[[], list[Game]]) -> dict[str, Any]:
        """How far the review of a game is, and the review when it is ready; starts it if need be.

        A review that failed is reported once; the next request starts it again.
        """
        with self._lock:
            if game_id not in self._jobs:
                progress, games = [0.0], read_games()
                work = partial(self._review, games, progress)
                self._jobs[game_id] = progress, in_background(work)
                for old in list(self._jobs)[:-_MOST_KEPT]:
                    del self._jobs[old]
            progress, job = self._jobs[game_id]
            try:
                review = job.result() if job.done() else None
            except Exception as error:  # noqa: BLE001  # the page shows that it failed
                del self._jobs[game_id]
                traceback.print_exception(error)
                raise ValueError(f"The review failed: {type(error).__name__}: {error}") from None
            return {"progress": progress[0], "review": review}

    def _review(self, games: list[Game], progress: list[float]) -> dict[str, Any]:
        with self._working:  # one review at a time
            show = partial(progress.__setitem__, 0)
            return review_game(games, on_progress=show).to_dict()
