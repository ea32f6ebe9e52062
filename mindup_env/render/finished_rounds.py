"""What a player scored in each round, once the game is over."""

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.palette import QUIET, SLOT, TEXT
from mindup_env.render.points import score_words
from mindup_env.render.pygame_extra import FRect

_CELL = 72
_GAP = 6


def draw_finished_rounds(canvas: Canvas, game: Game, player: int, area: FRect) -> None:
    """The rounds side by side; the last ones, if there is no room for all."""
    most = int((area.width + _GAP) // (_CELL + _GAP))
    rounds = range(game.config.num_rounds)[-most:]
    width = (area.width + _GAP) / len(rounds) - _GAP
    for place, round_ in enumerate(rounds):
        cell = FRect(area.left + place * (width + _GAP), area.bottom - 46, width, 46)
        score = game.round_scores[round_][player]
        canvas.box(cell, SLOT, radius=6)
        canvas.text(f"round {round_ + 1}", (cell.centerx, cell.top + 13), 13, QUIET, align=0.5)
        canvas.text(score_words(score.total), (cell.centerx, cell.top + 32), 18, TEXT, align=0.5)
