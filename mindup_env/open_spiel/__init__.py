"""The game for OpenSpiel's algorithms; importing this package registers it as ``mindup``.

- ``game``: the game and its states, through OpenSpiel's API; parameters
- ``history``: chance nodes with exact probabilities; a game as an immutable value
- ``resampling``: ``resample``, which searches with hidden information need
- ``observer``: observations and information states, as vectors and strings
"""

try:
    import pyspiel  # noqa: F401  # the first import of it
except ImportError as error:
    raise ImportError(
        "mindup_env.open_spiel needs OpenSpiel: pip install 'mindup-env[open-spiel]'"
    ) from error

from mindup_env.open_spiel.game import NAME, load_game
from mindup_env.open_spiel.resampling import resample

__all__ = ["NAME", "load_game", "resample"]
