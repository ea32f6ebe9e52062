"""A bot that evaluates its cards in sampled games.

- ``bot``: the bot and its options
- ``flat_monte_carlo``: the win probability of every card against the models' cards
- ``regret_matching``: strategies of all players for one turn
"""

from mindup_agents.search.bot import Search

__all__ = ["Search"]
