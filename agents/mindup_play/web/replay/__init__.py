"""A recorded game as one page in one file, which needs no network."""

from mindup_play.web.replay.build import replay_page

__all__ = ["replay_page"]
