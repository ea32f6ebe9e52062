"""A recorded game as one HTML file, which needs no network and runs no script but its own."""

from collections.abc import Mapping, Sequence
from string import Template
from typing import Any

from mindup_env import Game
from mindup_play.languages import ENGLISH, LANGUAGES
from mindup_play.records import evaluations_of, games_of
from mindup_play.table_state import deck_state, table_state
from mindup_play.web import content_policy, embedded_json, embedded_texts, read_web_file

_STYLES = "shared/base.css", "shared/table.css", "replay/replay.css"
_SCRIPTS = (
    "shared/texts.js",
    "shared/cards.js",
    "shared/objectives.js",
    "shared/table.js",
    "shared/animations.js",
    "shared/scores.js",
    "replay/graph.js",
    "replay/replay.js",
)


def replay_page(record: Mapping[str, Any], names: Sequence[str] | None = None) -> str:
    """The page of a record; ``names`` are the players' names, in seat order.

    Without names, the page numbers the players in its language; it holds all languages.
    """
    games = games_of(record)
    data = {
        "deck": deck_state(games[0].config.deck),
        "names": _names(names, games[0]),
        "tables": _tables(games),
        "evaluations": evaluations_of(record, games[:-1]),
    }
    style = "\n".join(map(read_web_file, _STYLES))
    script = "\n".join(map(read_web_file, _SCRIPTS))
    page = Template(read_web_file("replay/replay.html"))
    return page.substitute(
        language=ENGLISH,
        policy=content_policy(style, script),
        style=style,
        script=script,
        texts=embedded_texts(LANGUAGES),
        data=embedded_json(data),
    )


def _names(names: Sequence[str] | None, game: Game) -> list[str] | None:
    players = game.config.num_players
    if names is None:
        return None
    if len(names) != players:
        raise ValueError(f"a game of {players} players needs {players} names, not {len(names)}")
    return list(names)


def _tables(games: list[Game]) -> list[dict[str, Any]]:
    earlier = [None, *games[:-1]]
    return [table_state(game, before) for before, game in zip(earlier, games, strict=True)]
