"""A surface of any size that is drawn on as if it were 1280 by 800."""

from mindup_env.render import shapes
from mindup_env.render.palette import TABLE, TEXT, Colour
from mindup_env.render.pygame_extra import FRect, pygame

WIDTH, HEIGHT = 1280, 800
_CAPITALS = 0.73  # their height in the font, as a share of its size


class Canvas:
    """Lengths are those of a picture of 1280 x 800, which is scaled and centred."""

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
        place = self._pixels(area)
        width = 0 if edge is None else max(round(edge_width * self._scale), 1)
        shape = shapes.rounded(
            place.size, round(radius * self._scale), fill, fill if edge is None else edge, width
        )
        self.surface.blit(shape, place)

    def symbol(self, colour: str, centre: tuple[float, float], side: float, tint: Colour) -> None:
        area = FRect(0, 0, side, side)
        area.center = centre
        place = self._pixels(area)
        self.surface.blit(shapes.symbol(colour, max(place.size), tint), place)

    def text(
        self,
        words: str,
        at: tuple[float, float],
        size: float,
        colour: Colour,
        *,
        align: float = 0,
        room: float | None = None,
    ) -> float:
        """Writes at a point: ``align`` 0 to the right of it, 0.5 around it, 1 to its left.

        Capitals stand centred on the height of the point. Words too long for ``room`` are
        written smaller. Returns their width.
        """
        width = self.text_width(words, size)
        if room is not None and width > room:
            size, width = size * room / width, room
        letters, above = shapes.written(words, self._pixels_of_text(size), colour)
        left = self._left + (at[0] - width * align) * self._scale
        baseline = self._top + (at[1] + size * _CAPITALS / 2) * self._scale
        self.surface.blit(letters, (round(left), round(baseline) - above))
        return width

    def text_width(self, words: str, size: float) -> float:
        letters, _ = shapes.written(words, self._pixels_of_text(size), TEXT)
        return letters.get_width() / self._scale

    def _pixels_of_text(self, size: float) -> float:
        return max(size * self._scale, 1)

    def _pixels(self, area: FRect) -> pygame.Rect:
        left, top, right, bottom = (
            round(start + length * self._scale)
            for start, length in (
                (self._left, area.left),
                (self._top, area.top),
                (self._left, area.right),
                (self._top, area.bottom),
            )
        )
        return pygame.Rect(left, top, max(right - left, 1), max(bottom - top, 1))
