"""Recorded games: their turns, and who played."""

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from mindup_env import Game
from mindup_env.checks import InputError, shown


class Seats(NamedTuple):
    """Who plays, in seat order: two entries of the records of this package."""

    names: list[str]
    bots: list[str]  # behind the names; empty for a person, and where the name is that of the bot


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


def seats_of(record: Mapping[str, Any], players: int) -> Seats:
    """Who played: what the record says, or else numbers."""
    given = {name: record[name] for name in Seats._fields if name in record}
    for name, texts in given.items():
        if not isinstance(texts, list) or len(texts) != players or {*map(type, texts)} != {str}:
            raise InputError(f"{name} must be a list of {players} texts, not {shown(texts)}")
    numbers = [f"player {player}" for player in range(players)]
    return Seats(numbers, [""] * players)._replace(**given)
