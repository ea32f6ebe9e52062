"""The bots that are offered to a person, and the settings that the new-game screen makes."""

import re
from dataclasses import replace
from functools import cache
from typing import Any

from mindup_env import GameConfig, make_agent
from mindup_env.checks import suggestion
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.settings.declaration import settings
from mindup_play.settings import MAX_SEED, PlaySettings, drawn_seed

STRENGTHS = {
    "champion": "very hard",
    "search": "hard",
    "predictor": "medium",
    "planner": "medium",
    "greedy": "easy",
    "random": "very easy",
}
"""The strengths of the project's bots, the strongest first."""


@cache
def can_play(bot: str, players: int) -> bool:
    """Whether a bot plays with so many players.

    A bot of the project refuses other games when it is made, with or without options. A bot of the
    user is not asked, because to make it can start a program: the deal shows whether it can play.
    """
    if bot.partition(":")[0] not in STRENGTHS:
        return True
    try:
        make_agent(bot, GameConfig(players))
    except (OSError, ValueError):
        return False
    return True


def default_hint_bot(players: int) -> str:
    """The strongest bot that plays with so many."""
    return next(bot for bot in STRENGTHS if can_play(bot, players))


def offered_bots(settings: PlaySettings) -> list[str]:
    """The bots that a new game can have: those of the project, and those of the current game.

    A page must not name any other: the name of a bot can run code.
    """
    hints = [] if settings.hints is None else [settings.hints]
    return list(dict.fromkeys([*STRENGTHS, *settings.opponents, *hints]))


def offer(settings: PlaySettings) -> dict[str, Any]:
    """The bots of the new-game screen as JSON data."""
    all_players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    bots = [
        {
            "bot": bot,
            "strength": STRENGTHS.get(bot),
            "players": [players for players in all_players if can_play(bot, players)],
        }
        for bot in offered_bots(settings)
    ]
    return {"bots": bots}


@settings
class NewGame:
    """Another game, as the new-game screen asks for it."""

    players: int
    objectives: int
    seat: int
    opponents: tuple[str, ...]
    seed: str  # a JavaScript number holds no more than 53 bits; empty for a random one
    hints: bool

    def settings(self, current: PlaySettings) -> PlaySettings:
        """The settings of the game; ``current`` are those of the game on the page."""
        offered = offered_bots(current)
        for bot in self.opponents:
            if bot not in offered:
                raise ValueError(f"unknown bot {bot!r}{suggestion(bot, offered)}")
        seed = _typed_seed(self.seed) if self.seed else drawn_seed()
        made = PlaySettings(**{**vars(self), **seed, "hints": None})
        # A bot for hints is looked for only where the number of players is one of a game.
        return replace(made, hints=_hint_bot(current, self.players)) if self.hints else made


def _typed_seed(text: str) -> dict[str, Any]:
    if not re.fullmatch("[0-9]{1,20}", text, re.ASCII) or int(text) > MAX_SEED:
        raise ValueError(f"The seed must be a number from 0 to {MAX_SEED}.")
    return {"seed": int(text)}


def _hint_bot(current: PlaySettings, players: int) -> str:
    """That of the current game, if it is not the default there and can play with so many."""
    hints = current.hints
    if hints is None or hints == default_hint_bot(current.players) or not can_play(hints, players):
        return default_hint_bot(players)
    return hints
