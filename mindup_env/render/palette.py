"""The colours of the picture: those of the web page in its dark scheme, under these names there.

A test compares them with the style sheet of the page.
"""

Colour = tuple[int, int, int]

TABLE: Colour = (29, 52, 59)  # --background
SEAT: Colour = (34, 64, 74)  # --panel
SLOT: Colour = (27, 52, 60)  # --slot
LINE: Colour = (53, 88, 98)  # --line

TEXT: Colour = (240, 240, 232)  # --text
QUIET: Colour = (169, 191, 192)  # --muted
INK: Colour = (24, 28, 38)  # --ink
MALUS: Colour = (142, 36, 64)  # of .points.negative
GOLD: Colour = (244, 200, 96)  # --gold
PAPER: Colour = (240, 231, 208)  # --score-card
BACK: Colour = (70, 96, 107)  # --card-back
BACK_LINE: Colour = (92, 120, 132)  # --card-back-line

CARD: dict[str, Colour] = {
    "orange": (242, 154, 73),
    "pink": (239, 139, 182),
    "blue": (112, 176, 236),
    "green": (127, 194, 114),
    "purple": (178, 149, 236),
}


def dark(colour: Colour) -> Colour:
    return mixed(colour, INK, 0.62)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """``one`` mixed with a share of ``other``, from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
