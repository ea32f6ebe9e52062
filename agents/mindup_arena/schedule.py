"""Which bots meet: the matches of an arena, and the chunks in which they are played."""

from itertools import combinations, permutations, product
from typing import NamedTuple

from mindup_arena.settings import ArenaSettings

Match = tuple[int, ...]
"""The bot at each place of a table, by its index in the settings. A match plays every deal once
in each rotation: in rotation r the bot at place i sits at seat (i + r) modulo the players."""

SCHEDULE = (
    "Every match plays every deal in all seat rotations. The matches are, for each ordered pair of "
    "bots A and B, one A against copies of B (two players: each pair once); with three or more "
    "bots and players also mixed matches, which seat every bot as many times as all bots fit, and "
    "every combination of bots at the places left. Every bot takes the same number of seats and "
    "meets each other bot equally often."
)
_ONE_VS_FIELD = "One {one} plays every deal in all seat rotations against copies of {fields}."


class Chunk(NamedTuple):
    """One match over some deals: what a worker plays at a time."""

    number: int
    match: int  # index in matches()
    deals: range


def schedule_text(settings: ArenaSettings) -> str:
    if not settings.one_vs_field:
        return SCHEDULE
    one, *fields = settings.bots
    return _ONE_VS_FIELD.format(one=one, fields=", then of ".join(fields))


def matches(settings: ArenaSettings) -> list[Match]:
    bots, players = range(len(settings.bots)), settings.config.num_players
    if settings.one_vs_field:
        return [(0, *[field] * (players - 1)) for field in bots[1:]]
    # One against one is the same match from both sides.
    pairs = (combinations if players == 2 else permutations)(bots, 2)
    found: list[Match] = [(one, *[field] * (players - 1)) for one, field in pairs]
    if len(bots) > 2 and players > 2:  # otherwise mixes are the pairs again
        times, places_left = divmod(players, len(bots))
        every_bot = [*bots] * times
        found += [(*every_bot, *more) for more in combinations(bots, places_left)]
    return found


def chunks(settings: ArenaSettings) -> list[Chunk]:
    """All matches of the first deals come first, so that the time left is known early."""
    size = settings.chunk_deals
    parts = [
        range(first, min(first + size, settings.deals)) for first in range(0, settings.deals, size)
    ]
    found = product(parts, range(len(matches(settings))))
    return [Chunk(number, match, deals) for number, (deals, match) in enumerate(found)]
