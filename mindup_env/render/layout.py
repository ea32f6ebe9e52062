"""Where the parts of the picture are."""

from mindup_env.render.canvas import WIDTH
from mindup_env.render.pygame_extra import FRect

MARGIN = 24
GAP = 12

TITLE = FRect(MARGIN, 12, WIDTH - 2 * MARGIN, 36)
PRIZES = FRect(MARGIN, 56, WIDTH - 2 * MARGIN, 118)
OBJECTIVES = FRect(PRIZES.right - 500, PRIZES.top, 500, PRIZES.height)
SEATS = FRect(MARGIN, 186, WIDTH - 2 * MARGIN, 580)
LEGEND = FRect(MARGIN, 770, WIDTH - 2 * MARGIN, 26)

_SEATS_IN_ROWS = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3)}


def seat_areas(num_players: int) -> list[FRect]:
    """A place for each player, all of one size."""
    rows = _SEATS_IN_ROWS[num_players]
    width = (SEATS.width - GAP * (rows[0] - 1)) / rows[0]
    height = (SEATS.height - GAP * (len(rows) - 1)) / len(rows)
    areas = []
    for row, seats in enumerate(rows):
        left = SEATS.centerx - (seats * (width + GAP) - GAP) / 2
        top = SEATS.top + row * (height + GAP)
        areas += [FRect(left + seat * (width + GAP), top, width, height) for seat in range(seats)]
    return areas
