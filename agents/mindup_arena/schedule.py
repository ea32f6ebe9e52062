"""Which bots meet: the line-ups, and the chunks in which they are played."""

from itertools import combinations, permutations
from typing import NamedTuple

from mindup_arena.settings import ArenaSettings

LineUp = tuple[int, ...]
"""The bot at each place of a table, by its number. Every deal is played once in each rotation: in
rotation r the bot at place i sits at seat (i + r) modulo the number of players."""

SCHEDULE = (
    "Every deal is played by every line-up in all its seat rotations. The line-ups are, for each "
    "ordered pair of bots A and B, one A against copies of B (two players: each pair once); with "
    "three or more bots and players also mixes, which seat every bot as often as all bots fit, "
    "and every combination of bots at the places left over. So every bot takes as many seats as "
    "every other, and meets each of them as often."
)
ONE_VS_FIELD = "Every deal is played in all seat rotations by one {one} against copies of {fields}."


class Chunk(NamedTuple):
    """One line-up over some deals: what a worker plays at a time."""

    number: int
    line_up: int
    deals: range


def schedule_text(settings: ArenaSettings) -> str:
    if not settings.one_vs_field:
        return SCHEDULE
    one, *fields = settings.bots
    return ONE_VS_FIELD.format(one=one, fields=", then of ".join(fields))


def line_ups(settings: ArenaSettings) -> list[LineUp]:
    num_bots, num_players = len(settings.bots), settings.config.num_players
    if settings.one_vs_field:
        return [one_against(0, field, num_players) for field in range(1, num_bots)]
    return pairs(num_bots, num_players) + mixes(num_bots, num_players)


def one_against(one: int, field: int, num_players: int) -> LineUp:
    return one, *[field] * (num_players - 1)


def pairs(num_bots: int, num_players: int) -> list[LineUp]:
    # One against one is the same table from both sides.
    ways = combinations if num_players == 2 else permutations
    return [one_against(one, other, num_players) for one, other in ways(range(num_bots), 2)]


def mixes(num_bots: int, num_players: int) -> list[LineUp]:
    if num_bots == 2 or num_players == 2:
        return []  # they would be the pairs again
    times, places_left = divmod(num_players, num_bots)
    everybody = [*range(num_bots)] * times
    return [(*everybody, *more) for more in combinations(range(num_bots), places_left)]


def chunks(settings: ArenaSettings) -> list[Chunk]:
    """All line-ups of the first deals come first: the time left can be told from the start."""
    size = settings.chunk_deals
    found: list[Chunk] = []
    for first in range(0, settings.deals, size):
        deals = range(first, min(first + size, settings.deals))
        for line_up in range(len(line_ups(settings))):
            found.append(Chunk(len(found), line_up, deals))
    return found
