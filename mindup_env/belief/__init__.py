"""Full games that agree with everything one seat knows: what a bot that searches plays out.

- ``seen``: what an observation tells
- ``faults``: where an observation contradicts itself
- ``table``: what is seen, as the state of games
- ``hidden``: what is not seen, drawn at random
- ``drawing``: the order in which hidden cards are drawn
- ``weights``: what can be drawn by a bot's own weights
- ``sampling``: ``sample``, which puts them together
"""

from mindup_env.belief.sampling import sample

__all__ = ["sample"]
