"""One game, for people: to play, to look at, to copy, to save and to replay."""

from mindup_env.game.game import Game, RoundScore

__all__ = ["Game", "RoundScore"]
