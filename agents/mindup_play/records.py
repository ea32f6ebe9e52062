"""Recorded games: their turns and names."""

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

from mindup_env import Game
from mindup_env.checks import InputError, shown

NAMES = "names"
"""An entry of records: the names of the players, in seat order."""
PLAY = "play"
"""An entry of saved games, beside those of a record: bots, seat and seed."""


def record_of(saved: Any) -> Any:
    """The record in a saved game, or the record itself."""
    if not isinstance(saved, Mapping):
        return saved
    return {name: value for name, value in saved.items() if name != PLAY}


def games_of(record: Mapping[str, Any]) -> list[Game]:
    """The recorded game before its first turn, and after each turn."""
    return played_on(Game.replay(record, turns=0), record["plays"])


def played_on(game: Game, plays: Iterable[Any]) -> list[Game]:
    """A game as it is, and after each turn; an error names cards that cannot be played."""
    return [*accumulate(plays, after_turn, initial=game)]


def after_turn(game: Game, cards: Any) -> Game:
    """A copy of a game, one turn later."""
    after = game.copy()
    after.play(cards)
    return after


def player_names(record: Mapping[str, Any], players: int) -> list[str]:
    """The names of the players: those of the record, or else numbers."""
    if NAMES not in record:
        return [f"player {player}" for player in range(players)]
    names = record[NAMES]
    if not isinstance(names, list) or len(names) != players or {*map(type, names)} != {str}:
        raise InputError(f"{NAMES} must be a list of {players} texts, not {shown(names)}")
    return names
