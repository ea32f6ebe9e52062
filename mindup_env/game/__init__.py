"""One game to play, read, copy, save and replay.

- ``game``: ``Game``, which plays
- ``view``: ``GameView``, which reads: the table as it is now, the scores, the past
- ``deal``: an explicit deal, checked
- ``table``: what is drawn of a table, and its drawing as text
- ``rules_text``: the rules and the cards in words, for language models
"""

from mindup_env.game.game import Game
from mindup_env.game.view import RoundScore

__all__ = ["Game", "RoundScore"]
