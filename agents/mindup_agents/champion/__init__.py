"""The bot ``champion``: plays every card in sampled games, which trained networks value.

Its networks are the results of ``mindup train champion --players N``.

- ``bot``: what it adds to the bot ``search``
- ``opponents``: networks as models of the opponents
- ``network_file``: the files of the networks; ``network`` computes them, for any seat of a game
- ``position``: the features that they read; ``position_parts`` writes them, and says where each is
"""

from mindup_agents.champion.bot import Champion

__all__ = ["Champion"]
