"""What a person's game is started with: the table, the deal and the bots."""

import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import cycle, islice
from typing import Any

from mindup_agents.labels import label, numbered
from mindup_env import Game, GameConfig, list_agents
from mindup_env.checks import as_list, check_int, shown

PEOPLE = "Ada", "Ben", "Cleo", "Davi", "Emma"
_SEED_BITS = 64
MAX_SEED = 2**_SEED_BITS - 1


@dataclass(frozen=True)
class PlaySettings:
    """A game of a person.

    Attributes:
        seed: random seed of the deal
        players: number of players
        objectives: number of objectives shown together
        seat: the person's seat, from 0
        opponents: bots for the seats after the person's; a short list is repeated
        hints: this bot shows the card that it would play; None for no hints
        secret_seed: whether the seed was drawn. From the seed all hands can be computed, so that
            the person sees such a seed only when the game is over
    """

    seed: int
    players: int = 4
    objectives: int = 0
    seat: int = 0
    opponents: Sequence[str] = ("planner", "predictor")
    hints: str | None = None
    secret_seed: bool = False

    def __post_init__(self) -> None:
        check_int("seed", self.seed, 0, MAX_SEED)
        _ = self.config  # which checks its numbers
        check_int("seat", self.seat, 0, self.players - 1)
        bots = tuple(as_list("opponents", self.opponents))
        if not bots or not all(isinstance(bot, str) and bot for bot in bots):
            raise ValueError(f"opponents must be names of bots, not {shown(self.opponents)}")
        object.__setattr__(self, "opponents", bots)
        if self.hints is not None and not (isinstance(self.hints, str) and self.hints):
            raise ValueError(f"hints must be the name of a bot, not {shown(self.hints)}")
        if not isinstance(self.secret_seed, bool):
            raise ValueError(f"secret_seed must be true or false, not {shown(self.secret_seed)}")

    @cached_property
    def config(self) -> GameConfig:
        return GameConfig(self.players, self.objectives)

    def first_game(self) -> Game:
        """The game before its first turn."""
        return Game(self.config, self.seed)

    @property
    def bots(self) -> dict[int, str]:
        """The bot of each seat but the person's."""
        seats = [(self.seat + after) % self.players for after in range(1, self.players)]
        return dict(zip(seats, islice(cycle(self.opponents), len(seats)), strict=True))

    @cached_property  # reads the metadata of all installed packages
    def names(self) -> list[str]:
        """The players' names, in seat order; bots of the same name are numbered."""
        bots = numbered([short_name(spec) for spec in self.bots.values()])
        names = dict(zip(self.bots, bots, strict=True))
        return [names.get(seat, "You") for seat in range(self.players)]

    @property
    def table_names(self) -> list[str]:
        """Names as of people, in seat order, for the page; ``names`` says which bots they are."""
        people = iter(PEOPLE)
        return ["You" if seat == self.seat else next(people) for seat in range(self.players)]

    @cached_property
    def hint_bot_name(self) -> str | None:
        return self.hints and short_name(self.hints)

    @property
    def command(self) -> str:
        """The command line that deals the same game to another person."""
        given = {"objectives": self.objectives, "seat": self.seat}
        words = [f"--{name} {value}" for name, value in given.items() if value]
        opponents = shlex.quote(",".join(self.opponents))
        table = f"mindup play --players {self.players} --seed {self.seed}"
        return " ".join([table, *words, f"--opponents {opponents}"])


def drawn_seed() -> dict[str, Any]:
    """The settings of a game whose seed is drawn.

    There are too many seeds to try each until it deals the hand that the person sees.
    """
    return {"seed": secrets.randbits(_SEED_BITS), "secret_seed": True}


@cache  # as many saved games have the same bots, and list_agents reads the metadata of packages
def short_name(spec: str) -> str:
    """A bot without its options: its name, its class, or its training run."""
    name, _, rest = spec.partition(":")
    if name in list_agents():
        short = label(spec)
        return name if short == spec else short
    return rest.partition(":")[0] or name
