"""The fields of a seat's view, from the declared parts of an observation.

In the vector, a part about cards or objectives has an entry for each that exists. As a field it
is the list of those whose entry is not 0: the row, for example, lists the prizes in the order of
their places.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from mindup_env.config import GameConfig
from mindup_env.objectives import NUM_OBJECTIVES
from mindup_env.observation import Layout, LayoutPart, layout_of

CARDS, OBJECTIVES, VALUES = "cards", "objectives", "values"
"""What a field holds: numbers of cards, ids of objectives, or the values of the part itself."""


class ViewField(NamedTuple):
    """A field, and the part that it comes from."""

    part: LayoutPart
    holds: str
    of_players: bool  # a list with an entry for each player, from the viewer

    @property
    def name(self) -> str:
        return self.part.name

    @property
    def meaning(self) -> str:
        """The meaning of the part, or of what the list has of it."""
        if self.holds == VALUES:
            return self.part.meaning
        found = re.search(r"each [^,;]*", self.part.meaning)
        return found[0] if found else self.part.meaning


@lru_cache
def view_fields(config: GameConfig) -> tuple[ViewField, ...]:
    """The fields in the order of the parts."""
    return tuple(
        ViewField(part, _HOLDS[part.name], of_players)
        for parts, of_players in _parts(layout_of(config))
        for part in parts
    )


def _parts(layout: Layout) -> list[tuple[tuple[LayoutPart, ...], bool]]:
    return [(layout.table_parts, False), (layout.player_parts, True)]


def _what_parts_hold() -> dict[str, str]:
    """By the shapes of the published game, in which no other axis is as long as these two."""
    config = GameConfig()
    shapes: dict[tuple[int, ...], str]
    shapes = {(config.num_cards,): CARDS, (NUM_OBJECTIVES,): OBJECTIVES}
    parts = [part for parts, _ in _parts(layout_of(config)) for part in parts]
    return {part.name: shapes.get(part.shape, VALUES) for part in parts}


_HOLDS = _what_parts_hold()
