"""A bot that evaluates its cards in sampled games: ``bot``, and what it calls in ``kernels``."""

from mindup_agents.search.bot import Search

__all__ = ["Search"]
