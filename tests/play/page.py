"""Checks after the use of a page in a browser: errors, hidden cards, and the rules of axe-core.

The package axe-playwright-python carries axe-core; only its file is used, with selenium's browser.
"""

import json
import os
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindup_env import Game
from tests.play.tables import SentResponse, WatchedServer
from tools.browser import Page

_RUN_AXE = """
const done = arguments[0];
axe.run(document.querySelector("dialog[open]") ?? document, { resultTypes: ["violations"] }).then(
  ({ violations }) => done(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])),
  (error) => done([["error", [String(error)]]]),
);
"""


def violations(page: Page) -> list[Any]:
    """The rules that the page breaks now, each with the elements that break it.

    While a dialog is open, nothing else can be used, and nothing else is looked at.
    """
    if not page.value("'axe' in window"):
        page.script(_axe_core())
    found: list[Any] = page.chrome.execute_async_script(_RUN_AXE)
    return found


def keep_picture(page: Page, name: str) -> None:
    """Saves a screenshot where ``MINDUP_PICTURES`` names a folder: to look at after a change."""
    if folder := os.environ.get("MINDUP_PICTURES"):
        page.save_picture(Path(folder) / f"{name}.png")


@cache
def _axe_core() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def check_no_errors(server: WatchedServer, page: Page) -> None:
    """No error in page or server, no other host requested, nothing wider than the screen."""
    assert (errors := page.errors()) == [], errors
    assert server.exceptions == []
    asked = page.requested()
    assert asked and all(url.startswith(server.url) for url in asked)
    assert page.fits()


# Hidden cards

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


def check_no_hidden_card_was_sent(server: WatchedServer, page: Page) -> None:
    """No new answer held a card that was hidden when it was sent; the page shows none now."""
    answers = answers_about_the_game(server)
    assert answers
    for sent in answers:
        assert hidden_cards(sent.game, sent.seat)
        check_sent(sent)
    server.sent.clear()
    session = server.session
    shown = {card for card in page.cards("[data-card]") if card}
    assert shown and not shown & hidden_cards(session.game, session.settings.seat)
