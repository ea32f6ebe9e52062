"""The objectives in words, and who meets them now."""

from mindup_env.game import Game
from mindup_env.objectives import OBJECTIVES
from mindup_env.render.canvas import Canvas
from mindup_env.render.palette import GOLD, INK, QUIET, TEXT
from mindup_env.render.points import draw_points
from mindup_env.render.pygame_extra import FRect

_LINE = 20
_HEADING = 18
_CONDITION = 34
_MEETING = 345
_CHIP = 22
_BY_ID = {objective.id: objective for objective in OBJECTIVES}


def draw_objectives(canvas: Canvas, game: Game, area: FRect) -> None:
    if not game.objectives:
        return
    heading = area.top + _HEADING / 2 - 1
    canvas.text("objectives", (area.left, heading), 14, QUIET)
    words = "met by player" if game.over else "met now by player"
    canvas.text(words, (area.left + _MEETING, heading), 14, QUIET)
    for line, id_ in enumerate(game.objectives):
        middle = area.top + _HEADING + (line + 0.5) * _LINE
        objective = _BY_ID[id_]
        draw_points(canvas, (area.left + 12.5, middle), objective.points, height=16)
        canvas.text(
            objective.condition,
            (area.left + _CONDITION, middle),
            15,
            TEXT,
            room=_MEETING - _CONDITION - 10,
        )
        _draw_meeting(canvas, game, id_, (area.left + _MEETING, middle))


def _draw_meeting(canvas: Canvas, game: Game, id_: str, at: tuple[float, float]) -> None:
    players = range(game.config.num_players)
    meeting = [player for player in players if id_ in game.objectives_met(player)]
    if not meeting:
        canvas.text("nobody", at, 14, QUIET)
    for place, player in enumerate(meeting):
        chip = FRect(at[0] + place * _CHIP, at[1] - 8, _CHIP - 4, 16)
        canvas.box(chip, GOLD, radius=5)
        canvas.text(str(player), chip.center, 13, INK, align=0.5)
