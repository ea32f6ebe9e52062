"""The table of a game as a picture: the headline, the prizes, the objectives, the seats."""

import numpy as np
import numpy.typing as npt

from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES, Card, card_of
from mindup_env.game import Game
from mindup_env.game.table import PlayerView, TableView, table_view
from mindup_env.render.canvas import WIDTH, Area, Canvas, Colour

# The colours of the web page in its dark scheme.
TABLE = 29, 52, 59
SEAT = 34, 64, 74
SLOT = 27, 52, 60
LINE = 53, 88, 98
TEXT = 240, 240, 232
QUIET = 169, 191, 192
INK = 24, 28, 38
GOLD = 244, 200, 96
PAPER = 240, 231, 208
MALUS = 142, 36, 64
BACK = 70, 96, 107
BACK_LINE = 92, 120, 132
BACK_TEXT = 144, 162, 167
CARD = {
    "orange": (242, 154, 73),
    "pink": (239, 139, 182),
    "blue": (112, 176, 236),
    "green": (127, 194, 114),
    "purple": (178, 149, 236),
}

_LEFT = 24
_RIGHT = WIDTH - 24
_GAP = 12
_PRIZES_TOP = 56
_SEATS_TOP = 186
_SEATS_BOTTOM = 766
_LEGEND_MIDDLE = 783
_SEATS_IN_ROWS = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3)}
_PRIZE = 72, 96
_PRIZE_STEP = 104
_OBJECTIVES_LEFT = 756
_MET_BY_LEFT = 1101
_SMALLEST = 13  # the smallest text that is easy to read


def draw(game: Game, viewer: int | None = None) -> npt.NDArray[np.uint8]:
    """The table as RGB pixels, uint8 (800, 1280, 3).

    Cards that ``viewer`` does not know are drawn as backs. None shows all hands.
    """
    table = table_view(game, viewer)
    canvas = Canvas(TABLE)
    width = canvas.text("Mind Up!", (_LEFT, 30), 26, TEXT)
    canvas.text(table.progress, (_LEFT + width + 24, 30), 20, GOLD if table.winners else TEXT)
    if viewer is not None:
        canvas.text(f"as player {viewer} sees it", (_RIGHT, 30), 15, QUIET, align=1)
    _draw_prizes(canvas, table)
    if table.objectives:
        _draw_objectives(canvas, table)
    for player, area in enumerate(seat_areas(len(table.players))):
        _draw_seat(canvas, table, player, area)
    _draw_legend(canvas, table, viewer)
    return canvas.pixels()


def seat_areas(num_players: int) -> list[Area]:
    """The area of each player, all of one size."""
    rows = _SEATS_IN_ROWS[num_players]
    width = (_RIGHT - _LEFT + _GAP) / rows[0] - _GAP
    height = (_SEATS_BOTTOM - _SEATS_TOP + _GAP) / len(rows) - _GAP
    areas = []
    for row, seats in enumerate(rows):
        left = (WIDTH - seats * (width + _GAP) + _GAP) / 2
        top = _SEATS_TOP + row * (height + _GAP)
        areas += [Area(left + seat * (width + _GAP), top, width, height) for seat in range(seats)]
    return areas


def _draw_prizes(canvas: Canvas, table: TableView) -> None:
    """The row of prizes, and who played them; centred if there are no objectives beside it."""
    left = _LEFT + 84 if table.objectives else (WIDTH - len(table.row) * _PRIZE_STEP) / 2
    caption = _PRIZES_TOP + 110
    canvas.text("prizes", (left - 84, _PRIZES_TOP + 48), 17, TEXT)
    canvas.text("played by", (left - 84, caption), 14, QUIET)
    for index, (number, player) in enumerate(table.row):
        middle = left + (index + 0.5) * _PRIZE_STEP
        area = Area(middle - _PRIZE[0] / 2, _PRIZES_TOP, *_PRIZE)
        _draw_card(canvas, area, card_of(number))
        name = "from the deck" if player is None else table.players[player].name
        canvas.text(name, (middle, caption), 14, TEXT, align=0.5, max_width=_PRIZE_STEP - 6)


def _draw_objectives(canvas: Canvas, table: TableView) -> None:
    """The conditions of the objectives shown, and the players who meet each now."""
    canvas.text("objectives", (_OBJECTIVES_LEFT, 64), 14, QUIET)
    heading = "met by player" if table.winners else "met now by player"
    canvas.text(heading, (_MET_BY_LEFT, 64), 14, QUIET)
    for line, (id_, meeting) in enumerate(table.objectives):
        objective = OBJECTIVES[OBJECTIVE_INDEX[id_]]
        middle = 84 + 20 * line
        canvas.text(f"{objective.points:+d}", (_OBJECTIVES_LEFT, middle), 15, TEXT)
        canvas.text(objective.condition, (_OBJECTIVES_LEFT + 34, middle), 15, TEXT, max_width=301)
        players = ", ".join(map(str, meeting))
        canvas.text(players or "none", (_MET_BY_LEFT, middle), 15, GOLD if players else QUIET)


def _draw_legend(canvas: Canvas, table: TableView, viewer: int | None) -> None:
    """The meaning of the marks on the cards."""
    marks = []
    if not table.winners:
        marks.append((QUIET, QUIET, "all players know it"))
        marks.append((QUIET, INK, "only its owner knows it"))
        if viewer is not None:
            marks.append((BACK, BACK_LINE, f"player {viewer} does not know it"))
    marks.append((QUIET, TEXT, "prize taken in the last turn"))
    left = float(_LEFT)
    for fill, edge, meaning in marks:
        canvas.box(Area(left, _LEGEND_MIDDLE - 9, 13, 18), fill, radius=3, edge=edge)
        left += 21 + canvas.text(meaning, (left + 21, _LEGEND_MIDDLE), 14, QUIET) + 28


