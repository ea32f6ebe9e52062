"""A bot that tries its cards in sampled games.

- ``bot``: the bot and its options
- ``trying``: every card against what the models of the others play
- ``regret``: all players' cards against each other, until nobody regrets
"""

from mindup_agents.search.bot import Search

__all__ = ["Search"]
