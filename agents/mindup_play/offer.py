"""What the new-game screen offers, and the settings that a request from it makes."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from mindup_env.checks import as_list, suggestion
from mindup_play.settings import PlaySettings, drawn_seed, short_name

HINT_BOT = "champion-2"
"""Gives the hints of a game for which no other bot was chosen."""
STRENGTHS = {
    "very_easy": -20.0,
    "easy": 0.0,
    "medium": 25.0,
    "hard": 45.0,
    "very_hard": float("inf"),
}
"""The score of the benchmark below which a bot has this strength; the pages have the words."""


@cache
def bot_scores() -> Mapping[str, float]:
    """The benchmark's scores of the bots that are offered in every game, the best first."""
    text = (files("mindup_play") / "bot_scores.json").read_text(encoding="utf-8")
    scores: dict[str, float] = json.loads(text)
    return scores


def offered_bots(settings: PlaySettings) -> list[str]:
    """The bots that a new game can have: the measured ones, and those of the current game.

    A page must not name any other: the name of a bot can run code.
    """
    hints = [] if settings.hints is None else [settings.hints]
    return list(dict.fromkeys([*bot_scores(), *settings.opponents, *hints]))


def offer(settings: PlaySettings) -> dict[str, Any]:
    """The bots of the new-game screen as JSON data."""
    bots = [
        {
            "bot": bot,
            "name": short_name(bot) if bot in bot_scores() else bot,
            "score": bot_scores().get(bot),
            "strength": _strength(bot),
        }
        for bot in offered_bots(settings)
    ]
    return {"bots": bots, "hint_bot": short_name(_hint_bot(settings))}


def new_settings(current: PlaySettings, game: Mapping[str, Any]) -> PlaySettings:
    """The settings of another game. Without a seed, one is drawn."""
    opponents = tuple(as_list("opponents", game["opponents"]))
    offered = offered_bots(current)
    for bot in opponents:
        if bot not in offered:
            raise ValueError(f"unknown bot {bot!r}{suggestion(str(bot), offered)}")
    seed = game["seed"]
    return replace(
        current,
        players=game["players"],
        objectives=game["objectives"],
        seat=game["seat"],
        opponents=opponents,
        hints=_hint_bot(current) if game["hints"] else None,
        deal=None,
        **(drawn_seed() if seed is None else {"seed": seed, "secret_seed": False}),
    )


def _hint_bot(settings: PlaySettings) -> str:
    return settings.hints or HINT_BOT


def _strength(bot: str) -> str | None:
    score = bot_scores().get(bot)
    if score is None:
        return None
    return next(name for name, limit in STRENGTHS.items() if score < limit)
