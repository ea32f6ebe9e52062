"""The table of one game as a picture."""

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mindup_env.checks import as_list, check_int
from mindup_env.files import atomic_write
from mindup_env.game import Game
from mindup_env.render import layout
from mindup_env.render.canvas import HEIGHT, WIDTH, Canvas
from mindup_env.render.headline import draw_headline
from mindup_env.render.legend import draw_legend
from mindup_env.render.objective_list import draw_objectives
from mindup_env.render.prizes import draw_prizes
from mindup_env.render.pygame_extra import pygame
from mindup_env.render.seat import draw_seat


def draw(
    game: Game, viewer: int | None = None, size: tuple[int, int] | None = None
) -> npt.NDArray[np.uint8]:
    """The picture as height x width x 3; all hands open, or those cards that ``viewer`` knows.

    ``size`` is width and height in pixels, 1280 by 800 unless told.
    """
    picture = _drawn(game, viewer, size)
    width, height = picture.get_size()
    pixels = np.frombuffer(pygame.image.tobytes(picture, "RGB"), np.uint8)
    return pixels.reshape(height, width, 3).copy()  # the buffer cannot be written to


def save(game: Game, path: str | os.PathLike[str], viewer: int | None = None) -> None:
    """Writes the picture as a PNG file; until all of it is written, the old file stays."""
    picture = _drawn(game, viewer, None)
    with atomic_write(Path(path)) as file:
        pygame.image.save(picture, file, "picture.png")  # the name tells the format


def _drawn(game: Game, viewer: int | None, size: tuple[int, int] | None) -> pygame.Surface:
    if viewer is not None:
        viewer = check_int("viewer", viewer, 0, game.config.num_players - 1)
    canvas = Canvas((WIDTH, HEIGHT) if size is None else _checked(size))
    draw_headline(canvas, game, viewer)
    draw_prizes(canvas, game, layout.PRIZES)
    draw_objectives(canvas, game, layout.OBJECTIVES)
    for player, area in enumerate(layout.seat_areas(game.config.num_players)):
        draw_seat(canvas, game, player, viewer, area)
    draw_legend(canvas, game, viewer)
    return canvas.surface


def _checked(size: tuple[int, int]) -> tuple[int, int]:
    sides = as_list("size", size)
    if len(sides) != 2:
        raise ValueError(f"size is width and height, not {size!r}")
    width, height = (check_int("a side of the picture", side, 1) for side in sides)
    return width, height
