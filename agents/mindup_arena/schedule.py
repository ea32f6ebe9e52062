"""Which bots meet: the matches of an arena, and the chunks in which they are played."""

from itertools import combinations, permutations, product
from typing import NamedTuple, Self

from mindup_arena.settings import MatchSettings

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

    def shifted(self, first_deal: int) -> Self:
        """The chunk of the same games where deal 0 is numbered ``first_deal``."""
        deals = range(first_deal + self.deals.start, first_deal + self.deals.stop)
        return self._replace(deals=deals)


def schedule_text(settings: MatchSettings) -> str:
    if settings.num_ones is None:
        return SCHEDULE
    one, *fields = settings.display_names
    return _ONE_VS_FIELD.format(one=one, fields=", then of ".join(fields))


def matches(settings: MatchSettings) -> list[Match]:
    num_bots, num_players = len(settings.bots), settings.config.num_players
    if num_bots == 1:
        return [(0,) * num_players]
    if settings.num_ones is not None:
        pairings = product(range(settings.num_ones), range(settings.num_ones, num_bots))
        return [one_against(one, field, num_players) for one, field in pairings]
    return pairs(num_bots, num_players) + mixes(num_bots, num_players)


def one_against(one: int, field: int, num_players: int) -> Match:
    return one, *[field] * (num_players - 1)


def pairs(num_bots: int, num_players: int) -> list[Match]:
    # One against one is the same match from both sides.
    ways = combinations if num_players == 2 else permutations
    return [one_against(one, other, num_players) for one, other in ways(range(num_bots), 2)]


def mixes(num_bots: int, num_players: int) -> list[Match]:
    if num_bots == 2 or num_players == 2:
        return []  # they would be the pairs again
    times, places_left = divmod(num_players, num_bots)
    every_bot = [*range(num_bots)] * times
    return [(*every_bot, *more) for more in combinations(range(num_bots), places_left)]


def chunks(settings: MatchSettings) -> list[Chunk]:
    """All matches of the first deals come first, so that the time left is known early."""
    size = settings.chunk_deals
    found: list[Chunk] = []
    for first in range(0, settings.deals, size):
        deals = range(first, min(first + size, settings.deals))
        for match in range(len(matches(settings))):
            found.append(Chunk(len(found), match, deals))
    return found
