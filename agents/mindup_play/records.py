"""Recorded games: their turns, names and evaluations, and what a page shows of them."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from mindup_agents.card_evaluation import UNITS
from mindup_env import Game
from mindup_env.checks import as_list, check_entries
from mindup_env.game.record import CARD_EVALUATIONS, NAMES
from mindup_play.table_state import deck_state, table_states

Plain = dict[str, Any]


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
    games = [game]
    for cards in plays:
        games.append(games[-1].copy())
        games[-1].play(cards)
    return games


def player_names(record: Mapping[str, Any], players: int) -> list[str]:
    """The names of the players: those of the record, or else numbers."""
    if NAMES not in record:
        return [f"player {player}" for player in range(players)]
    names = as_list(NAMES, record[NAMES])
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"{NAMES} must be texts")
    if len(names) != players:
        raise ValueError(f"{NAMES} must be those of {players} players, not {len(names)}")
    return names


def evaluations_of(record: Mapping[str, Any], games: list[Game]) -> list[list[Plain | None]] | None:
    """The checked evaluations of a record by turn and player; None if it has none.

    ``games`` are the recorded game before each turn.
    """
    if CARD_EVALUATIONS not in record:
        return None
    turns = _list_of(CARD_EVALUATIONS, record[CARD_EVALUATIONS], len(games), "turns")
    for number, (turn, game) in enumerate(zip(turns, games, strict=True), start=1):
        where = f"turn {number} of {CARD_EVALUATIONS}"
        for player, plain in enumerate(_list_of(where, turn, game.config.num_players, "players")):
            if plain is not None:
                _check_evaluation(f"player {player}, {where}", plain, game.hand(player))
    return turns if any(map(any, turns)) else None


def _list_of(where: str, given: Any, length: int, items: str) -> list[Any]:
    found = as_list(where, given)
    if len(found) != length:
        raise ValueError(f"{where} must hold {length} {items}, not {len(found)}")
    return found


def _check_evaluation(where: str, plain: Any, hand: tuple[int, ...]) -> None:
    check_entries(where, plain, ("unit", "values"))
    unit, values = plain["unit"], plain["values"]
    if unit not in UNITS:
        raise ValueError(f"{where}: the unit must be one of {', '.join(UNITS)}")
    check_entries(f"the values of {where}", values, map(str, hand))
    most = sys.float_info.max
    if not all(type(value) in (int, float) and abs(value) <= most for value in values.values()):
        raise ValueError(f"{where}: the values must be finite numbers")


def replay_data(record: Mapping[str, Any]) -> Plain:
    """What a page needs to show a record."""
    games = games_of(record)
    return {
        "deck": deck_state(games[0].config.deck),
        "names": player_names(record, games[0].config.num_players),
        "tables": table_states(games),
        "evaluations": evaluations_of(record, games[:-1]),
    }
