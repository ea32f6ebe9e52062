"""Recorded games: their turns, names and evaluations, and what a page shows of them."""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import inf
from typing import Any

from mindup_agents.card_evaluation import UNITS
from mindup_env import Game
from mindup_env.checks import InputError, check_entries, shown
from mindup_play.table_state import deck_state, table_states

Plain = dict[str, Any]
NAMES = "names"
"""An entry of records: the names of the players, in seat order."""
CARD_EVALUATIONS = "evaluations"
"""An entry of records: per-card evaluations that bots exposed."""
PLAY = "play"
"""An entry of saved games, beside those of a record: bots, seat and seed."""
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character, which cannot be printed; JSON can have it."""


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
    names = _list_of(NAMES, record[NAMES], players)
    if not all(isinstance(name, str) and not _SURROGATE.search(name) for name in names):
        raise InputError(f"{NAMES} must be texts in Unicode, not {shown(names)}")
    return names


def evaluations_of(record: Mapping[str, Any], games: list[Game]) -> list[list[Plain | None]] | None:
    """The checked evaluations of a record by turn and player; None if it has none.

    ``games`` are the recorded game before each turn.
    """
    if CARD_EVALUATIONS not in record:
        return None
    turns = _list_of(CARD_EVALUATIONS, record[CARD_EVALUATIONS], len(games))
    for number, (turn, game) in enumerate(zip(turns, games, strict=True), start=1):
        where = f"turn {number} of {CARD_EVALUATIONS}"
        for player, plain in enumerate(_list_of(where, turn, game.config.num_players)):
            if plain is not None:
                _check_evaluation(f"player {player}, {where}", plain, game.hand(player))
    return turns if any(map(any, turns)) else None


def _list_of(name: str, given: Any, length: int) -> list[Any]:
    if not isinstance(given, list) or len(given) != length:
        raise InputError(f"{name} must be a list of {length}, not {shown(given)}")
    return given


def _check_evaluation(where: str, plain: Any, hand: tuple[int, ...]) -> None:
    check_entries(where, plain, ("unit", "values"))
    check_entries(f"the values of {where}", plain["values"], map(str, hand))
    if plain["unit"] not in UNITS:
        raise InputError(f"{where}: the unit must be one of {', '.join(UNITS)}")
    for value in plain["values"].values():
        if type(value) not in (int, float) or not abs(value) < inf:
            raise InputError(f"{where}: the values must be finite numbers, not {shown(value)}")


def replay_data(record: Mapping[str, Any]) -> Plain:
    """What a page needs to show a record."""
    games = games_of(record)
    return {
        "deck": deck_state(games[0].config.deck),
        "names": player_names(record, games[0].config.num_players),
        "tables": table_states(games),
        "evaluations": evaluations_of(record, games[:-1]),
    }
