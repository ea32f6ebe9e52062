"""Reviews of finished games, made in the background."""

from functools import partial
from typing import Any

from mindup_agents.review import review_game
from mindup_env import Game
from mindup_play.bots import in_background

Plain = dict[str, Any]


class _Review:
    def __init__(self, games: list[Game]) -> None:
        self.progress = 0.0
        show = partial(setattr, self, "progress")
        self.made = in_background(lambda: review_game(games, on_progress=show).to_dict())


class Reviews:
    """Reviews by the ids of their games."""

    def __init__(self) -> None:
        self._reviews: dict[str, _Review] = {}

    def progress(self, game_id: str, games: list[Game]) -> Plain:
        """How far the review is; the first call starts it.

        A review that failed is reported once; then it can be started again.
        """
        review = self._reviews.get(game_id) or _Review(games)
        self._reviews[game_id] = review
        if not review.made.done():
            return {"progress": review.progress, "review": None}
        if review.made.exception():
            del self._reviews[game_id]
        return {"progress": 1.0, "review": review.made.result()}
