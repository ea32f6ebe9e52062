"""The bot ``champion-3``: most sampled games end early, and so there are more of them.

Its networks are the results of ``mindup train champion --players N --workers 2``.
"""

from mindup_agents.lookahead import Champion


class Champion3(Champion):
    """Plays the card that wins most in more and shorter sampled games."""

    package = __name__
