"""The line at the top: where the game is, and who won it."""

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.layout import TITLE
from mindup_env.render.palette import GOLD, QUIET, TEXT


def draw_headline(canvas: Canvas, game: Game, viewer: int | None) -> None:
    middle = TITLE.centery
    width = canvas.text("Mind Up!", (TITLE.left, middle), 26, TEXT)
    left = TITLE.left + width + 24
    if game.over:
        canvas.text(_winners(game.winners), (left, middle), 20, GOLD)
    else:
        turns = game.config.hand_size + game.round - 2
        words = f"round {game.round} of {game.config.num_rounds},  turn {game.turn} of {turns}"
        canvas.text(words, (left, middle), 20, TEXT)
    if viewer is not None:
        words = f"as player {viewer} sees it"
        canvas.text(words, (TITLE.right, middle), 15, QUIET, align=1)


def _winners(winners: tuple[int, ...]) -> str:
    if len(winners) == 1:
        return f"the game is over: player {winners[0]} won"
    earlier = ", ".join(map(str, winners[:-1]))
    return f"the game is over: players {earlier} and {winners[-1]} share the victory"
