"""The table of one game as a picture."""

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mindup_env.game import Game
from mindup_env.render.canvas import HEIGHT, WIDTH, Canvas
from mindup_env.render.pygame_extra import FRect, pygame
from mindup_env.render.seat import draw_seat
from mindup_env.render.table import draw_headline, draw_legend, draw_objectives, draw_prizes
from mindup_env.runs.files import atomic_write
from mindup_env.settings.checks import as_list, check_int

_MARGIN = 24
_GAP = 12

TITLE_AREA = FRect(_MARGIN, 12, WIDTH - 2 * _MARGIN, 36)
PRIZES_AREA = FRect(_MARGIN, 56, WIDTH - 2 * _MARGIN, 118)
OBJECTIVES_AREA = FRect(PRIZES_AREA.right - 500, PRIZES_AREA.top, 500, PRIZES_AREA.height)
SEATS_AREA = FRect(_MARGIN, 186, WIDTH - 2 * _MARGIN, 580)
LEGEND_AREA = FRect(_MARGIN, 770, WIDTH - 2 * _MARGIN, 26)

_SEATS_IN_ROWS = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3)}


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
    if viewer is not None:
        viewer = check_int("viewer", viewer, 0, game.config.num_players - 1)
    canvas = Canvas((WIDTH, HEIGHT) if size is None else _checked(size))
    draw_headline(canvas, game, viewer, TITLE_AREA)
    draw_prizes(canvas, game, PRIZES_AREA)
    draw_objectives(canvas, game, OBJECTIVES_AREA)
    for player, area in enumerate(seat_areas(game.config.num_players)):
        draw_seat(canvas, game, player, viewer, area)
    draw_legend(canvas, game, viewer, LEGEND_AREA)
    return canvas.surface


def _checked(size: tuple[int, int]) -> tuple[int, int]:
    sides = as_list("size", size)
    if len(sides) != 2:
        raise ValueError(f"size must be (width, height), not {size!r}")
    width, height = (check_int("a side of the picture", side, 1) for side in sides)
    return width, height
