"""Reading recorded games: files, turns, and the evaluations of cards that a record may hold."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mindup_agents.card_evaluation import UNITS, CardEvaluation
from mindup_env import Game
from mindup_env.checks import as_list, check_entries
from mindup_env.game.record import CARD_EVALUATIONS

Plain = dict[str, Any]
_MAX_BYTES = 10**6
"""A record has a few thousand."""


def read_json(path: Path, what: str = "the record of a game", max_bytes: int = _MAX_BYTES) -> Any:
    """The content of a JSON file; raises ValueError for a file that cannot be read."""
    try:
        with path.open("rb") as file:
            text = file.read(max_bytes + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    if len(text) > max_bytes:
        raise ValueError(f"{path} is too large for {what}: over {max_bytes} bytes")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {_describe(error)}") from None


def _describe(error: ValueError | RecursionError) -> str:
    """What is wrong in a text that is not JSON, and in which line and column if that is known."""
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    if isinstance(error, UnicodeDecodeError):
        lines = error.object[: error.start].split(b"\n")
        place = f"line {len(lines)}, column {len(lines[-1]) + 1}"
        return f"{place}: not a text in {error.encoding.upper()}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


@contextmanager
def content_errors_name(path: Path) -> Iterator[None]:
    """Errors about what a file holds name the file."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def games_of(record: Mapping[str, Any]) -> list[Game]:
    """The recorded game before its first turn, and after each turn."""
    games = [Game.replay(record, turns=0)]
    for cards in record["plays"]:
        games.append(games[-1].copy())
        games[-1].play(cards)
    return games


def evaluations_of(record: Mapping[str, Any], games: list[Game]) -> list[list[Plain | None]] | None:
    """The checked evaluations of a record by turn and player; None if it has none.

    ``games`` are the recorded game before each turn.
    """
    if CARD_EVALUATIONS not in record:
        return None
    turns = as_list(CARD_EVALUATIONS, record[CARD_EVALUATIONS])
    if len(turns) != len(games):
        raise ValueError(f"{CARD_EVALUATIONS} must hold {len(games)} turns, not {len(turns)}")
    evaluations = [
        _evaluations_of_turn(f"turn {turn} of {CARD_EVALUATIONS}", players, game)
        for turn, (players, game) in enumerate(zip(turns, games, strict=True), start=1)
    ]
    return evaluations if any(any(players) for players in evaluations) else None


def _evaluations_of_turn(where: str, given: Any, game: Game) -> list[Plain | None]:
    players = as_list(where, given)
    if len(players) != game.config.num_players:
        raise ValueError(f"{where} must hold {game.config.num_players} players")
    return [
        None
        if plain is None
        else _evaluation(f"player {player}, {where}", plain, game.hand(player))
        for player, plain in enumerate(players)
    ]


def _evaluation(where: str, plain: Any, hand: tuple[int, ...]) -> Plain:
    check_entries(where, plain, ("unit", "values"))
    if plain["unit"] not in UNITS:
        raise ValueError(f"{where}: the unit must be one of {', '.join(UNITS)}")
    check_entries(f"the values of {where}", plain["values"], map(str, hand))
    values = plain["values"].values()
    if not all(
        type(value) in (int, float) and abs(value) <= sys.float_info.max for value in values
    ):
        raise ValueError(f"{where}: the values must be finite numbers")
    by_card = {card: float(plain["values"][str(card)]) for card in hand}
    return CardEvaluation(plain["unit"], by_card).to_dict()
