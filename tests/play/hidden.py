"""What is hidden from a seat, and that the page was told none of it."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mindup_env import Game
from tests.play.tables import PAGE_SETTINGS, WatchedServer

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# Numbers that are no cards. All others in what the page is told count as cards here.
NO_CARDS = {
    *("clock", "round", "rounds", "turn", "turns", "seat", "player", "winners", "met"),
    *("score_cards", "objectives", "points", "running", "finished", "total"),
    *("colour_points", "bonus_points", "objective_points"),
}


def seen_cards(game: Game, seat: int) -> set[int]:
    """What has been on the table or in that seat's hands; all else is hidden from it."""
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


def numbers(told: Any, name: str = "") -> Iterator[int]:
    """Every number in what was told that is not known to be something else than a card."""
    if isinstance(told, dict):
        for key, value in told.items():
            yield from numbers(value, key)
    elif isinstance(told, list):
        for value in told:
            yield from numbers(value, name)
    elif isinstance(told, int) and not isinstance(told, bool) and name not in NO_CARDS:
        yield told


def check_nothing_hidden_was_told(server: WatchedServer, chrome: "Chrome") -> None:
    """What came while cards were hidden held none of them, and nor does the page."""
    told = [sent for sent in server.sent if sent.path in ("/state", "/play", "/deal", "/hint")]
    assert told
    for sent in told:
        plain = json.loads(sent.answer.body)
        plain.pop("command", None)
        hint = plain.pop("hint", None)
        found = set(numbers(plain)) | ({hint["card"]} if hint else set())
        found |= {int(card) for card in ((hint or {}).get("weighing") or {}).get("values", {})}
        hidden = hidden_cards(sent.game, PAGE_SETTINGS.seat)
        assert hidden
        assert not found & hidden, sent.path
    elements = "[...document.querySelectorAll('[data-card]')]"
    shown = chrome.execute_script(f"return {elements}.map(each => Number(each.dataset.card))")
    assert shown and not set(shown) & hidden_cards(server.session.game, PAGE_SETTINGS.seat)
