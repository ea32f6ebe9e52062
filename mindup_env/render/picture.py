"""The table of a game as a picture: the headline, the prizes, the objectives, the seats."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mindup_env.cards import card_of
from mindup_env.checks import as_list, check_int
from mindup_env.files import atomic_write
from mindup_env.game import Game
from mindup_env.game.table import TableView, table_view
from mindup_env.objectives import OBJECTIVE_INDEX, OBJECTIVES
from mindup_env.render.canvas import HEIGHT, WIDTH, Canvas, FRect, pygame
from mindup_env.render.palette import BACK, BACK_LINE, GOLD, INK, QUIET, TEXT
from mindup_env.render.seat import draw_points, draw_prize, draw_seat

# Lengths in the picture of 1280 x 800.
_MARGIN, _GAP = 24, 12

TITLE_AREA = FRect(_MARGIN, 12, WIDTH - 2 * _MARGIN, 36)
PRIZES_AREA = FRect(_MARGIN, 56, WIDTH - 2 * _MARGIN, 118)
OBJECTIVES_AREA = FRect(PRIZES_AREA.right - 500, PRIZES_AREA.top, 500, PRIZES_AREA.height)
SEATS_AREA = FRect(_MARGIN, 186, WIDTH - 2 * _MARGIN, 580)
LEGEND_AREA = FRect(_MARGIN, 770, WIDTH - 2 * _MARGIN, 26)

_SEATS_IN_ROWS = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3)}
_PRIZE_SLOT, _PRIZE_WIDTH, _PRIZE_LABELS = 104, 72, 84
_HEADING_HEIGHT, _LINE_HEIGHT = 18, 20  # of the list of objectives
_CONDITION_LEFT, _MET_BY_LEFT, _CHIP_WIDTH = 34, 345, 22
_SAMPLE_SIZE = (13, 18)  # of a card in the legend


def draw(
    game: Game, viewer: int | None = None, size: tuple[int, int] | None = None
) -> npt.NDArray[np.uint8]:
    """The table as a picture.

    Args:
        game: the game to draw.
        viewer: the player who looks; cards unknown to that player are drawn as backs. None shows
            all hands.
        size: width and height in pixels; 1280 by 800 if None.

    Returns:
        RGB pixels, uint8 (height, width, 3).
    """
    picture = _draw_surface(game, viewer, size)
    width, height = picture.get_size()
    pixels = np.frombuffer(pygame.image.tobytes(picture, "RGB"), np.uint8)
    return pixels.reshape(height, width, 3).copy()  # the buffer is read-only


def save(game: Game, path: str | os.PathLike[str], viewer: int | None = None) -> None:
    """Writes the picture of ``draw`` to a PNG file, in one atomic step."""
    picture = _draw_surface(game, viewer, None)
    with atomic_write(Path(path)) as file:
        pygame.image.save(picture, file, "picture.png")  # the name gives the format


def seat_areas(num_players: int) -> list[FRect]:
    """The area of each player, all of one size."""
    rows = _SEATS_IN_ROWS[num_players]
    width = (SEATS_AREA.width - _GAP * (rows[0] - 1)) / rows[0]
    height = (SEATS_AREA.height - _GAP * (len(rows) - 1)) / len(rows)
    areas = []
    for row, seats in enumerate(rows):
        left = SEATS_AREA.centerx - (seats * (width + _GAP) - _GAP) / 2
        top = SEATS_AREA.top + row * (height + _GAP)
        areas += [FRect(left + seat * (width + _GAP), top, width, height) for seat in range(seats)]
    return areas


def _draw_surface(game: Game, viewer: int | None, size: tuple[int, int] | None) -> pygame.Surface:
    table = table_view(game, viewer)
    canvas = Canvas((WIDTH, HEIGHT) if size is None else _checked(size))
    _draw_headline(canvas, table, viewer, TITLE_AREA)
    _draw_prizes(canvas, table, PRIZES_AREA)
    if table.objectives:
        _draw_objectives(canvas, table, OBJECTIVES_AREA)
    for player, area in enumerate(seat_areas(len(table.players))):
        draw_seat(canvas, table, player, area, is_viewer=player == viewer)
    _draw_legend(canvas, table, viewer, LEGEND_AREA)
    return canvas.surface


def _checked(size: tuple[int, int]) -> tuple[int, int]:
    sides = as_list("size", size)
    if len(sides) != 2:
        raise ValueError(f"size must be (width, height), not {size!r}")
    width, height = (check_int("a side of the picture", side, 1) for side in sides)
    return width, height


def _draw_headline(canvas: Canvas, table: TableView, viewer: int | None, area: FRect) -> None:
    """The round and turn, or the winners."""
    middle = area.centery
    width = canvas.text("Mind Up!", (area.left, middle), 26, TEXT)
    words = _winners(table.winners) or table.progress.replace(", ", ",  ")
    colour = GOLD if table.winners else TEXT
    canvas.text(words, (area.left + width + 24, middle), 20, colour)
    if viewer is not None:
        words = f"as player {viewer} sees it"
        canvas.text(words, (area.right, middle), 15, QUIET, align=1)


def _winners(winners: Sequence[int]) -> str:
    *earlier, last = [*map(str, winners)] or [""]
    if earlier:
        return f"the game is over: players {', '.join(earlier)} and {last} share the victory"
    return f"the game is over: player {last} won" if last else ""


def _draw_prizes(canvas: Canvas, table: TableView, area: FRect) -> None:
    """The row of prizes, and who played them; centred if there are no objectives beside it."""
    caption = area.bottom - 8
    card_height = area.height - 22
    left = area.left + _PRIZE_LABELS
    if not table.objectives:
        left = area.centerx - len(table.row) * _PRIZE_SLOT / 2
    canvas.text("prizes", (left - _PRIZE_LABELS, area.top + card_height / 2), 17, TEXT)
    canvas.text("played by", (left - _PRIZE_LABELS, caption), 14, QUIET)
    for place, (number, player) in enumerate(table.row):
        middle = left + (place + 0.5) * _PRIZE_SLOT
        card = FRect(middle - _PRIZE_WIDTH / 2, area.top, _PRIZE_WIDTH, card_height)
        draw_prize(canvas, card, card_of(number))
        words = "from the deck" if player is None else table.players[player].name
        canvas.text(words, (middle, caption), 14, TEXT, align=0.5, max_width=_PRIZE_SLOT - 6)


def _draw_objectives(canvas: Canvas, table: TableView, area: FRect) -> None:
    """The conditions of the objectives shown, and the players who meet each now."""
    heading = area.top + _HEADING_HEIGHT / 2 - 1
    canvas.text("objectives", (area.left, heading), 14, QUIET)
    words = "met by player" if table.winners else "met now by player"
    canvas.text(words, (area.left + _MET_BY_LEFT, heading), 14, QUIET)
    for line, (id_, meeting) in enumerate(table.objectives):
        middle = area.top + _HEADING_HEIGHT + (line + 0.5) * _LINE_HEIGHT
        objective = OBJECTIVES[OBJECTIVE_INDEX[id_]]
        draw_points(canvas, (area.left + 12.5, middle), objective.points, height=16)
        width = _MET_BY_LEFT - _CONDITION_LEFT - 10
        place = area.left + _CONDITION_LEFT, middle
        canvas.text(objective.condition, place, 15, TEXT, max_width=width)
        left = area.left + _MET_BY_LEFT
        if not meeting:
            canvas.text("no player", (left, middle), 14, QUIET)
        for index, player in enumerate(meeting):
            chip = FRect(left + index * _CHIP_WIDTH, middle - 8, _CHIP_WIDTH - 4, 16)
            canvas.box(chip, GOLD, radius=5)
            canvas.text(str(player), chip.center, 13, INK, align=0.5)


def _draw_legend(canvas: Canvas, table: TableView, viewer: int | None, area: FRect) -> None:
    """The meaning of the marks on the cards."""
    marks = [(QUIET, TEXT, "prize taken in the last turn")]
    if not table.winners:
        known = (QUIET, QUIET, "all players know it"), (QUIET, INK, "only its owner knows it")
        hidden = [(BACK, BACK_LINE, f"player {viewer} does not know it")]
        marks = [*known, *(hidden if viewer is not None else []), *marks]
    left = area.left
    for fill, edge, words in marks:
        sample = FRect(left, area.centery - _SAMPLE_SIZE[1] / 2, *_SAMPLE_SIZE)
        canvas.box(sample, fill, radius=3, edge=edge)
        left = sample.right + 8
        left += canvas.text(words, (left, area.centery), 14, QUIET) + 28
