"""Cards that are hidden from a person: no answer of a server holds one."""

import json
from collections.abc import Iterator
from typing import Any

from mindup_env import Game
from tests.play.tables import WatchedServer

# Entries whose numbers are not cards; every other number in an answer counts as a card here.
NO_CARDS = {
    *("turns_played", "round", "num_rounds", "turn", "num_turns", "seat", "player", "played_by"),
    *("winners", "met_by", "score_cards", "objectives", "points", "place", "behind"),
    *("score", "total", "colour_points", "bonus_points", "objective_points", "command"),
    *("column", "column_points", "score_card", "bonus", "count", "names", "players"),
}
GAME_PATHS = ("/state", "/play", "/deal", "/hint", "/log", "/resume")


def hidden_cards(game: Game, seat: int) -> set[int]:
    """The cards that have neither been on the table nor in that seat's hands."""
    config = game.config
    dealt = config.num_players * config.hand_size
    tableaux = [game.tableau(player) for player in range(config.num_players)]
    tableaux += [each for round_ in game.round_tableaux for each in round_]
    seen = {card for tableau in tableaux for column in tableau for card in column}
    seen.update(card for turn in game.plays for card in turn)
    first_row = game.deal.deck[dealt : dealt + config.num_players]
    return {*game.deal.deck} - seen - {*game.hand(seat), *first_row}


def numbers(answer: Any, name: str = "") -> Iterator[int]:
    """Every number in an answer that may be a card, and the cards that a hint has values of."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            if name == "values":
                yield int(key)
            else:
                yield from numbers(value, key)
    elif isinstance(answer, list):
        for value in answer:
            yield from numbers(value, name)
    elif isinstance(answer, int) and not isinstance(answer, bool) and name not in NO_CARDS:
        yield answer


def check_no_hidden_card_was_sent(server: WatchedServer) -> None:
    """No new answer held a card that was hidden when it was sent."""
    answers = [sent for sent in server.sent if sent.path in GAME_PATHS]
    assert answers
    for sent in answers:
        hidden = hidden_cards(sent.game, sent.seat)
        assert hidden and not hidden & {*numbers(json.loads(sent.body))}, sent.path
    server.sent.clear()
