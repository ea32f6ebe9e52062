"""A recorded game as one page in one file, which needs no network."""

from mindup_agents.replay_page.build import replay_page

__all__ = ["replay_page"]
