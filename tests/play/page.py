"""Checks after the use of a page in a browser."""

from mindup_play.session import Session
from tests.play.tables import WatchedServer
from tools.browser import Page


def play_to(session: Session, turns: int) -> None:
    """Plays the lowest cards until so many turns are played."""
    while session.turns_played < turns:
        session.play(session.game.hand(session.settings.seat)[0])


def check_no_errors(server: WatchedServer, page: Page) -> None:
    """No error in page or server, no other host requested, nothing wider than the screen."""
    assert page.errors() == []
    assert server.exceptions == []
    asked = page.requested()
    assert asked and all(url.startswith(server.url) for url in asked)
    assert page.fits()


def no_disabled_button_shows(page: Page) -> bool:
    buttons = "[...document.querySelectorAll('button:disabled')]"
    hidden = "getComputedStyle(each).visibility === 'hidden' || each.offsetParent === null"
    return bool(page.value(f"{buttons}.every(each => {hidden})"))
