"""Points with their sign."""

from mindup_env.render.canvas import Canvas
from mindup_env.render.palette import INK, MALUS, TEXT
from mindup_env.render.pygame_extra import FRect


def draw_points(
    canvas: Canvas, centre: tuple[float, float], points: int, *, height: float = 18
) -> None:
    """A bonus light and a malus dark; nothing for neither."""
    if not points:
        return
    pill = FRect(0, 0, 25, height)
    pill.center = centre
    fill, ink = (TEXT, INK) if points > 0 else (MALUS, TEXT)
    canvas.box(pill, fill, radius=height / 2)
    canvas.text(signed(points), centre, 13, ink, align=0.5, room=21)


def signed(points: int) -> str:
    return _long_minus(f"{points:+d}")


def score_words(score: int) -> str:
    return _long_minus(str(score))


def _long_minus(number: str) -> str:
    return number.replace("-", "−")  # noqa: RUF001  # a hyphen is hard to see
