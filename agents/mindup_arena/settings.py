"""What bots play: all that the results of an arena depend on."""

import secrets
from dataclasses import field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mindup_arena.fingerprints import Fingerprints, hash_code, versions_of
from mindup_env import GameConfig
from mindup_env.agent import find_agent, full_spec, list_agents, make_agent
from mindup_env.engine.streams import LAST_SEED
from mindup_env.settings.command_line import integer
from mindup_env.settings.declaration import option, settings, to_plain

KIND = "arena"
"""The kind of the run, as ``RunFolder`` has it."""

CHUNK_DEALS = 100
"""Deals in a chunk. Runs resume by chunks, and an error of a bot costs the games of its chunk, so
every run has the same number: results do not depend on the number of workers."""

MAX_DEALS = 10**6
"""A report holds the results of all deals; the intervals of so many are below 0.1 points wide."""


def agent_seed(text: str) -> int:
    """Reads an agent seed from the command line, or draws one."""
    return secrets.randbits(64) if text == "secret" else integer(text)


@settings
class ArenaSettings:
    """Which bots play which deals, each in all seat rotations.

    By default the agent seed is a one-way hash of the seed; a bot can hash every likely seed and
    compare. For bots of others, draw one: it is a secret until the report reveals it.

    Args:
        bots: The bots by their specs, as ``make_agent`` takes them.
        config: The game that they play.
    """

    bots: tuple[str, ...]
    config: GameConfig = field(default_factory=GameConfig)
    deals: int = option("deals, played by each match", default=1000, low=1, high=MAX_DEALS)
    seed: int = option("random seed", default=0, low=0, high=LAST_SEED)
    agent_seed: int | None = option(
        "random seed of the bots' bits (default: a one-way hash of --seed); 'secret' draws one, "
        "which the report reveals",
        default=None,
        low=0,
        high=LAST_SEED,
        metavar="N|secret",
        rare=True,
        reader=agent_seed,
    )
    one_vs_field: bool = option(
        "only one of the first bot against copies of each other bot", default=False
    )
    record: str | None = option(
        "write a record of every game to this folder",
        default=None,
        metavar="DIR",
        reader=lambda text: str(Path(text).resolve()),  # resumed from any folder
    )
    chunk_deals: int = option(
        "deals of a chunk, the unit in which runs resume and which is played at once",
        default=CHUNK_DEALS,
        low=1,
        high=10**4,
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(map(full_spec, self.bots)))
        if len(self.bots) < 2:
            raise ValueError(
                f"an arena needs at least 2 bots, not {len(self.bots)}; available: "
                f"{', '.join(list_agents())}"
            )
        for bot in self.bots:
            if self.bots.count(bot) > 1:
                raise ValueError(
                    f"bot {bot!r} is named twice; name it once: the matches seat copies of a bot"
                )

    def check_bots(self) -> Fingerprints:
        """Makes every bot once, to refuse early what cannot be made; what the bots consist of."""
        hashes = {}
        for bot in self.bots:
            try:
                make_agent(bot, self.config)
            except Exception as error:
                raise ValueError(f"bot {bot!r} cannot be made: {error}") from error
            found = find_agent(bot)
            hashes[bot] = hash_code(found, found.read_options())
        return {**versions_of(), **hashes}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the report, with the version of the package."""
        return {"mindup_env": version("mindup-env"), **to_plain(self)}