def _draw_seat(canvas: Canvas, table: TableView, index: int, area: Area) -> None:
    """A player's name, scores, tableau and hand; after the end, round scores instead of a hand."""
    player = table.players[index]
    if index in table.winners:
        name = f"{player.name} won"
        canvas.box(area, SEAT, radius=12, edge=GOLD, edge_width=3)
    else:
        name = player.name
        canvas.box(area, SEAT, radius=12, edge=LINE, edge_width=1)
    left = area.left + 12
    right = area.right - 12
    middle = area.top + 18
    canvas.text(name, (left, middle), 18, TEXT)
    scores = {"finished": player.score, "this round": player.running_score}
    if table.winners:
        scores = {"total": player.score, "last round": player.round_scores[-1]}
    for meaning, score in scores.items():
        right -= canvas.text(str(score), (right, middle), 20, TEXT, align=1) + 6
        right -= canvas.text(meaning, (right, middle), 14, QUIET, align=1) + 18
    height = 66 if area.height > 400 else 50
    hand = Area(left, area.bottom - 10 - height, area.width - 24, height)
    tableau = Area(left, area.top + 36, hand.width, hand.top - area.top - 46)
    _draw_tableau(canvas, table, player, tableau)
    if table.winners:
        rounds = [f"round {n}: {score}" for n, score in enumerate(player.round_scores, 1)]
        at = left, hand.centre[1]
        canvas.text("     ".join(rounds), at, 16, TEXT, max_width=hand.width)
    else:
        _draw_hand(canvas, table, player, hand)


def _draw_tableau(canvas: Canvas, table: TableView, player: PlayerView, area: Area) -> None:
    # Cards are of the same height in all tableaux, so that a longer column has more cards. The
    # next card of a column leaves only a strip of a card visible.
    longest = max(len(column) for each in table.players for column in each.tableau)
    widest = min((area.height - 30) / 5, 52)
    strip = min((area.height - 30) / (longest + 1), widest)
    width = (area.width + 6) / 5 - 6
    height = min(2 * strip, 1.7 * widest)
    columns = zip(table.score_cards, player.tableau, strict=True)
    for index, (value, column) in enumerate(columns):
        left = area.left + index * (width + 6)
        top = area.top + 30
        score_card = Area(left, area.top, width, 24)
        canvas.box(score_card, PAPER)
        canvas.text(str(value), score_card.centre, 17, TABLE, align=0.5)
        if not column:
            canvas.box(Area(left, top, width, height), SLOT, edge=LINE, edge_width=1)
        for number in column:
            card = card_of(number)
            middle = top + min(strip / 2 + 0.5, 19)
            # The edge separates a card from the one beneath it, which has the same colour.
            is_new = number in table.last_prizes
            edge, edge_width = (TEXT, 2.5) if is_new else (_dark(card, 0.5), 1)
            card_area = Area(left, top, width, height)
            canvas.box(card_area, CARD[card.colour], edge=edge, edge_width=edge_width)
            size = min(max(0.85 * strip, _SMALLEST), 0.24 * width, 24)
            canvas.text(str(number), (left + 7, middle), size, INK)
            between = left + (width - 22 + 1.1 * size) / 2  # its number and its points
            canvas.symbol(card.colour, (between, middle), 0.62 * size, _dark(card))
            if card.points:
                pill = Area(left + width - 30, middle - 9, 25, 18)
                fill, ink = (TEXT, INK) if card.points > 0 else (MALUS, TEXT)
                canvas.box(pill, fill, radius=9)
                canvas.text(f"{card.points:+d}", pill.centre, 13, ink, align=0.5)
            top += strip


def _draw_hand(canvas: Canvas, table: TableView, player: PlayerView, area: Area) -> None:
    # A card keeps its width when cards are gone.
    step = min((area.width + 4) / table.config.largest_hand, area.height)
    for index, number in enumerate([*player.known, *player.hidden]):
        card = Area(area.left + index * step, area.top, step - 4, area.height)
        if number is None:
            canvas.box(card, BACK, edge=BACK_LINE)
            canvas.text("?", card.centre, 0.4 * card.height, BACK_TEXT, align=0.5)
        else:
            _draw_card(canvas, card, card_of(number), None if index < len(player.known) else INK)


def _draw_card(canvas: Canvas, area: Area, card: Card, edge: Colour | None = None) -> None:
    """A whole card: its number, its symbol, and its points if it has any."""
    canvas.box(area, CARD[card.colour], edge=edge)
    upper = area.centre[0], area.top + 0.33 * area.height
    size = min(0.42 * area.height, 0.6 * area.width, 38)
    canvas.text(str(card.number), upper, size, INK, align=0.5, max_width=area.width - 8)
    lower = area.top + 0.74 * area.height
    left = area.centre[0]
    if card.points:
        left -= 0.26 * area.width
        at = area.centre[0] + 0.2 * area.width, lower
        points = f"{card.points:+d}"
        size = max(0.17 * area.height, _SMALLEST)
        canvas.text(points, at, size, INK, align=0.5, max_width=area.width / 2)
    side = min(0.24 * area.height, 0.32 * area.width)
    canvas.symbol(card.colour, (left, lower), side, _dark(card))


def _dark(card: Card, share: float = 0.62) -> Colour:
    """The colour of a card, mixed with a share of ink."""
    parts = zip(CARD[card.colour], INK, strict=True)
    red, green, blue = (round(own + (ink - own) * share) for own, ink in parts)
    return red, green, blue
