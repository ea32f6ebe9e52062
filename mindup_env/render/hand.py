"""A hand: what everybody knows of it, then what only its owner knows."""

from collections.abc import Iterator

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.cards import draw_back, draw_hand_card
from mindup_env.render.pygame_extra import FRect

_GAP = 4


def draw_hand(canvas: Canvas, game: Game, player: int, viewer: int | None, area: FRect) -> None:
    known = game.known(player)
    hidden = [card for card in game.hand(player) if card not in known]
    places = _places(area, game.config.largest_hand)
    for number in known:
        draw_hand_card(canvas, next(places), game.config.deck[number], public=True)
    for number in hidden:
        if viewer in (None, player):
            draw_hand_card(canvas, next(places), game.config.deck[number], public=False)
        else:
            draw_back(canvas, next(places))


def _places(area: FRect, cards: int) -> Iterator[FRect]:
    """Room for so many cards, which stays as wide when there are fewer."""
    step = min((area.width + _GAP) / cards, area.height)
    for place in range(cards):
        yield FRect(area.left + place * step, area.top, step - _GAP, area.height)
