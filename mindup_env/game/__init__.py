"""One game to play, read, copy, save and replay.

- ``game``: ``Game``, which plays
- ``view``: ``GameView``, which reads: the table, the scores, the past
- ``table``: ``TableView``, what is drawn, and its drawing as text
- ``deal``: an explicit deal, checked
- ``record``: saved and recorded games as plain data, checked
- ``start``: the first state of a sampled game, for its record
- ``tableaux``: the tableaux of every round, from the log of a game
"""

from mindup_env.game.game import Game
from mindup_env.game.view import GameView, RoundScore

__all__ = ["Game", "GameView", "RoundScore"]
