"""One game to play, read, copy, save and replay.

- ``game``: ``Game``, which plays
- ``view``: ``GameView``, which reads: the table, the scores, the past, the tableaux of every round
- ``table``: ``TableView``, what is drawn, and its drawing as text
- ``rules``: the rules and the cards in words, for language models
- ``deal``: an explicit deal, checked
- ``record``: saved and recorded games as plain data, checked
"""

from mindup_env.game.game import Game
from mindup_env.game.view import GameView, RoundScore

__all__ = ["Game", "GameView", "RoundScore"]
