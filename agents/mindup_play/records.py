"""Recorded games: their turns, names and evaluations, and the page that shows them."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mindup_agents.card_evaluation import UNITS, CardEvaluation
from mindup_env import Game
from mindup_env.game.record import CARD_EVALUATIONS, NAMES
from mindup_env.runs.files import write_text
from mindup_env.settings.checks import as_list, check_entries
from mindup_play.pages import replay_as_one_file
from mindup_play.table_state import deck_state, table_state

Plain = dict[str, Any]


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


def names_of(record: Mapping[str, Any], game: Game) -> list[str] | None:
    """The checked names of the players; None if the record has none."""
    if NAMES not in record:
        return None
    names = as_list(NAMES, record[NAMES])
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"{NAMES} must be texts")
    return checked_names(names, game)


def checked_names(names: Sequence[str], game: Game) -> list[str]:
    players = game.config.num_players
    if len(names) != players:
        raise ValueError(f"a game of {players} players needs {players} names, not {len(names)}")
    return list(names)


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


def replay_page(
    record: Mapping[str, Any],
    names: Sequence[str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> str:
    """The page of a record; ``names`` are the players' names, in seat order.

    Without names, here or in the record, the page numbers the players in its language; it holds all
    languages. ``more`` is data of a page that has more parts, such as a review.
    """
    return replay_as_one_file({**replay_data(record, names), **(more or {})})


def replay_data(record: Mapping[str, Any], names: Sequence[str] | None = None) -> dict[str, Any]:
    """What a page needs to show a record."""
    games = games_of(record)
    return {
        "deck": deck_state(games[0].config.deck),
        "names": names_of(record, games[0]) if names is None else checked_names(names, games[0]),
        "tables": table_states(games),
        "evaluations": evaluations_of(record, games[:-1]),
    }


def write_output(path: Path, text: str) -> None:
    """Writes a file that a command was asked for."""
    try:
        write_text(path, text)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None


def table_states(games: Sequence[Game]) -> list[dict[str, Any]]:
    """The table before the first turn of a game, and after each turn, with all hands."""
    earlier = [None, *games[:-1]]
    return [table_state(game, before) for before, game in zip(earlier, games, strict=True)]
