"""What an arena plays: all that its results depend on."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from typing import Any, ClassVar, Self

from mindup_env import GameConfig
from mindup_env.agent import StopRunError, list_agents, make_agent, numbered_spec
from mindup_env.config import check_config
from mindup_env.engine.streams import LAST_SEED
from mindup_env.settings.checks import as_list, check_entries, check_int, shown
from mindup_env.settings.options import check_ranges, integer, option

CHUNK_DEALS = 100
"""Deals in a chunk. Runs resume by chunks, and failures are counted by chunks, so every run has the
same number: results do not depend on the number of workers."""

MAX_DEALS = 10**6
"""A report holds the results of all deals; the intervals of so many are below 0.1 points wide."""
_DAY = 24 * 60 * 60  # seconds
_MAX_CHUNK_DEALS = 10**4  # the games of a chunk are played at once

TO_DRAW = "secret"
"""The agent seed, as the command line gives it, if it is still to be drawn."""


def agent_seed(text: str) -> int | str:
    """Reads an agent seed from the command line."""
    return text if text == TO_DRAW else integer(text)


@dataclass(frozen=True)
class ArenaSettings:
    """The settings of an arena.

    Args:
        bots: Two or more bots by their specs, as ``make_agent`` takes them; ``champion`` gets its
            number.
        config: The game that they play.
        deals: Number of deals. Every match plays each deal in all seat rotations.
        seed: Random seed of the cards and of the bootstrap.
        agent_seed: Random seed of the bots' bits. By default it is a one-way hash of the seed; a
            bot can hash every likely seed and compare. For bots of others, draw one: it is a
            secret until the report reveals it.
        one_vs_field: Only one of the first bot against copies of each other bot.
        time_limit: Seconds for each call of a bot; a slower bot forfeits the game. With a time
            limit, results can differ between runs.
        record: A folder for a record of every game.
        chunk_deals: Number of deals of a chunk, the unit in which runs resume.
        names: What reports call the bots, in their order; an empty text is no name.

    Attributes:
        kind (str): What messages call it.
        fewest_bots (int): The smallest number of bots.
    """

    kind: ClassVar[str] = "arena"
    fewest_bots: ClassVar[int] = 2

    bots: tuple[str, ...]
    config: GameConfig = field(default_factory=GameConfig)
    deals: int = option(
        "deals, played by each match", default=1000, low=1, high=MAX_DEALS, metavar="N"
    )
    seed: int = option("random seed", default=0, low=0, high=LAST_SEED, metavar="N")
    agent_seed: int | None = option(
        "random seed of the bots' bits (default: a one-way hash of --seed); 'secret' draws one, "
        "which the report reveals",
        default=None,
        low=0,
        high=LAST_SEED,
        metavar="N|secret",
        reader=agent_seed,
    )
    one_vs_field: bool = option(
        "only one of the first bot against copies of each other bot", default=False
    )
    time_limit: float | None = option(
        "time limit for each call of a bot; results can then differ between runs",
        default=None,
        above=0,
        high=_DAY,
        metavar="SECONDS",
    )
    record: str | None = option(
        "write a record of every game to this folder", default=None, metavar="FOLDER"
    )
    chunk_deals: int = CHUNK_DEALS
    names: tuple[str, ...] = field(default=(), compare=False)  # no result depends on them

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(as_list("bots", self.bots)))
        for bot in self.bots:
            if not isinstance(bot, str):
                raise ValueError(f"bots must be the specs of bots, not {bot!r}")
        object.__setattr__(self, "bots", tuple(map(numbered_spec, self.bots)))
        check_config(self.config)
        check_ranges(self)
        check_int("chunk_deals", self.chunk_deals, 1, _MAX_CHUNK_DEALS)
        if not isinstance(self.one_vs_field, bool):
            raise ValueError(f"one_vs_field must be True or False, not {self.one_vs_field!r}")
        if not isinstance(self.record, str | None):
            raise ValueError(f"record must be the path of a folder, not {self.record!r}")
        if len(self.bots) < self.fewest_bots:
            available, bots = ", ".join(list_agents()), "bots" if self.fewest_bots > 1 else "bot"
            raise ValueError(
                f"the {self.kind} needs at least {self.fewest_bots} {bots}, not {len(self.bots)}; "
                f"available: {available}"
            )
        for bot in self.bots:
            if self.bots.count(bot) > 1:
                raise ValueError(
                    f"bot {bot!r} is named twice; name it once: the matches seat copies of a bot"
                )

        self._check_names()

    def _check_names(self) -> None:
        object.__setattr__(self, "names", tuple(as_list("names", self.names)))
        if self.names and len(self.names) != len(self.bots):
            raise ValueError(f"names must be {len(self.bots)}, one for each bot, not {self.names}")
        for name in self.names:
            if not isinstance(name, str) or not (name.isprintable() and name == name.strip()):
                raise ValueError(f"a name must be a printable text, not {shown(name)}")
        shown_names = self.display_names
        for name in self.names:
            if shown_names.count(name) > 1:
                raise ValueError(f"two bots have the name {name!r}: each needs its own")

    @property
    def display_names(self) -> tuple[str, ...]:
        """What reports call the bots: their names, or else their specs."""
        names = self.names or [""] * len(self.bots)
        return tuple(name or bot for name, bot in zip(names, self.bots, strict=True))

    @property
    def num_ones(self) -> int | None:
        """How many bots, the first, play one against copies of each other bot; None for all."""
        return 1 if self.one_vs_field else None

    def check_bots(self) -> None:
        """Makes every bot once, to refuse early those that cannot be made."""
        for bot in self.bots:
            try:
                make_agent(bot, self.config)
            except StopRunError:
                raise
            except Exception as error:
                raise ValueError(f"bot {bot!r} cannot be made: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON, with the version of the package."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain.update(bots=list(self.bots), names=list(self.names), config=self.config.to_dict())
        return {"mindup_env": version("mindup-env"), **plain}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Reads what ``to_dict`` returned; refuses the data of another version."""
        names = [each.name for each in fields(cls)]
        if isinstance(plain, Mapping) and "seed" in plain:
            # Before there were agent seeds, the bots' bits came from the seed of the deals.
            plain = {"agent_seed": plain["seed"], "names": (), **plain}
        check_entries(f"the settings of the {cls.kind}", plain, ("mindup_env", *names))
        if plain["mindup_env"] != version("mindup-env"):
            raise ValueError(
                f"it was begun with mindup-env {plain['mindup_env']}, and this is "
                f"{version('mindup-env')}: results may differ between versions"
            )
        values = {name: plain[name] for name in names}
        values["config"] = GameConfig.from_dict(plain["config"])
        return cls(**values)
