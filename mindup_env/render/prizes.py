"""The row of prizes, which are the cards played last, and who played them."""

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.cards import draw_prize
from mindup_env.render.palette import QUIET, TEXT
from mindup_env.render.pygame_extra import FRect

_SLOT = 104
_CARD = 72
_LABELS = 84


def draw_prizes(canvas: Canvas, game: Game, area: FRect) -> None:
    caption = area.bottom - 8
    card_height = area.height - 22
    left = area.left + _LABELS
    if not game.objectives:
        left = area.centerx - len(game.row) * _SLOT / 2
    canvas.text("prizes", (left - _LABELS, area.top + card_height / 2), 17, TEXT)
    canvas.text("played by", (left - _LABELS, caption), 14, QUIET)
    played_by = _played_by(game)
    for place, number in enumerate(game.row):
        middle = left + (place + 0.5) * _SLOT
        card = FRect(middle - _CARD / 2, area.top, _CARD, card_height)
        draw_prize(canvas, card, game.config.deck[number])
        words = played_by.get(number, "from the deck")
        canvas.text(words, (middle, caption), 14, TEXT, align=0.5, room=_SLOT - 6)


def _played_by(game: Game) -> dict[int, str]:
    if not game.plays:
        return {}
    return {card: f"player {player}" for player, card in enumerate(game.plays[-1])}
