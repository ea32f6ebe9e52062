"""The colours of the picture."""

Colour = tuple[int, int, int]

TABLE: Colour = (24, 44, 50)
SEAT: Colour = (34, 59, 66)
SLOT: Colour = (29, 51, 57)
LINE: Colour = (56, 84, 91)

TEXT: Colour = (240, 240, 232)
QUIET: Colour = (158, 181, 183)
INK: Colour = (24, 28, 38)
MALUS: Colour = (146, 38, 56)
GOLD: Colour = (244, 200, 96)
PAPER: Colour = (240, 231, 208)
SECRET: Colour = (30, 45, 53)
BACK: Colour = (70, 93, 105)
BACK_LINE: Colour = (98, 124, 136)

CARD: dict[str, Colour] = {
    "orange": (245, 158, 76),
    "pink": (244, 146, 188),
    "blue": (112, 178, 240),
    "green": (130, 200, 116),
    "purple": (180, 148, 236),
}


def dark(colour: Colour) -> Colour:
    return mixed(colour, INK, 0.62)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """``one`` mixed with a share of ``other``, from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
