"""The bots that are offered to a person, and the settings that the new-game screen makes."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from mindup_env import GameConfig, make_agent
from mindup_env.checks import suggestion
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
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
_HARMLESS = {*STRENGTHS, "lowest", "highest", "self-play"}
"""Bots of the project whose names, with any options, run no other code and open no file."""


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


def bots_of(settings: PlaySettings) -> list[str]:
    """All that a game starts."""
    return [*settings.opponents, *([settings.hints] if settings.hints else [])]


def check_no_code(settings: PlaySettings, known: Sequence[str] = ()) -> None:
    """Refuses what a file names but bots of the project and those ``known`` from the command."""
    for bot in bots_of(settings):
        if bot.partition(":")[0] not in _HARMLESS and bot not in known:
            raise ValueError(
                f"the game names the bot {bot!r}, which is code: only bots of mindup-env and of"
                " the command line are started, as in mindup play --opponents BOT"
            )


def offer(bots: Sequence[str]) -> dict[str, Any]:
    """The bots of the new-game screen as JSON data."""
    all_players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    return {
        "bots": [
            {
                "bot": bot,
                "strength": STRENGTHS.get(bot),
                "players": [players for players in all_players if can_play(bot, players)],
            }
            for bot in bots
        ]
    }


NEW_GAME: dict[str, type] = {
    "players": int,
    "objectives": int,
    "seat": int,
    "opponents": list,
    "seed": str,  # a JavaScript number holds no more than 53 bits; empty for a random one
    "hints": bool,
}
"""What the new-game screen asks for."""


def settings_of(new: dict[str, Any], current: PlaySettings, offered: Sequence[str]) -> PlaySettings:
    """The settings of another game; ``current`` are those of the game on the page.

    No bot is accepted that is not ``offered``: the name of a bot can run code.
    """
    for bot in new["opponents"]:
        if bot not in offered:
            raise ValueError(f"unknown bot {bot!r}{suggestion(str(bot), offered)}")
    seed = _typed_seed(new["seed"]) if new["seed"] else drawn_seed()
    made = PlaySettings(**{**new, **seed, "hints": None})
    # A bot for hints is looked for only where the number of players is one of a game.
    return replace(made, hints=_hint_bot(current, made.players)) if new["hints"] else made


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
