"""Watch bots play, step through a recorded game, or review its choices.

- ``bots``: games of bots alone, which sit where; ``replay``, ``review``: recorded games
- ``tables``: what their pages ask for
"""
