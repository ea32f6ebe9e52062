"""Reads the parts of a result file, and refuses what cannot be."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mindup_arena.benchmark.protocol import BenchmarkGame
from mindup_arena.benchmark.settings import LONGEST_SPEC, BenchmarkSettings, check_text
from mindup_arena.estimate import Floats
from mindup_env import Game
from mindup_env.settings.checks import as_list, check_entries, shown

_LONGEST_TEXT = 300


def is_number(plain: Any) -> bool:
    """Whether it is a number; true and false are none."""
    return isinstance(plain, int | float) and not isinstance(plain, bool)


def read_win_shares(settings: BenchmarkSettings, plain: Any) -> Floats:
    found, games = as_list("win_shares", plain), settings.rules.games
    if len(found) != len(games):
        raise ValueError(f"win_shares must hold {len(games)} games, not {len(found)}")
    return np.array(
        [_read_game(settings, game, each) for game, each in zip(games, found, strict=True)]
    )


def _read_game(settings: BenchmarkSettings, game: BenchmarkGame, plain: Any) -> list[list[float]]:
    """The win shares of a game (rivals, deals); equal play against copies of the bot itself."""
    rules = settings.rules
    rivals, deals = rules.rivals_of(settings.bot), rules.sizes[settings.size].deals
    where = f"win_shares, {game.name}"
    check_entries(where, plain, ("players", "objectives", *rivals))
    if (plain["players"], plain["objectives"]) != (game.players, game.objectives):
        raise ValueError(f"{where}: this place has another game")
    equal = [1 / game.players] * deals
    return [
        _read_shares(f"{where}, against {rival}", plain[rival], deals) if rival in rivals else equal
        for rival in rules.panel
    ]


def _read_shares(where: str, plain: Any, deals: int) -> list[float]:
    shares = as_list(where, plain)
    if len(shares) != deals or not all(is_number(each) and 0 <= each <= 1 for each in shares):
        raise ValueError(f"{where}: must be {deals} numbers from 0 to 1, not {shown(plain)}")
    return [float(share) for share in shares]


def read_speed(plain: Any) -> float | None:
    if plain is None:
        return None
    if not is_number(plain) or not 0 < plain < 1e12:
        raise ValueError(f"decisions_per_second must be a number above 0, not {shown(plain)}")
    return float(plain)


def read_machine(plain: Any) -> dict[str, str]:
    if not isinstance(plain, Mapping):
        raise ValueError(f"machine must be a dict of texts, not {shown(plain)}")
    return {
        check_text("a title of machine", title, _LONGEST_TEXT): check_text(
            f"{title} of machine", text, _LONGEST_TEXT
        )
        for title, text in plain.items()
    }


def read_fingerprints(plain: Any) -> dict[str, list[str]]:
    if not isinstance(plain, Mapping):
        raise ValueError(f"fingerprints must be a dict of lists, not {shown(plain)}")
    return {
        check_text("a bot of fingerprints", bot, LONGEST_SPEC): [
            check_text(f"a fingerprint of {bot}", each, _LONGEST_TEXT)
            for each in as_list(f"fingerprints of {bot}", found)
        ]
        for bot, found in plain.items()
    }


def read_records(settings: BenchmarkSettings, plain: Any) -> Sequence[Mapping[str, Any]]:
    """The records, each of its own game; none if no game was recorded."""
    records, games = as_list("records", plain), settings.rules.games
    if not records:
        return ()
    if len(records) != len(games):
        raise ValueError(f"records must hold {len(games)} games or none, not {len(records)}")
    for game, record in zip(games, records, strict=True):
        try:
            found = Game.replay(record)
        except ValueError as error:
            raise ValueError(f"records, {game.name}: {error}") from None
        if found.config != game.config or not found.over:
            raise ValueError(f"records, {game.name}: it is no whole game with this config")
    return records
