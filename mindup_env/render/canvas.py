"""Boxes, symbols and text with smooth edges: a picture is drawn larger, and then shrunk."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

WIDTH = 1280
HEIGHT = 800
_LARGER = 2  # a picture is drawn this many times larger
_CAPITALS = 0.7  # the height of capital letters, as a share of the size of the font

Colour = tuple[int, int, int]
font_of = lru_cache(ImageFont.load_default)


class Area(NamedTuple):
    """A rectangle of a picture."""

    left: float
    top: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2


class Canvas:
    """A picture of 1280 by 800 pixels, in whose lengths it is drawn on."""

    def __init__(self, background: Colour) -> None:
        self._image = Image.new("RGB", (WIDTH * _LARGER, HEIGHT * _LARGER), background)
        self._draw = ImageDraw.Draw(self._image)

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The picture, as RGB (height, width, 3)."""
        return np.array(self._image.reduce(_LARGER))

    def box(self, area: Area, fill: Colour, edge: Colour | None = None) -> None:
        """A rectangle with round corners and an edge inside it."""
        corners = area.left, area.top, area.left + area.width, area.top + area.height
        edges = [round(_LARGER * each) for each in corners]
        self._draw.rounded_rectangle(edges, 6 * _LARGER, fill, edge, round(2.5 * _LARGER))

    def symbol(self, colour: str, centre: tuple[float, float], side: float, tint: Colour) -> None:
        """The symbol of a card colour, for people who cannot tell the colours apart."""
        points = np.array(centre) + np.array(_OUTLINES[colour]) * side / 2
        self._draw.polygon((points * _LARGER).ravel().tolist(), tint)

    def text(
        self, words: str, at: tuple[float, float], size: float, colour: Colour, *, align: float = 0
    ) -> float:
        """Writes one line, and returns its width.

        Capitals are centred on the height of the point ``at``. The text is to the right of it if
        ``align`` is 0, around it if 0.5, and to its left if 1.
        """
        font = font_of(size * _LARGER)
        width = font.getlength(words) / _LARGER
        left = (at[0] - width * align) * _LARGER
        baseline = (at[1] + size * _CAPITALS / 2) * _LARGER
        self._draw.text((left, baseline), words, colour, font, anchor="ls")
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
