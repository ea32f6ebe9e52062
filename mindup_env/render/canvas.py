"""Boxes, symbols and text with smooth edges.

A picture is drawn larger and then shrunk, which makes edges smooth and keeps the distances between
letters exact. Other modules import pygame, an optional dependency, from here.
"""

import math
import os

import numpy as np
import numpy.typing as npt

# pygame prints a greeting to standard output, which is for the program's own output.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
try:
    import pygame
    import pygame.freetype
    import pygame.surfarray
    from pygame import FRect  # not in the original pygame
except ImportError as error:
    raise ImportError(
        "pictures are drawn by pygame-ce: pip install 'mindup-env[render]'"
    ) from error

__all__ = ["HEIGHT", "WIDTH", "Canvas", "FRect", "pygame"]

WIDTH = 1280
HEIGHT = 800
_LARGER = 2  # a picture is drawn this many times larger
_CAPITALS = 0.73  # the height of capital letters, as a share of the size of the font

Colour = tuple[int, int, int]


class Canvas:
    """A picture of 1280 by 800 pixels, in whose lengths it is drawn on."""

    def __init__(self, background: Colour) -> None:
        self._surface = pygame.Surface((WIDTH * _LARGER, HEIGHT * _LARGER), depth=32)
        self._surface.fill(background)
        pygame.freetype.init()
        self._font = pygame.freetype.Font(None)  # a font ends with any pygame.quit() of the process
        self._font.origin = True  # a place is that of the baseline

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The picture, as RGB (height, width, 3)."""
        picture = pygame.transform.smoothscale(self._surface, (WIDTH, HEIGHT))
        pixels = np.frombuffer(pygame.image.tobytes(picture, "RGB"), np.uint8)
        return pixels.reshape(HEIGHT, WIDTH, 3).copy()  # that of bytes cannot be written to

    def box(
        self,
        area: FRect,
        fill: Colour,
        *,
        radius: float = 6,
        edge: Colour | None = None,
        edge_width: float = 2,
    ) -> None:
        """A rectangle with round corners and an edge inside it."""
        corners = (*area.topleft, *area.bottomright)
        left, top, right, bottom = (round(_LARGER * each) for each in corners)
        place = pygame.Rect(left, top, right - left, bottom - top)
        if edge is not None:
            pygame.draw.rect(self._surface, edge, place, border_radius=round(radius * _LARGER))
            both_edges = 2 * round(edge_width * _LARGER)
            place = place.inflate(-both_edges, -both_edges)
            radius -= edge_width
        pygame.draw.rect(self._surface, fill, place, border_radius=round(radius * _LARGER))

    def symbol(self, colour: str, centre: tuple[float, float], side: float, tint: Colour) -> None:
        """The symbol of a card colour, for people who cannot tell the colours apart."""
        points = np.array(centre) + np.array(_OUTLINES[colour]) * side / 2
        pygame.draw.polygon(self._surface, tint, (points * _LARGER).tolist())

    def text(
        self,
        words: str,
        at: tuple[float, float],
        size: float,
        colour: Colour,
        *,
        align: float = 0,
        max_width: float = math.inf,
    ) -> float:
        """Writes one line, and returns its width. A text longer than ``max_width`` is smaller.

        Capitals are centred on the height of the point ``at``. The text is to the right of it if
        ``align`` is 0, around it if 0.5, and to its left if 1.
        """
        letters = self._font.get_rect(words, size=size * _LARGER)
        if letters.width > max_width * _LARGER:
            size *= max_width * _LARGER / letters.width
            letters = self._font.get_rect(words, size=size * _LARGER)
        width: float = letters.width / _LARGER
        left = (at[0] - width * align) * _LARGER - letters.x
        baseline = (at[1] + size * _CAPITALS / 2) * _LARGER
        place = round(left), round(baseline)
        self._font.render_to(self._surface, place, words, colour, size=size * _LARGER)
        return width


def _at(distance: float, turn: float, down: float = 0) -> tuple[float, float]:
    """A point at a distance from the centre, at a share of a full turn clockwise from the top."""
    angle = math.tau * turn
    return distance * math.sin(angle), down - distance * math.cos(angle)


def _at_heart(angle: float) -> tuple[float, float]:
    height = 13 * math.cos(angle) - 5 * math.cos(2 * angle) - 2 * math.cos(3 * angle)
    return 0.98 * math.sin(angle) ** 3, -height / 15 - 0.08


_OUTLINES: dict[str, list[tuple[float, float]]] = {
    "orange": [_at(0.88, turn / 48) for turn in range(48)],
    "pink": [_at_heart(math.tau * turn / 48) for turn in range(48)],
    "blue": [(0, -1), (0.8, 0), (0, 1), (-0.8, 0)],
    "green": [(0, -0.9), (0.98, 0.8), (-0.98, 0.8)],
    "purple": [_at((1.04, 0.46)[turn % 2], turn / 10, down=0.08) for turn in range(10)],
}
