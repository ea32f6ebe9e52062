"""The bot ``champion``: plays every card in sampled games, which trained networks value.

Its networks are the results of ``mindup train champion --players N``.

- ``bot``: what it adds to the bot ``search``
- ``opponents``: networks as models of the opponents
- ``network_file``: the files of the networks; ``network``: their forward pass
- ``position``: the features that they read, with ``prize_features``; ``feature_shape``: their rows
"""

from mindup_agents.champion.bot import Champion

__all__ = ["Champion"]
