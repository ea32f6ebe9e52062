"""The settings of an arena: what is played, which bots meet, and in which parts."""

from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import Annotated, Any, NamedTuple

import tyro

from mindup_agents.policy import full_spec
from mindup_env import GameConfig
from mindup_env.agent import list_agents, make_agent
from mindup_env.checks import InputError, as_list, check_int, shortened, shown
from mindup_env.engine.streams import LAST_SEED

CHUNK_DEALS = 100
"""Deals in a chunk, with any workers: an error of a bot costs the games of its call."""

MAX_DEALS = 10**6
"""A report holds all results; the intervals of so many are below 0.1 points wide."""

LONGEST_REASON = 600  # characters of an error of a bot

Match = tuple[int, ...]
"""The bot at each place of a table, by its index in ``ArenaSettings.names``."""


class Chunk(NamedTuple):
    """One match over some deals: what a worker plays at a time."""

    match: int  # index in ArenaSettings.matches
    deals: range


Bots = Annotated[tuple[str, ...], tyro.conf.arg(metavar="BOT...", help_behavior_hint="")]


@dataclass(frozen=True)
class ArenaSettings:
    """Which bots play which deals, each deal in all seat rotations."""

    bots: tyro.conf.Positional[Bots]
    """a name, name:option=value,... or module:Class"""
    config: tyro.conf.Suppress[GameConfig] = field(default_factory=GameConfig)
    """the game"""
    deals: int = 1000
    """deals of each match, each played in all seat rotations"""
    seed: int = 0
    """random seed of the deals"""
    agent_seed: int | None = None
    """random seed of the bots' bits; by default a one-way hash of --seed"""
    against: Bots = ()
    """each bot plays alone against copies of each of these, instead of all against all"""
    forfeit: tyro.conf.FlagCreatePairsOff[bool] = False
    """an illegal card forfeits its game, and an error all games of the call; otherwise both end the
    run"""
    time_limit: float = 0.0
    """seconds for a call of a bot, from its second on; a longer one ends the run (0: no limit)"""
    chunk_deals: tyro.conf.Suppress[int] = CHUNK_DEALS
    """deals that a bot plays at once"""

    def __post_init__(self) -> None:
        for name in ("bots", "against"):
            specs = map(full_spec, as_list(name, getattr(self, name)))
            object.__setattr__(self, name, tuple(specs))

    def check(self) -> None:
        """Refuses what cannot be played, and what cannot be made or is no bot."""
        check_int("deals", self.deals, 2, MAX_DEALS)  # an interval needs two
        check_int("seed", self.seed, 0, LAST_SEED)
        if self.agent_seed is not None:
            check_int("agent_seed", self.agent_seed, 0, LAST_SEED)
        if not 0 <= self.time_limit < 10**6:
            raise InputError(f"time_limit must be 0 to 999999 seconds, not {self.time_limit}")
        for bot in self.names:
            if self.bots.count(bot) > 1 or self.against.count(bot) > 1:
                named = f"{shown(bot)} is named twice"
                raise InputError(f"{named}: matches seat copies of a bot anyway")
        for bot in self.names:
            try:
                made = make_agent(bot, self.config)
            except Exception as error:
                why = shortened(str(error), LONGEST_REASON)
                raise InputError(f"bot {shown(bot)} cannot be made: {why}") from error
            if not callable(getattr(made, "act", None)):
                raise InputError(f"bot {shown(bot)} has no method act")
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

    def to_dict(self) -> dict[str, Any]:
        """All that the results of games without a failure depend on."""
        names = "bots", "against", "deals", "seed", "agent_seed", "chunk_deals"
        return {name: getattr(self, name) for name in names} | self.config.to_dict()
