"""Full games that agree with everything one seat knows, for bots that search or estimate.

- ``sampling``: ``sample``, which puts the steps together
- ``observed``: an observation in the numbers of the engine
- ``validation``: refuses an observation that contradicts itself
- ``public_state``: the visible part of the state of games
- ``hidden``: the hidden part, drawn at random
- ``drawing``: random orders of hidden cards, compiled
- ``weights``: the weights by which opponents draw hidden cards
"""

from mindup_env.belief.sampling import sample

__all__ = ["sample"]
