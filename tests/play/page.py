"""Checks after the use of a page in a browser, among them the rules of axe-core on accessibility.

The package axe-playwright-python carries axe-core; only its file is used, with selenium's browser.
"""

import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindup_play.session import Session
from tests.play.tables import WatchedServer
from tools.browser import Page

_RUN_AXE = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then(
  ({ violations }) => done(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])),
  (error) => done([["error", [String(error)]]]),
);
"""


def violations(page: Page) -> list[Any]:
    """The rules that the page breaks now, each with the elements that break it."""
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


def play_to(session: Session, turns: int) -> Session:
    """Plays the lowest cards until so many turns are played."""
    while session.turns_played < turns:
        session.play(session.game.hand(session.settings.seat)[0])
    return session


def play_to_the_end(session: Session) -> Session:
    return play_to(session, session.settings.config.num_turns)


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
