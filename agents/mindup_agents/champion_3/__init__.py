"""The bot ``champion-3``: most sampled games end early, and so there are more of them.

Its networks are the result of ``mindup train champion --players 4 --workers 2``.
"""

from mindup_agents.lookahead import Champion


class Champion3(Champion):
    """Plays the card that wins most often in more and shorter sampled games, with 4 players."""

    package = __name__
