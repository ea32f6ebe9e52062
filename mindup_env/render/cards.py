"""The cards: prizes, cards of a column, cards of a hand, backs and score cards."""

from mindup_env.cards import Card
from mindup_env.render.canvas import Canvas
from mindup_env.render.palette import (
    BACK,
    BACK_LINE,
    CARD,
    INK,
    PAPER,
    SECRET,
    TABLE,
    TEXT,
    Colour,
    dark,
    mixed,
)
from mindup_env.render.points import draw_points, signed
from mindup_env.render.pygame_extra import FRect

_SMALLEST = 13  # the size of the smallest text that reads well


def draw_prize(canvas: Canvas, area: FRect, card: Card) -> None:
    colour = CARD[card.colour]
    canvas.box(area, colour, radius=9)
    canvas.symbol(card.colour, (area.left + 14, area.top + 14), 15, dark(colour))
    draw_points(canvas, (area.right - 17, area.top + 14), card.points)
    canvas.text(str(card.number), (area.centerx, area.centery + 4), 38, INK, align=0.5)
    canvas.text(card.colour, (area.centerx, area.bottom - 13), 13, INK, align=0.5)


def draw_column_card(canvas: Canvas, area: FRect, strip: float, card: Card, *, new: bool) -> None:
    """A card of which the next one leaves only the uppermost ``strip`` to be seen."""
    colour = CARD[card.colour]
    # The edge sets the card off from the one beneath it, which has the same colour.
    edge, width = (TEXT, 2.5) if new else (mixed(colour, INK, 0.5), 1)
    canvas.box(area, colour, radius=6, edge=edge, edge_width=width)
    middle = area.top + min(strip / 2 + 0.5, 19)
    size = min(max(0.85 * strip, _SMALLEST), 0.24 * area.width, 24)
    canvas.text(str(card.number), (area.left + 7, middle), size, INK)
    canvas.symbol(card.colour, (_between(area, size), middle), 0.62 * size, dark(colour))
    draw_points(canvas, (area.right - 17, middle), card.points, height=min(strip - 3, 18))


def _between(area: FRect, size: float) -> float:
    """The middle of what is left of a strip between its number and its points."""
    return (area.left + 7 + 1.1 * size + area.right - 29) / 2


def draw_hand_card(canvas: Canvas, area: FRect, card: Card, *, public: bool) -> None:
    """A full card where everybody knows it, an outline where only its owner does."""
    colour = CARD[card.colour]
    if public:
        canvas.box(area, colour, radius=6)
        _draw_face(canvas, area, card, INK, dark(colour))
    else:
        canvas.box(area, SECRET, radius=6, edge=colour)
        _draw_face(canvas, area, card, mixed(colour, TEXT, 0.35), colour)


def _draw_face(canvas: Canvas, area: FRect, card: Card, ink: Colour, sign: Colour) -> None:
    upper, lower = area.top + 0.33 * area.height, area.top + 0.74 * area.height
    size = min(0.42 * area.height, 26)
    canvas.text(str(card.number), (area.centerx, upper), size, ink, align=0.5, room=area.width - 8)
    side = min(0.24 * area.height, 0.32 * area.width)
    if not card.points:
        canvas.symbol(card.colour, (area.centerx, lower), side, sign)
        return
    canvas.symbol(card.colour, (area.centerx - min(0.26 * area.width, 13), lower), side, sign)
    beside = (area.centerx + min(0.2 * area.width, 13), lower)
    canvas.text(signed(card.points), beside, _SMALLEST, ink, align=0.5, room=area.width / 2)


def draw_back(canvas: Canvas, area: FRect) -> None:
    canvas.box(area, BACK, radius=6, edge=BACK_LINE)
    canvas.box(area.inflate(-10, -10), BACK, radius=4, edge=BACK_LINE, edge_width=1)
    canvas.text("?", area.center, 0.4 * area.height, mixed(BACK_LINE, TEXT, 0.35), align=0.5)


def draw_score_card(canvas: Canvas, area: FRect, value: int) -> None:
    canvas.box(area, PAPER, radius=6)
    canvas.text(str(value), area.center, 17, TABLE, align=0.5)
