"""The cards that are hidden from a seat, and a check that the page never receives them."""

import json
from collections.abc import Iterator
from typing import Any

from mindup_env import Game
from tests.play.tables import SentResponse, WatchedServer
from tools.browser import Page

# Entries whose numbers are not cards; every other number in an answer counts as a card here.
NO_CARDS = {
    *("turns_played", "round", "num_rounds", "turn", "num_turns", "seat", "player", "played_by"),
    *("winners", "met_by", "score_cards", "objectives", "points", "place", "behind"),
    *("score", "total", "colour_points", "bonus_points", "objective_points"),
    *("column", "column_points", "score_card", "bonus"),
}


GAME_PATHS = ("/state", "/play", "/deal", "/hint", "/log", "/resume")


def seen_cards(game: Game, seat: int) -> set[int]:
    """The cards that have been on the table or in that seat's hands; the others are hidden."""
    config = game.config
    dealt = config.num_players * config.hand_size
    seen = set(game.hand(seat)) | set(game.deal.deck[dealt : dealt + config.num_players])
    seen.update(card for turn in game.plays for card in turn)
    tableaux = [game.tableau(player) for player in range(config.num_players)]
    for tableau in (*tableaux, *(each for round_ in game.round_tableaux for each in round_)):
        seen.update(card for column in tableau for card in column)
    return seen


def hidden_cards(game: Game, seat: int) -> set[int]:
    return set(game.deal.deck) - seen_cards(game, seat)


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
    plain = json.loads(sent.response.body)
    plain.pop("command", None)
    hint = plain.pop("hint", None)
    found = set(numbers(plain)) | ({hint["card"]} if hint else set())
    found |= {int(card) for card in ((hint or {}).get("evaluation") or {}).get("values", {})}
    assert not found & hidden_cards(sent.game, sent.seat), sent.path


def answers_about_the_game(server: WatchedServer) -> list[SentResponse]:
    return [sent for sent in server.sent if sent.path.partition("?")[0] in GAME_PATHS]


def check_no_hidden_card_was_sent(server: WatchedServer, page: Page) -> None:
    """No new answer held a card that was hidden when it was sent; the page shows none now."""
    answers = answers_about_the_game(server)
    assert answers
    for sent in answers:
        assert hidden_cards(sent.game, sent.seat)
        check_sent(sent)
    server.sent.clear()
    elements = "[...document.querySelectorAll('[data-card]')]"
    shown = page.value(f"{elements}.map(each => Number(each.dataset.card))")
    session = server.session
    assert shown and not set(shown) & hidden_cards(session.game, session.settings.seat)
