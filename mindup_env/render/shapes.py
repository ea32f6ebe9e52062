"""Shapes and words with smooth edges: drawn large, then shrunk."""

import math
from functools import lru_cache

from mindup_env.render.palette import Colour
from mindup_env.render.pygame_extra import pygame

_LARGER = 4
_Points = list[tuple[float, float]]


@lru_cache(maxsize=1024)
def rounded(
    size: tuple[int, int], radius: int, fill: Colour, edge: Colour, edge_width: int
) -> pygame.Surface:
    """A rectangle with round corners, and within it an edge in a colour of its own."""
    width, height = size[0] * _LARGER, size[1] * _LARGER
    inset = edge_width * _LARGER
    # What is clear has the colour of the edge: shrinking mixes it into the border pixels.
    large = pygame.Surface((width, height), pygame.SRCALPHA)
    large.fill((*edge, 0))
    pygame.draw.rect(large, edge, large.get_rect(), border_radius=radius * _LARGER)
    inner = large.get_rect().inflate(-2 * inset, -2 * inset)
    pygame.draw.rect(large, fill, inner, border_radius=max(radius * _LARGER - inset, 0))
    return pygame.transform.smoothscale(large, size)


@lru_cache(maxsize=256)
def symbol(colour: str, side: int, tint: Colour) -> pygame.Surface:
    """The sign of a card colour, for those who cannot tell the colours apart."""
    large = pygame.Surface((side * _LARGER, side * _LARGER), pygame.SRCALPHA)
    large.fill((*tint, 0))
    reach = side * _LARGER / 2
    points = [(reach + x * reach, reach + y * reach) for x, y in _OUTLINES[colour]]
    pygame.draw.polygon(large, tint, points)
    return pygame.transform.smoothscale(large, (side, side))


@lru_cache(maxsize=2048)
def written(words: str, size: float, colour: Colour) -> tuple[pygame.Surface, int]:
    """Words, and how far below the top of their surface they stand.

    Shrunk letters keep the distances that the font means them to have.
    """
    pygame.freetype.init()
    letters, bounds = pygame.freetype.Font(None).render(words, colour, size=size * _LARGER)
    above = math.ceil(bounds.y / _LARGER)
    below = math.ceil((bounds.height - bounds.y) / _LARGER)
    width = math.ceil(bounds.width / _LARGER)
    large = pygame.Surface((width * _LARGER, (above + below) * _LARGER), pygame.SRCALPHA)
    large.fill((*colour, 0))
    large.blit(letters, (0, above * _LARGER - bounds.y))
    return pygame.transform.smoothscale(large, (width, above + below)), above


def _circle() -> _Points:
    return [_at(0.88, turn / 48) for turn in range(48)]


def _heart() -> _Points:
    angles = [math.tau * turn / 48 for turn in range(48)]
    return [
        (
            0.98 * math.sin(angle) ** 3,
            -(13 * math.cos(angle) - 5 * math.cos(2 * angle) - 2 * math.cos(3 * angle)) / 15 - 0.08,
        )
        for angle in angles
    ]


def _star() -> _Points:
    points = [_at(0.46 if turn % 2 else 1.04, turn / 10) for turn in range(10)]
    return [(x, y + 0.08) for x, y in points]


def _at(distance: float, turn: float) -> tuple[float, float]:
    """So far from the centre, at a share of a full turn clockwise from the top."""
    return distance * math.sin(math.tau * turn), -distance * math.cos(math.tau * turn)


_OUTLINES: dict[str, _Points] = {
    "orange": _circle(),
    "pink": _heart(),
    "blue": [(0, -1), (0.8, 0), (0, 1), (-0.8, 0)],
    "green": [(0, -0.9), (0.98, 0.8), (-0.98, 0.8)],
    "purple": _star(),
}
