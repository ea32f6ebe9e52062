"""The settings of an arena: what is played, which bots meet, and in which parts."""

from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

from mindup_env import GameConfig
from mindup_env.agent import full_spec, list_agents, make_agent
from mindup_env.checks import InputError, check_int
from mindup_env.engine.streams import LAST_SEED

CHUNK_DEALS = 100
"""Deals in a chunk, with any workers: an error of a bot costs the games of its call."""

MAX_DEALS = 10**6
"""A report holds all results; the intervals of so many are below 0.1 points wide."""

Match = tuple[int, ...]
"""The bot at each place of a table, by its index in ``ArenaSettings.names``."""


class Chunk(NamedTuple):
    """One match over some deals: what a worker plays at a time."""

    match: int  # index in ArenaSettings.matches
    deals: range


@dataclass(frozen=True)
class ArenaSettings:
    """Which bots play which deals, each deal in all seat rotations.

    Attributes:
        bots: The bots by their specs, as ``make_agent`` takes them.
        config: The game that they play.
        deals: Deals of each match.
        seed: Random seed of the deals.
        agent_seed: Random seed of the bots' bits; a one-way hash of ``seed`` if None.
        against: Each of ``bots`` plays alone against copies of each of these; if there are none,
            all bots meet.
        forfeit: A bot that fails loses these games; otherwise it ends the arena.
        time_limit: Seconds for a call of a bot, from its second on; no limit if 0.
        chunk_deals: Deals that a bot plays at once.
    """

    bots: tuple[str, ...]
    config: GameConfig = field(default_factory=GameConfig)
    deals: int = 1000
    seed: int = 0
    agent_seed: int | None = None
    against: tuple[str, ...] = ()
    forfeit: bool = False
    time_limit: float = 0.0
    chunk_deals: int = CHUNK_DEALS

    def __post_init__(self) -> None:
        for name in ("bots", "against"):
            specs = map(full_spec, getattr(self, name))
            object.__setattr__(self, name, tuple(specs))
        check_int("deals", self.deals, 1, MAX_DEALS)
        check_int("seed", self.seed, 0, LAST_SEED)
        if self.agent_seed is not None:
            check_int("agent_seed", self.agent_seed, 0, LAST_SEED)
        if not 0 <= self.time_limit < 10**6:
            raise InputError(f"time_limit must be 0 to 999999 seconds, not {self.time_limit}")
        for bot in self.names:
            if self.bots.count(bot) > 1 or self.against.count(bot) > 1:
                raise InputError(f"{bot!r} is named twice: matches seat copies of a bot anyway")
        number = len(self.names)
        if not self.bots or number < 2:
            known = ", ".join(list_agents())
            raise InputError(f"an arena needs at least 2 bots, not {number}; available: {known}")

    @property
    def names(self) -> tuple[str, ...]:
        """All bots, each once."""
        return tuple(dict.fromkeys(self.bots + self.against))

    @property
    def matches(self) -> list[Match]:
        """Which bots meet.

        For each ordered pair of bots, one against copies of the other; with three or more bots and
        players also mixed matches: every bot as many times as all fit, with every combination of
        bots at the places left. So every bot takes the same number of seats, and meets each other
        bot equally often.
        """
        bots = range(len(self.names))
        players = self.config.num_players
        pairs = [*permutations(bots, 2)]
        if self.against:
            ones = range(len(self.bots))
            rivals = map(self.names.index, self.against)
            pairs = [(one, other) for one, other in product(ones, rivals) if one != other]
        if players == 2:  # one against one is the same match from both sides
            pairs = [pair for pair in pairs if pair < pair[::-1] or pair[::-1] not in pairs]
        found: list[Match] = [(one, *[other] * (players - 1)) for one, other in pairs]
        if not self.against and len(bots) > 2 and players > 2:  # otherwise mixes are pairs again
            times, places_left = divmod(players, len(bots))
            every_bot = [*bots] * times
            found += [(*every_bot, *more) for more in combinations(bots, places_left)]
        return found

    @property
    def chunks(self) -> list[Chunk]:
        """All matches of the first deals come first, so that the time left is known early."""
        matches = range(len(self.matches))
        deals = range(self.deals)
        size = self.chunk_deals
        parts = [deals[start : start + size] for start in deals[::size]]
        return [Chunk(match, part) for part, match in product(parts, matches)]

    def check_bots(self) -> None:
        """Refuses what cannot be made or is no bot."""
        for bot in self.names:
            try:
                made = make_agent(bot, self.config)
            except Exception as error:
                raise InputError(f"bot {bot!r} cannot be made: {error}") from error
            if not callable(getattr(made, "act", None)):
                raise InputError(f"bot {bot!r} has no method act")

    def to_dict(self) -> dict[str, Any]:
        """All that the results of games without a failure depend on."""
        return {
            "bots": [*self.bots],
            "against": [*self.against],
            **self.config.to_dict(),
            "deals": self.deals,
            "seed": self.seed,
            "agent_seed": self.agent_seed,
            "chunk_deals": self.chunk_deals,
        }
