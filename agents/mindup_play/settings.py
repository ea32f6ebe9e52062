"""What a person's game is started with, and the bots that are offered."""

import re
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

from mindup_agents.labels import label, numbered
from mindup_env import GameConfig
from mindup_env.checks import InputError, as_list, check_entries, check_int, shown, suggestion
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_play.records import Seats

STRENGTHS = {
    "champion": "very hard",
    "search": "hard",
    "distilled": "medium",
    "predictor": "medium",
    "planner": "medium",
    "greedy": "easy",
    "random": "very easy",
}
"""The strengths of the project's bots, the strongest first."""
_HARMLESS = {*STRENGTHS, "lowest", "highest", "self-play"}
"""Bots of the project whose names, with any options, run no other code."""
ASKED = "seed", "players", "objectives", "seat", "opponents", "hints"
"""What the command and the new-game screen ask for; on the screen, ``hints`` is yes or no."""
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
        object.__setattr__(self, "opponents", tuple(as_list("opponents", self.opponents)))
        if not self.opponents or not all(isinstance(bot, str) and bot for bot in self.all_bots):
            raise InputError(f"opponents and hints must be names of bots, not {self.all_bots}")

    @property
    def config(self) -> GameConfig:
        return GameConfig(self.players, self.objectives)

    @property
    def all_bots(self) -> list[str]:
        """The bots that a game starts."""
        return [*self.opponents, *([] if self.hints is None else [self.hints])]

    @property
    def bots(self) -> dict[int, str]:
        """The bot of each seat but the person's."""
        seats = [(self.seat + after) % self.players for after in range(1, self.players)]
        return dict(zip(seats, islice(cycle(self.opponents), len(seats)), strict=True))

    @property
    def seats(self) -> Seats:
        """The bots have names as of people; those of the same kind are numbered."""
        names = [*PEOPLE[: self.players - 1]]
        bots = numbered([short_name(self.bots[seat]) for seat in sorted(self.bots)])
        names.insert(self.seat, "You")
        bots.insert(self.seat, "")
        return Seats(names, bots)

    @property
    def command(self) -> str:
        """The command line that deals the same game to another person."""
        opponents = shlex.join(self.opponents)
        return (
            f"mindup play --players {self.players} --seed {self.seed} --seat {self.seat}"
            f" --objectives {self.objectives} --opponents {opponents}"
        )


def drawn_seed() -> dict[str, Any]:
    """The settings of a game whose seed is drawn.

    There are too many seeds to try each until it deals the hand that the person sees.
    """
    return {"seed": secrets.randbits(_SEED_BITS), "secret_seed": True}


def short_name(spec: str) -> str:
    """A bot without its options: its name, its class, or its training run."""
    name, *parts = label(spec).split(":")
    return name if not parts or "=" in parts[0] else parts[0]


def can_play(bot: str, config: GameConfig) -> bool:
    """Whether a bot plays a game; for a bot of the user, the deal shows it."""
    plain = GameConfig(config.num_players)
    rulebook = replace(plain, num_objectives=config.num_objectives)
    learned = {"champion": rulebook, "distilled": plain, "self-play": plain}
    name = bot.partition(":")[0]
    return name not in learned or (config.num_players > MIN_PLAYERS and config == learned[name])


def default_hint_bot(players: int) -> str:
    """The strongest bot that plays with so many."""
    return next(bot for bot in STRENGTHS if can_play(bot, GameConfig(players)))


def check_no_code(settings: PlaySettings, known: Sequence[str] = ()) -> None:
    """Refuses what a file names but bots of the project and those ``known`` from the command."""
    for bot in settings.all_bots:
        if bot.partition(":")[0] not in _HARMLESS and bot not in known:
            raise InputError(
                f"the game names the bot {shown(bot)}, which is code: only bots of mindup-env and "
                "of the command line are started, as in mindup play --opponents BOT"
            )


def offer(bots: Sequence[str]) -> list[dict[str, Any]]:
    """The bots of the new-game screen as JSON; ``players`` without objectives, and with some."""
    numbers = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    games = [[GameConfig(each, some) for each in numbers] for some in (0, 1)]
    able = {bot: [[g.num_players for g in of if can_play(bot, g)] for of in games] for bot in bots}
    return [{"bot": bot, "strength": STRENGTHS.get(bot), "players": able[bot]} for bot in bots]


def settings_of(new: Any, current: PlaySettings, offered: Sequence[str]) -> PlaySettings:
    """The settings of another game; ``current`` are those of the game on the page.

    No bot is accepted that is not ``offered``: the name of a bot can run code.
    """
    check_entries("settings", new, ASKED)
    for bot in as_list("opponents", new["opponents"]):
        if bot not in (*offered, *current.all_bots):
            raise InputError(f"unknown bot {shown(bot)}{suggestion(str(bot), offered)}")
    seed = _typed_seed(new["seed"]) if new["seed"] else drawn_seed()
    game = GameConfig(new["players"], new["objectives"])
    hints = _hint_bot(current, game) if new["hints"] else None
    return PlaySettings(**{**new, **seed, "hints": hints})


def _typed_seed(text: Any) -> dict[str, Any]:
    """It is a text, because a JavaScript number holds no more than 53 bits."""
    if not re.fullmatch("[0-9]{1,20}", str(text), re.ASCII) or int(text) > MAX_SEED:
        raise InputError(f"The seed must be a number from 0 to {MAX_SEED}.")
    return {"seed": int(text)}


def _hint_bot(current: PlaySettings, game: GameConfig) -> str:
    """That of the current game, if it is not the default there and can play the new one."""
    hints = current.hints or default_hint_bot(current.players)
    kept = hints != default_hint_bot(current.players) and can_play(hints, game)
    return hints if kept else default_hint_bot(game.num_players)
