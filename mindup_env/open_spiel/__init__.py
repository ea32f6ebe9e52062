"""The game in OpenSpiel, for its algorithms; to import this registers it as ``mindup``.

- ``parameters``: a table as the parameters of an OpenSpiel game
- ``piles``, ``chance``: what chance decides, with exact odds
- ``history``: a game from its first draw on, as a value
- ``seen``: what a seat sees, and has seen
- ``game``, ``observer``: these in the forms of OpenSpiel
- ``bots``: a bot as a policy
"""

from mindup_env.open_spiel.bots import BotPolicy
from mindup_env.open_spiel.game import NAME, load_game, load_tree

__all__ = ["NAME", "BotPolicy", "load_game", "load_tree"]
