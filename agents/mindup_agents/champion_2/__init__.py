"""The bot ``champion-2``, with its networks; ``lookahead`` has the code."""

from mindup_agents.lookahead.bot import Champion2

__all__ = ["Champion2"]
