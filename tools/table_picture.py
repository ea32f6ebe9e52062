"""The picture of a game on the environment page, drawn by ``mindup_env.render``.

``make pictures`` draws it again, after a change of the drawing.
"""

from pathlib import Path

from mindup_env import Game, GameConfig
from mindup_env.render.picture import save

PATH = Path(__file__).parent.parent / "docs" / "images" / "table.png"


def game_of_the_docs() -> Game:
    game = Game(GameConfig(num_players=4), seed=7)
    for turn in range(8):
        game.play([game.hand(player)[turn % 2] for player in range(4)])
    return game


if __name__ == "__main__":
    PATH.parent.mkdir(exist_ok=True)
    save(game_of_the_docs(), PATH)
