"""A recorded game as data for its page, and as one HTML file that needs no network."""

from collections.abc import Mapping, Sequence
from typing import Any

from mindup_env import Game
from mindup_play.records import checked_names, evaluations_of, games_of, names_of
from mindup_play.replay_files import page_as_one_file
from mindup_play.table_state import deck_state, table_state


def replay_page(
    record: Mapping[str, Any],
    names: Sequence[str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> str:
    """The page of a record; ``names`` are the players' names, in seat order.

    Without names, here or in the record, the page numbers the players in its language; it holds all
    languages. ``more`` is data of a page that has more parts, such as a review.
    """
    return page_as_one_file({**replay_data(record, names), **(more or {})})


def replay_data(record: Mapping[str, Any], names: Sequence[str] | None = None) -> dict[str, Any]:
    """What a page needs to show a record."""
    games = games_of(record)
    return {
        "deck": deck_state(games[0].config.deck),
        "names": names_of(record, games[0]) if names is None else checked_names(names, games[0]),
        "tables": table_states(games),
        "evaluations": evaluations_of(record, games[:-1]),
    }


def table_states(games: Sequence[Game]) -> list[dict[str, Any]]:
    """The table before the first turn of a game, and after each turn, with all hands."""
    earlier = [None, *games[:-1]]
    return [table_state(game, before) for before, game in zip(earlier, games, strict=True)]
