"""Cards that are hidden from a person: no answer of a server holds one."""

import json
from collections.abc import Iterator
from typing import Any

from mindup_env import Game
from tests.play.tables import SentResponse, WatchedServer

# Entries whose numbers are not cards; every other number in an answer counts as a card here.
NO_CARDS = {
    *("turns_played", "round", "num_rounds", "turn", "num_turns", "seat", "player", "played_by"),
    *("winners", "met_by", "score_cards", "objectives", "points", "place", "behind"),
    *("score", "total", "colour_points", "bonus_points", "objective_points"),
    *("column", "column_points", "score_card", "bonus", "count", "names", "players"),
}
GAME_PATHS = ("/state", "/play", "/deal", "/hint", "/log", "/resume")


def hidden_cards(game: Game, seat: int) -> set[int]:
    """The cards that have neither been on the table nor in that seat's hands."""
    config = game.config
    dealt = config.num_players * config.hand_size
    seen = set(game.hand(seat)) | set(game.deal.deck[dealt : dealt + config.num_players])
    seen.update(card for turn in game.plays for card in turn)
    tableaux = [game.tableau(player) for player in range(config.num_players)]
    for tableau in (*tableaux, *(each for round_ in game.round_tableaux for each in round_)):
        seen.update(card for column in tableau for card in column)
    return set(game.deal.deck) - seen


def numbers(answer: Any, name: str = "") -> Iterator[int]:
    """Every number in an answer that may be a card."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            yield from numbers(value, key)
    elif isinstance(answer, list):
        for value in answer:
            yield from numbers(value, name)
    elif isinstance(answer, int) and not isinstance(answer, bool) and name not in NO_CARDS:
        yield answer


def check_sent(sent: SentResponse) -> None:
    """The answer held no card that was hidden when it was sent."""
    plain = json.loads(sent.body)
    plain.pop("command", None)
    hint = plain.pop("hint", None)
    found = set(numbers(plain)) | ({hint["card"]} if hint else set())
    if hint:
        found |= {int(card) for card in (hint["evaluation"] or {}).get("values", {})}
    assert not found & hidden_cards(sent.game, sent.seat), sent.path


def answers_about_the_game(server: WatchedServer) -> list[SentResponse]:
    return [sent for sent in server.sent if sent.path in GAME_PATHS]


def check_no_hidden_card_was_sent(server: WatchedServer) -> None:
    """No new answer held a card that was hidden when it was sent."""
    answers = answers_about_the_game(server)
    assert answers
    for sent in answers:
        assert hidden_cards(sent.game, sent.seat)
        check_sent(sent)
    server.sent.clear()
