"""The table of a game as a picture: headline, prizes, objectives, and a line for each seat."""

import numpy as np
import numpy.typing as npt

from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES, card_of
from mindup_env.engine.state import NUM_COLUMNS
from mindup_env.game import Game
from mindup_env.game.table import TableView, table_view
from mindup_env.render.canvas import WIDTH, Area, Canvas, Colour

# The colours of the web page in its dark scheme.
TABLE = 29, 52, 59
SEAT = 34, 64, 74
TEXT = 240, 240, 232
QUIET = 169, 191, 192
INK = 24, 28, 38
GOLD = 244, 200, 96
PAPER = 240, 231, 208
BACK = 70, 96, 107
CARD = {
    "orange": (242, 154, 73),
    "pink": (239, 139, 182),
    "blue": (112, 176, 236),
    "green": (127, 194, 114),
    "purple": (178, 149, 236),
}

_LEFT = 24
_RIGHT = WIDTH - 24
_PRIZES_TOP = 56
_PRIZE = 72, 96
_PRIZE_STEP = 104
_OBJECTIVES_LEFT = 756
_MET_BY_LEFT = 1101
_SEATS_TOP = 186
_SEATS_BOTTOM = 766
_LEGEND_MIDDLE = 783
_GAP = 8
_NAMES = 150  # the width of names and scores
_LEGEND = (
    "beige: the score card of each column     light frame: a prize of the last turn     "
    "dark frame: a card that only its owner knows"
)


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
    canvas.text(_LEGEND, (_LEFT, _LEGEND_MIDDLE), 14, QUIET)
    return canvas.pixels()


def seat_areas(num_players: int) -> list[Area]:
    """The lines of the players, from top to bottom."""
    step = (_SEATS_BOTTOM + _GAP - _SEATS_TOP) / num_players
    tops = (_SEATS_TOP + player * step for player in range(num_players))
    return [Area(_LEFT, top, _RIGHT - _LEFT, step - _GAP) for top in tops]


def _draw_prizes(canvas: Canvas, table: TableView) -> None:
    """The row of prizes, and who played them."""
    caption = _PRIZES_TOP + 110
    canvas.text("prizes", (_LEFT, _PRIZES_TOP + 48), 17, TEXT)
    canvas.text("played by", (_LEFT, caption), 14, QUIET)
    for index, (number, player) in enumerate(table.row):
        middle = _LEFT + 84 + (index + 0.5) * _PRIZE_STEP
        _draw_card(canvas, Area(middle - _PRIZE[0] / 2, _PRIZES_TOP, *_PRIZE), number)
        name = "from the deck" if player is None else table.players[player].name
        canvas.text(name, (middle, caption), 14, TEXT, align=0.5)


def _draw_objectives(canvas: Canvas, table: TableView) -> None:
    """The conditions of the objectives shown, and the players who meet each now."""
    canvas.text("objectives", (_OBJECTIVES_LEFT, 64), 14, QUIET)
    heading = "met by player" if table.winners else "met now by player"
    canvas.text(heading, (_MET_BY_LEFT, 64), 14, QUIET)
    for line, (id_, meeting) in enumerate(table.objectives):
        objective = OBJECTIVES[OBJECTIVE_INDEX[id_]]
        middle = 84 + 20 * line
        canvas.text(f"{objective.points:+d}", (_OBJECTIVES_LEFT, middle), 15, TEXT)
        canvas.text(objective.condition, (_OBJECTIVES_LEFT + 34, middle), 15, TEXT)
        players = ", ".join(map(str, meeting))
        canvas.text(players or "none", (_MET_BY_LEFT, middle), 15, GOLD if players else QUIET)


def _draw_seat(canvas: Canvas, table: TableView, index: int, area: Area) -> None:
    """A player's name and scores, the tableau from the left, and the hand up to the right."""
    player = table.players[index]
    has_won = index in table.winners
    canvas.box(area, SEAT, GOLD if has_won else None)
    left = area.left + 12
    middle = area.centre[1]
    canvas.text(f"{player.name} won" if has_won else player.name, (left, middle - 24), 18, TEXT)
    scores = f"this round {player.running_score}", f"finished {player.score}"
    if table.winners:
        rounds = ", ".join(map(str, player.round_scores))
        scores = f"total {player.score}", f"rounds {rounds}"
    for line, text in enumerate(scores):
        canvas.text(text, (left, middle + 2 + 22 * line), 15, TEXT)
    # A tableau and its hand have never more cards than the largest hand.
    most = table.config.largest_hand + NUM_COLUMNS
    step = (area.width - _NAMES - 12 - NUM_COLUMNS * _GAP) / most
    height = min(area.height - 16, 1.4 * step)
    step = min(step, 0.75 * height)
    card = Area(left + _NAMES, middle - height / 2, step - 4, height)
    for value, column in zip(table.score_cards, player.tableau, strict=True):
        score_card = card._replace(top=middle - height / 4, height=height / 2)
        canvas.box(score_card, PAPER)
        canvas.text(str(value), score_card.centre, 0.35 * height, TABLE, align=0.5)
        for number in column:
            card = card._replace(left=card.left + step)
            _draw_card(canvas, card, number, TEXT if number in table.last_prizes else None)
        card = card._replace(left=card.left + step + _GAP)
    hand = [*player.known, *player.hidden]
    card = card._replace(left=area.left + area.width - 12 - len(hand) * step)
    for own in hand:
        _draw_card(canvas, card, own, None if own in player.known else INK)
        card = card._replace(left=card.left + step)


def _draw_card(canvas: Canvas, area: Area, number: int | None, edge: Colour | None = None) -> None:
    """A card: its number, its symbol, and its points if it has any; or its back."""
    middle = area.centre[0]
    if number is None:
        canvas.box(area, BACK, edge)
        canvas.text("?", area.centre, 0.4 * area.height, QUIET, align=0.5)
        return
    card = card_of(number)
    canvas.box(area, CARD[card.colour], edge)
    size = 0.42 * area.height
    canvas.text(str(number), (middle, area.top + 0.33 * area.height), size, INK, align=0.5)
    lower = area.top + 0.74 * area.height
    red, green, blue = (round(0.45 * part) for part in CARD[card.colour])
    shift = 0.22 * area.width if card.points else 0
    canvas.symbol(card.colour, (middle - shift, lower), 0.3 * area.width, (red, green, blue))
    if card.points:
        size = 0.19 * area.height
        canvas.text(f"{card.points:+d}", (middle + shift, lower), size, INK, align=0.5)
