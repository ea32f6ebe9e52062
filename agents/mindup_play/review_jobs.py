"""Reviews of games in the background of a server."""

import traceback
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Any

from mindup_agents.review import review_game
from mindup_env import Game
from mindup_play.bots import in_background


class ReviewJobs:
    """The reviews that a page has asked for, by the ids of games; one is made at a time."""

    def __init__(self) -> None:
        self._working = Lock()
        self._jobs: dict[str, tuple[list[float], Future[dict[str, Any]]]] = {}  # with progress

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._jobs

    def start(self, game_id: str, games: list[Game]) -> None:
        if game_id not in self._jobs:
            progress = [0.0]
            self._jobs[game_id] = progress, in_background(partial(self._review, games, progress))

    def state(self, game_id: str) -> dict[str, Any]:
        """How far the review of a game is, and the review when it is ready.

        A review that failed is reported once; then it can be started again.
        """
        progress, job = self._jobs[game_id]
        if not job.done():
            return {"progress": progress[0], "review": None}
        if (error := job.exception()) is not None:
            del self._jobs[game_id]
            traceback.print_exception(error)
            raise ValueError(f"The review failed: {type(error).__name__}: {error}")
        return {"progress": progress[0], "review": job.result()}

    def _review(self, games: list[Game], progress: list[float]) -> dict[str, Any]:
        with self._working:
            show = partial(progress.__setitem__, 0)
            return review_game(games, on_progress=show).to_dict()
