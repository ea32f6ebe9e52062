"""The cards: prizes, cards of a column, cards of a hand, backs, score cards, and their points."""

from mindup_env.cards import Card
from mindup_env.render.canvas import Canvas
from mindup_env.render.palette import (
    BACK,
    BACK_LINE,
    CARD,
    INK,
    MALUS,
    PAPER,
    TABLE,
    TEXT,
    dark,
    mixed,
)
from mindup_env.render.pygame_extra import FRect

_SMALLEST_TEXT = 13  # the smallest size that is easy to read


def draw_prize(canvas: Canvas, area: FRect, card: Card) -> None:
    colour = CARD[card.colour]
    canvas.box(area, colour, radius=9)
    canvas.symbol(card.colour, (area.left + 14, area.top + 14), 15, dark(colour))
    draw_points(canvas, (area.right - 17, area.top + 14), card.points)
    canvas.text(str(card.number), (area.centerx, area.centery + 4), 38, INK, align=0.5)
    canvas.text(card.colour, (area.centerx, area.bottom - 13), 13, INK, align=0.5)


def draw_column_card(canvas: Canvas, area: FRect, strip: float, card: Card, *, new: bool) -> None:
    """A card of a column; the next card leaves only its uppermost ``strip`` visible."""
    colour = CARD[card.colour]
    # The edge separates the card from the one beneath it, which has the same colour.
    edge, width = (TEXT, 2.5) if new else (mixed(colour, INK, 0.5), 1)
    canvas.box(area, colour, radius=6, edge=edge, edge_width=width)
    middle = area.top + min(strip / 2 + 0.5, 19)
    size = min(max(0.85 * strip, _SMALLEST_TEXT), 0.24 * area.width, 24)
    canvas.text(str(card.number), (area.left + 7, middle), size, INK)
    canvas.symbol(card.colour, (_between(area, size), middle), 0.62 * size, dark(colour))
    draw_points(canvas, (area.right - 17, middle), card.points, height=min(strip - 3, 18))


def _between(area: FRect, size: float) -> float:
    """The middle of the free part of a strip, between its number and its points."""
    return (area.left + 7 + 1.1 * size + area.right - 29) / 2


def draw_hand_card(canvas: Canvas, area: FRect, card: Card, *, public: bool) -> None:
    """A card with an edge if only its owner knows it."""
    colour = CARD[card.colour]
    canvas.box(area, colour, radius=6, edge=None if public else INK)
    upper, lower = area.top + 0.33 * area.height, area.top + 0.74 * area.height
    size = min(0.42 * area.height, 26)
    canvas.text(
        str(card.number), (area.centerx, upper), size, INK, align=0.5, max_width=area.width - 8
    )
    side = min(0.24 * area.height, 0.32 * area.width)
    if not card.points:
        canvas.symbol(card.colour, (area.centerx, lower), side, dark(colour))
        return
    left = area.centerx - min(0.26 * area.width, 13)
    canvas.symbol(card.colour, (left, lower), side, dark(colour))
    beside = (area.centerx + min(0.2 * area.width, 13), lower)
    canvas.text(
        signed(card.points), beside, _SMALLEST_TEXT, INK, align=0.5, max_width=area.width / 2
    )


def draw_back(canvas: Canvas, area: FRect) -> None:
    canvas.box(area, BACK, radius=6, edge=BACK_LINE)
    canvas.box(area.inflate(-10, -10), BACK, radius=4, edge=BACK_LINE, edge_width=1)
    canvas.text("?", area.center, 0.4 * area.height, mixed(BACK_LINE, TEXT, 0.35), align=0.5)


def draw_score_card(canvas: Canvas, area: FRect, value: int) -> None:
    canvas.box(area, PAPER, radius=6)
    canvas.text(str(value), area.center, 17, TABLE, align=0.5)


def draw_points(
    canvas: Canvas, centre: tuple[float, float], points: int, *, height: float = 18
) -> None:
    """A bonus on a light ground, a malus on a dark one; nothing for 0."""
    if not points:
        return
    pill = FRect(0, 0, 25, height)
    pill.center = centre
    fill, ink = (TEXT, INK) if points > 0 else (MALUS, TEXT)
    canvas.box(pill, fill, radius=height / 2)
    canvas.text(signed(points), centre, 13, ink, align=0.5, max_width=21)


def signed(points: int) -> str:
    return _long_minus(f"{points:+d}")


def score_text(score: int) -> str:
    return _long_minus(str(score))


def _long_minus(number: str) -> str:
    return number.replace("-", "−")  # noqa: RUF001  # a hyphen is hard to see
