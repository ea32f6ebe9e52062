"""The recipe of ``champion-2``: games of bots, networks fitted to them, and games of its own.

- ``settings``: what the networks depend on
- ``recipe``: the steps, each of which is left out if it was done
- ``command``: ``mindup champion``
"""
