"""Watch bots play, step through a recorded game, or review its choices.

- ``command``: ``mindup watch``; ``report``: what its review writes to the terminal
- ``tables``: what the pages ask for
"""
