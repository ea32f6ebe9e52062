"""One player: the name, the scores, the tableau under its score cards, and the hand; the cards."""

from mindup_env.cards import Card, card_of
from mindup_env.game.table import PlayerView, TableView
from mindup_env.render.canvas import Canvas, FRect
from mindup_env.render.palette import (
    BACK,
    BACK_LINE,
    CARD,
    GOLD,
    INK,
    LINE,
    MALUS,
    PAPER,
    QUIET,
    SEAT,
    SLOT,
    TABLE,
    TEXT,
    Colour,
    dark,
    mixed,
)

# Lengths in the picture of 1280 x 800.
_PADDING = 12
_NAME_HEIGHT, _SCORE_CARD_HEIGHT = 36, 24
_TALL_SEAT = 400  # from this height on, the hand is taller
_COLUMN_GAP, _HAND_GAP, _ROUND_GAP = 6, 4, 6
_WIDEST_STRIP = 52  # what the next card of a column leaves visible
_LEAST_STRIPS = 5  # a strip is at most a fifth of the column
_ROUND_WIDTH = 72  # at least, of a finished round
_SMALLEST_TEXT = 13  # the smallest size that is easy to read


def draw_seat(
    canvas: Canvas, table: TableView, index: int, area: FRect, *, is_viewer: bool
) -> None:
    """A player's name, scores, tableau and hand; after the end, round scores instead of a hand."""
    player, won = table.players[index], index in table.winners
    canvas.box(area, SEAT, radius=12, edge=GOLD if won else LINE, edge_width=3 if won else 1)
    inside = area.inflate(-2 * _PADDING, 0)
    tag = ("won", GOLD) if won else ("viewer", QUIET) if is_viewer and not table.winners else None
    name = FRect(inside.topleft, (inside.width, _NAME_HEIGHT))
    _draw_name(canvas, player, name, tag, over=bool(table.winners))
    below = 66 if area.height > _TALL_SEAT else 50
    hand = FRect(inside.left, area.bottom - _PADDING + 2 - below, inside.width, below)
    height = hand.top - 10 - inside.top - _NAME_HEIGHT
    tableau = FRect(inside.left, inside.top + _NAME_HEIGHT, inside.width, height)
    _draw_tableau(canvas, table, player, tableau)
    if table.winners:
        _draw_finished_rounds(canvas, player, hand)
    else:
        _draw_hand(canvas, table, player, hand)


def _draw_name(
    canvas: Canvas, player: PlayerView, area: FRect, tag: tuple[str, Colour] | None, *, over: bool
) -> None:
    middle = area.centery
    width = canvas.text(player.name, (area.left, middle), 18, TEXT)
    if tag is not None:
        word, fill = tag
        label = FRect(area.left + width + 10, middle - 9, canvas.text_width(word, 13) + 14, 18)
        canvas.box(label, fill, radius=9)
        canvas.text(word, label.center, 13, INK, align=0.5)
    running = player.round_scores[-1] if over else player.running_score
    right = _draw_score(canvas, "total" if over else "finished", player.score, area.right, middle)
    _draw_score(canvas, "last round" if over else "this round", running, right - 18, middle)


def _draw_score(canvas: Canvas, label: str, score: int, right: float, middle: float) -> float:
    """Draws a label and its score, which ends at ``right``; returns the left end of the label."""
    width = canvas.text(number_text(score), (right, middle), 20, TEXT, align=1)
    right -= width + 6
    return right - canvas.text(label, (right, middle), 14, QUIET, align=1)


def _draw_tableau(canvas: Canvas, table: TableView, player: PlayerView, area: FRect) -> None:
    width = (area.width - _COLUMN_GAP * (len(player.tableau) - 1)) / len(player.tableau)
    height, strip = _card_height(table, area.height - _SCORE_CARD_HEIGHT - _COLUMN_GAP)
    for place, (value, column) in enumerate(zip(table.score_cards, player.tableau, strict=True)):
        left = area.left + place * (width + _COLUMN_GAP)
        score_card = FRect(left, area.top, width, _SCORE_CARD_HEIGHT)
        canvas.box(score_card, PAPER, radius=6)
        canvas.text(str(value), score_card.center, 17, TABLE, align=0.5)
        top = area.top + _SCORE_CARD_HEIGHT + _COLUMN_GAP
        if not column:
            empty = FRect(left, top, width, height)
            canvas.box(empty, SLOT, radius=6, edge=LINE, edge_width=1)
        for depth, number in enumerate(column):
            area_of_card = FRect(left, top + depth * strip, width, height)
            card, new = card_of(number), number in table.last_prizes
            draw_column_card(canvas, area_of_card, strip, card, new=new)


def _card_height(table: TableView, column_height: float) -> tuple[float, float]:
    """The height of a card, and of the strip of it that the next card leaves visible.

    Both are the same in all tableaux, so that a longer column has more cards.
    """
    longest = max(len(column) for player in table.players for column in player.tableau)
    widest = min(column_height / _LEAST_STRIPS, _WIDEST_STRIP)
    strip = min(column_height / (longest + 1), widest)
    return min(2 * strip, 1.7 * widest), strip


def _draw_hand(canvas: Canvas, table: TableView, player: PlayerView, area: FRect) -> None:
    # A card keeps its width when cards are gone.
    step = min((area.width + _HAND_GAP) / table.config.largest_hand, area.height)
    for place, number in enumerate([*player.known, *player.hidden]):
        card = FRect(area.left + place * step, area.top, step - _HAND_GAP, area.height)
        if number is None:
            canvas.box(card, BACK, radius=6, edge=BACK_LINE)
            canvas.box(card.inflate(-10, -10), BACK, radius=4, edge=BACK_LINE, edge_width=1)
            ink = mixed(BACK_LINE, TEXT, 0.35)
            canvas.text("?", card.center, 0.4 * card.height, ink, align=0.5)
        else:
            public = place < len(player.known)
            draw_hand_card(canvas, card, card_of(number), public=public)


def _draw_finished_rounds(canvas: Canvas, player: PlayerView, area: FRect) -> None:
    """The scores of the rounds, side by side; only of the last ones if not all fit."""
    most = int((area.width + _ROUND_GAP) // (_ROUND_WIDTH + _ROUND_GAP))
    rounds = list(enumerate(player.round_scores, start=1))[-most:]
    width = (area.width + _ROUND_GAP) / len(rounds) - _ROUND_GAP
    for place, (round_, score) in enumerate(rounds):
        cell = FRect(area.left + place * (width + _ROUND_GAP), area.bottom - 46, width, 46)
        canvas.box(cell, SLOT, radius=6)
        canvas.text(f"round {round_}", (cell.centerx, cell.top + 13), 13, QUIET, align=0.5)
        canvas.text(number_text(score), (cell.centerx, cell.top + 32), 18, TEXT, align=0.5)


# Cards


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
    between = (area.left + 7 + 1.1 * size + area.right - 29) / 2  # its number and its points
    canvas.symbol(card.colour, (between, middle), 0.62 * size, dark(colour))
    draw_points(canvas, (area.right - 17, middle), card.points, height=min(strip - 3, 18))


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
        number_text(card.points, "+d"),
        beside,
        _SMALLEST_TEXT,
        INK,
        align=0.5,
        max_width=area.width / 2,
    )


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
    canvas.text(number_text(points, "+d"), centre, 13, ink, align=0.5, max_width=21)


def number_text(number: int, form: str = "d") -> str:
    """A number with a minus that is easy to see."""
    return f"{number:{form}}".replace("-", "−")  # noqa: RUF001
