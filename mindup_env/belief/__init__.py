"""Full games that agree with everything one seat knows, for bots that search or estimate.

- ``sampling``: ``sample``, which makes such games
- ``hidden``: what a seat does not know, drawn at random
"""

from mindup_env.belief.sampling import sample

__all__ = ["sample"]
