"""The bots that the benchmark measured: they are offered in every game that they can play."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from mindup_env import GameConfig, make_agent
from mindup_env.agent import numbered_spec
from mindup_play.settings import PlaySettings


@cache
def bot_scores() -> Mapping[str, float]:
    """The benchmark's scores of the bots, the best first."""
    text = (files("mindup_play") / "bot_scores.json").read_text(encoding="utf-8")
    scores: dict[str, float] = json.loads(text)
    return scores


@cache
def can_play(bot: str, players: int) -> bool:
    """Whether a bot plays with so many players.

    A measured bot refuses other games when it is made, with or without options. A bot of the user
    is not asked, because to make it can start a program: whether it can play shows in the deal.
    """
    if numbered_spec(bot).partition(":")[0] not in bot_scores():
        return True
    try:
        make_agent(bot, GameConfig(players))
    except (OSError, ValueError):
        return False
    return True


def default_hint_bot(players: int) -> str:
    """The strongest bot that plays with so many."""
    return next(bot for bot in bot_scores() if can_play(bot, players))


def default_opponents(players: int) -> tuple[str, ...]:
    """Those of the settings; where these cannot play, the strongest bot that can."""
    usual = PlaySettings.opponents
    return usual if all(can_play(bot, players) for bot in usual) else (default_hint_bot(players),)
