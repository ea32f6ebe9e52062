"""A surface of any size that is drawn on as if it were 1280 by 800, and smooth shapes and text.

Shapes and text have smooth edges because they are drawn large and shrunk. Other modules import
pygame, an optional dependency, from here.
"""

import math
import os
from functools import lru_cache

from mindup_env.render.palette import TABLE, TEXT, Colour

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

WIDTH, HEIGHT = 1280, 800
_CAPITALS = 0.73  # the height of capital letters, as a share of the size of the font


class Canvas:
    """Draws in the lengths of a picture of 1280 x 800, which is scaled and centred."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.surface = pygame.Surface(size, depth=32)
        self.surface.fill(TABLE)
        self._scale = min(size[0] / WIDTH, size[1] / HEIGHT)
        self._left = (size[0] - WIDTH * self._scale) / 2
        self._top = (size[1] - HEIGHT * self._scale) / 2

    def box(
        self,
        area: FRect,
        fill: Colour,
        *,
        radius: float = 8,
        edge: Colour | None = None,
        edge_width: float = 2,
    ) -> None:
        place, scaled_radius = self._pixels(area), round(radius * self._scale)
        width = 0 if edge is None else max(round(edge_width * self._scale), 1)
        shape = rounded_surface(place.size, scaled_radius, fill, edge or fill, width)
        self.surface.blit(shape, place)

    def symbol(self, colour: str, centre: tuple[float, float], side: float, tint: Colour) -> None:
        area = FRect(0, 0, side, side)
        area.center = centre
        place = self._pixels(area)
        self.surface.blit(symbol_surface(colour, max(place.size), tint), place)

    def text(
        self,
        words: str,
        at: tuple[float, float],
        size: float,
        colour: Colour,
        *,
        align: float = 0,
        max_width: float | None = None,
    ) -> float:
        """Writes one line of text at a point, and returns its width.

        Args:
            words: the text.
            at: the point; capitals are centred on its height.
            size: the size of the font.
            colour: the colour of the letters.
            align: 0 writes to the right of the point, 0.5 around it, 1 to its left.
            max_width: a longer text is written smaller.
        """
        width = self.text_width(words, size)
        if max_width is not None and width > max_width:
            size, width = size * max_width / width, max_width
        letters, above = text_surface(words, self._pixels_of_text(size), colour)
        left = self._left + (at[0] - width * align) * self._scale
        baseline = self._top + (at[1] + size * _CAPITALS / 2) * self._scale
        self.surface.blit(letters, (round(left), round(baseline) - above))
        return width

    def text_width(self, words: str, size: float) -> float:
        letters, _ = text_surface(words, self._pixels_of_text(size), TEXT)
        return letters.get_width() / self._scale

    def _pixels_of_text(self, size: float) -> float:
        return max(size * self._scale, 1)

    def _pixels(self, area: FRect) -> pygame.Rect:
        left, right = (round(self._left + x * self._scale) for x in (area.left, area.right))
        top, bottom = (round(self._top + y * self._scale) for y in (area.top, area.bottom))
        return pygame.Rect(left, top, max(right - left, 1), max(bottom - top, 1))


_LARGER = 4  # shapes and text are drawn this many times larger, and shrunk
Size = tuple[int, int]


def _large_surface(size: Size, colour: Colour) -> pygame.Surface:
    """Transparent pixels have the colour of what is drawn: shrinking mixes them into its edge."""
    large = pygame.Surface((size[0] * _LARGER, size[1] * _LARGER), pygame.SRCALPHA)
    large.fill((*colour, 0))
    return large


@lru_cache(maxsize=1024)
def rounded_surface(
    size: Size, radius: int, fill: Colour, edge: Colour, edge_width: int
) -> pygame.Surface:
    """A rectangle with round corners and an edge inside it."""
    large, inset = _large_surface(size, edge), edge_width * _LARGER
    pygame.draw.rect(large, edge, large.get_rect(), border_radius=radius * _LARGER)
    inner = large.get_rect().inflate(-2 * inset, -2 * inset)
    pygame.draw.rect(large, fill, inner, border_radius=max(radius * _LARGER - inset, 0))
    return pygame.transform.smoothscale(large, size)


@lru_cache(maxsize=256)
def symbol_surface(colour: str, side: int, tint: Colour) -> pygame.Surface:
    """The symbol of a card colour, for people who cannot tell the colours apart."""
    large, reach = _large_surface((side, side), tint), side * _LARGER / 2
    points = [(reach + x * reach, reach + y * reach) for x, y in _OUTLINES[colour]]
    pygame.draw.polygon(large, tint, points)
    return pygame.transform.smoothscale(large, (side, side))


@lru_cache(maxsize=2048)
def text_surface(words: str, size: float, colour: Colour) -> tuple[pygame.Surface, int]:
    """A line of text, and the distance of its baseline from the top of the surface.

    Shrinking keeps the exact distances between letters, which small fonts round.
    """
    pygame.freetype.init()
    letters, bounds = pygame.freetype.Font(None).render(words, colour, size=size * _LARGER)
    above = math.ceil(bounds.y / _LARGER)
    below = math.ceil((bounds.height - bounds.y) / _LARGER)
    shape = math.ceil(bounds.width / _LARGER), above + below
    large = _large_surface(shape, colour)
    large.blit(letters, (0, above * _LARGER - bounds.y))
    return pygame.transform.smoothscale(large, shape), above


def _at(distance: float, turn: float) -> tuple[float, float]:
    """A point at a distance from the centre, at a share of a full turn clockwise from the top."""
    return distance * math.sin(math.tau * turn), -distance * math.cos(math.tau * turn)


def _at_heart(angle: float) -> tuple[float, float]:
    height = 13 * math.cos(angle) - 5 * math.cos(2 * angle) - 2 * math.cos(3 * angle)
    return 0.98 * math.sin(angle) ** 3, -height / 15 - 0.08


_OUTLINES: dict[str, list[tuple[float, float]]] = {
    "orange": [_at(0.88, turn / 48) for turn in range(48)],
    "pink": [_at_heart(math.tau * turn / 48) for turn in range(48)],
    "blue": [(0, -1), (0.8, 0), (0, 1), (-0.8, 0)],
    "green": [(0, -0.9), (0.98, 0.8), (-0.98, 0.8)],
    "purple": [
        (x, y + 0.08) for x, y in (_at((1.04, 0.46)[turn % 2], turn / 10) for turn in range(10))
    ],
}
