"""What an arena plays: everything that its results depend on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from typing import Any, Self

from mindup_env import GameConfig
from mindup_env.agent import make_agent
from mindup_env.checks import check_entries, check_int

CHUNK_DEALS = 100
"""A chunk is one line-up over so many deals. Bots forfeit, and runs resume, by chunks: the number
is the same for every run, so that results do not depend on how many workers there are."""

_LAST_SEED, _MOST_DEALS = 2**64 - 1, 2**32


@dataclass(frozen=True)
class ArenaSettings:
    """The bots by their specs, the game they play, and how much of it."""

    bots: tuple[str, ...]
    config: GameConfig = field(default_factory=GameConfig)
    deals: int = 1000
    seed: int = 0
    one_vs_field: bool = False
    time_limit: float | None = None  # seconds for each call of a bot
    record: str | None = None  # the folder that the games are recorded in
    chunk_deals: int = CHUNK_DEALS

    def __post_init__(self) -> None:
        check_int("deals", self.deals, 1, _MOST_DEALS)
        check_int("seed", self.seed, 0, _LAST_SEED)
        check_int("chunk_deals", self.chunk_deals, 1)
        if len(self.bots) < 2:
            raise ValueError(f"an arena needs two bots or more, not {len(self.bots)}")
        for bot in self.bots:
            if self.bots.count(bot) > 1:
                raise ValueError(
                    f"bot {bot!r} is named twice; the schedule seats several copies of a bot itself"
                )
        if self.time_limit is not None and not 0 < self.time_limit < math.inf:
            raise ValueError(f"the time limit must be above 0 seconds, not {self.time_limit}")

    def check_bots(self) -> None:
        """Makes every bot once, to refuse in words those that cannot be made."""
        for bot in self.bots:
            try:
                make_agent(bot, self.config)
            except Exception as error:
                raise ValueError(f"bot {bot!r} cannot be made: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the release that plays by it."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain.update(bots=list(self.bots), config=self.config.to_dict())
        return {"mindup_env": version("mindup-env"), **plain}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        names = [each.name for each in fields(cls)]
        check_entries("the settings of an arena", plain, ("mindup_env", *names))
        if plain["mindup_env"] != version("mindup-env"):
            raise ValueError(
                f"the arena was begun by mindup-env {plain['mindup_env']}, and this is "
                f"{version('mindup-env')}: they may play differently"
            )
        values = {name: plain[name] for name in names}
        values.update(bots=tuple(plain["bots"]), config=GameConfig.from_dict(plain["config"]))
        return cls(**values)
