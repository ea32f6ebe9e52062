"""The line at the bottom: what the marks of the cards mean."""

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.layout import LEGEND
from mindup_env.render.palette import BACK, BACK_LINE, QUIET, SECRET, TEXT, Colour
from mindup_env.render.pygame_extra import FRect

_SAMPLE = (13, 18)


def draw_legend(canvas: Canvas, game: Game, viewer: int | None) -> None:
    left = LEGEND.left
    for fill, edge, words in _marks(game, viewer):
        sample = FRect(left, LEGEND.centery - _SAMPLE[1] / 2, *_SAMPLE)
        canvas.box(sample, fill, radius=3, edge=edge)
        left = sample.right + 8
        left += canvas.text(words, (left, LEGEND.centery), 14, QUIET) + 28


def _marks(game: Game, viewer: int | None) -> list[tuple[Colour, Colour, str]]:
    taken = (QUIET, TEXT, "prize of the last turn")
    if game.over:
        return [taken]
    marks = [
        (QUIET, QUIET, "everybody knows this card"),
        (SECRET, QUIET, "only its owner knows this card"),
        taken,
    ]
    if viewer is not None:
        marks.insert(2, (BACK, BACK_LINE, f"player {viewer} does not know this card"))
    return marks
