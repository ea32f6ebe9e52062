"""The game for OpenSpiel's algorithms; importing this package registers it as ``mindup``.

- ``game``: the game and its states, through OpenSpiel's API
- ``parameters``: the config, score cards and reward as OpenSpiel's game parameters
- ``chance``: the chance nodes, with exact probabilities
- ``history_state``: a game from its first chance draw on, as an immutable value
- ``observer``: observations and information states, as vectors and strings
- ``bots``: a bot as a policy
- ``pyspiel_extra``: imports OpenSpiel, or says how to install it
"""

from mindup_env.open_spiel.bots import BotPolicy
from mindup_env.open_spiel.game import NAME, load_game, load_tree

__all__ = ["NAME", "BotPolicy", "load_game", "load_tree"]
