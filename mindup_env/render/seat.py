"""The place of one player: name, scores, tableau and hand."""

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.finished_rounds import draw_finished_rounds
from mindup_env.render.hand import draw_hand
from mindup_env.render.palette import GOLD, INK, LINE, QUIET, SEAT, TEXT, Colour
from mindup_env.render.points import score_words
from mindup_env.render.pygame_extra import FRect
from mindup_env.render.tableau import draw_tableau

_PADDING = 12
_NAME = 36
_TALL = 400


def draw_seat(canvas: Canvas, game: Game, player: int, viewer: int | None, area: FRect) -> None:
    won = player in game.winners
    canvas.box(area, SEAT, radius=12, edge=GOLD if won else LINE, edge_width=3 if won else 1)
    inside = area.inflate(-2 * _PADDING, 0)
    _draw_name(canvas, game, player, viewer, FRect(inside.topleft, (inside.width, _NAME)))
    below = 66 if area.height > _TALL else 50
    hand = FRect(inside.left, area.bottom - _PADDING + 2 - below, inside.width, below)
    room = hand.top - 10 - inside.top - _NAME
    tableau = FRect(inside.left, inside.top + _NAME, inside.width, room)
    draw_tableau(canvas, game, player, tableau)
    if game.over:
        draw_finished_rounds(canvas, game, player, hand)
    else:
        draw_hand(canvas, game, player, viewer, hand)


def _draw_name(canvas: Canvas, game: Game, player: int, viewer: int | None, area: FRect) -> None:
    middle = area.centery
    width = canvas.text(f"player {player}", (area.left, middle), 18, TEXT)
    beside = (area.left + width + 10, middle)
    if player in game.winners:
        _draw_tag(canvas, "won", beside, GOLD)
    elif player == viewer and not game.over:
        _draw_tag(canvas, "viewer", beside, QUIET)
    right = _draw_score(
        canvas, "total" if game.over else "finished", game.scores[player], area.right, middle
    )
    running = game.round_scores[-1][player].total if game.over else game.running_scores[player]
    _draw_score(canvas, "last round" if game.over else "this round", running, right - 18, middle)


def _draw_score(canvas: Canvas, label: str, score: int, right: float, middle: float) -> float:
    """Writes a score that ends at ``right`` behind its label; returns where the label begins."""
    width = canvas.text(score_words(score), (right, middle), 20, TEXT, align=1)
    right -= width + 6
    return right - canvas.text(label, (right, middle), 14, QUIET, align=1)


def _draw_tag(canvas: Canvas, word: str, at: tuple[float, float], fill: Colour) -> None:
    width = canvas.text_width(word, 13) + 14
    canvas.box(FRect(at[0], at[1] - 9, width, 18), fill, radius=9)
    canvas.text(word, (at[0] + width / 2, at[1]), 13, INK, align=0.5)
