"""What a person sits down to play: the table, the deal and the company."""

import secrets
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import cycle, islice
from typing import Any, Self

from mindup_agents.labels import label
from mindup_env import GameConfig, list_agents
from mindup_env.checks import as_list, check_entries, check_int

DEFAULT_OPPONENTS = ("champion",)
_LAST_SEED = 2**64 - 1
_EASY_SEEDS = 10**6
"""Seeds made up here are short enough to be read to a friend."""


@dataclass(frozen=True)
class PlaySettings:
    """``opponents`` take the seats after the person's in turn, from the first again if too few."""

    seed: int
    players: int = 4
    objectives: int = 0
    seat: int = 0
    opponents: tuple[str, ...] = DEFAULT_OPPONENTS
    hints: str | None = None

    def __post_init__(self) -> None:
        check_int("seed", self.seed, 0, _LAST_SEED)
        self.config  # noqa: B018  # refuses what cannot be played
        check_int("seat", self.seat, 0, self.players - 1)
        if not self.opponents or not all(_is_name(spec) for spec in self.opponents):
            raise ValueError(f"opponents are names of bots, not {self.opponents!r}")
        if self.hints is not None and not _is_name(self.hints):
            raise ValueError(f"hints come from a bot, by its name, not from {self.hints!r}")
        if "human" in {*self.opponents, self.hints}:
            raise ValueError("one person plays here: 'human' can be no opponent and gives no hints")

    @property
    def config(self) -> GameConfig:
        return GameConfig(self.players, self.objectives)

    @property
    def bots(self) -> dict[int, str]:
        """The bot of each other seat."""
        seats = [(self.seat + after) % self.players for after in range(1, self.players)]
        return dict(zip(seats, islice(cycle(self.opponents), len(seats)), strict=True))

    @cached_property  # the names of bots are read from all that is installed
    def names(self) -> list[str]:
        """How the players are called, in seat order."""
        short = {seat: called(spec) for seat, spec in self.bots.items()}
        names = ["You"] * self.players
        for seat, name in short.items():
            same = [other for other in short if short[other] == name]
            names[seat] = name if len(same) == 1 else f"{name} {same.index(seat) + 1}"
        return names

    @cached_property
    def hints_name(self) -> str | None:
        return self.hints and called(self.hints)

    @property
    def command(self) -> str:
        """The line that deals the same game to somebody else."""
        words = ["mindup play", f"--players {self.players}", f"--seed {self.seed}"]
        if self.objectives:
            words.append(f"--objectives {self.objectives}")
        if self.seat:
            words.append(f"--seat {self.seat}")
        return " ".join([*words, f"--opponents {shlex.quote(','.join(self.opponents))}"])

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "opponents": list(self.opponents)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        check_entries("the settings of a game", plain, [field.name for field in fields(cls)])
        return cls(**{**plain, "opponents": tuple(as_list("opponents", plain["opponents"]))})


def called(spec: str) -> str:
    """A bot without its options: by its name, its class, or the run that made it."""
    name, _, rest = spec.partition(":")
    if name in list_agents():
        short = label(spec)
        return name if short == spec else short
    return rest.partition(":")[0] or name


def easy_seed() -> int:
    return secrets.randbelow(_EASY_SEEDS)


def split_specs(text: str) -> tuple[str, ...]:
    """Bots joined by commas; a comma between two options of one bot parts nothing."""
    specs: list[str] = []
    for piece in text.split(","):
        if specs and "=" in piece and ":" not in piece.partition("=")[0]:
            specs[-1] += f",{piece}"
        else:
            specs.append(piece.strip())
    return tuple(specs)


def _is_name(spec: Any) -> bool:
    return isinstance(spec, str) and bool(spec)
