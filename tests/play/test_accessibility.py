"""The pages for everybody: axe-core and legible texts on every screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from mindup_play.records import replay_data
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.page import (
    DIALOG,
    HINTED,
    HOLDING,
    close_dialog,
    fits,
    open_dialog,
    press,
    reload,
    until,
    violations,
)
from tests.play.tables import WatchedServer, play_to, play_to_the_end
from tests.play.test_replay import GRAPH, recorded
from tools.browser import DESKTOP, IDLE, PHONE, READY, Size, tab

SMALLEST_TEXT = 11  # pixels
SMALL_TEXTS = f"""
[...document.querySelectorAll("body *")].filter((each) => (
  each.checkVisibility({{ visibilityProperty: true }})
  && [...each.childNodes].some(({{ nodeType, data }}) => nodeType === 3 && data.trim())
  && parseFloat(getComputedStyle(each).fontSize) < {SMALLEST_TEXT}
)).map((each) => `${{each.className}}: ${{each.textContent}}`)
"""


def problems(page: Page) -> list[object]:
    wide = [] if fits(page) else ["wider than the screen"]
    return [*violations(page), *page.evaluate(SMALL_TEXTS), *wide]


@pytest.mark.parametrize("settings", [PlaySettings(7, 4, 5, 0, ("greedy", "lowest"), "planner")])
@pytest.mark.parametrize(
    ("size", "look"),
    [(DESKTOP, {"speed": None}), (PHONE, {"speed": None, "dark": True})],
    ids=["desktop", "phone in the dark"],
)
def test_every_screen_passes_axe_with_legible_texts(page: Page, table: WatchedServer) -> None:
    found = {name: problems(page) for name in screens(page, table)}
    assert {name: each for name, each in found.items() if each} == {}
    assert len(found) == 15


def screens(page: Page, server: WatchedServer) -> Iterator[str]:
    """Goes to each screen of the page, from the first turn to the end."""
    yield "first turn, with the tips for learners"
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    yield "objectives explained"
    press(page, "h")
    until(page, HINTED)
    yield "hint"
    for key, name in (("g", "game"), ("?", "how to play"), ("l", "empty log"), ("o", "settings")):
        open_dialog(page, key)
        yield name
        close_dialog(page)
    press(page, "2", "Enter")
    until(page, HOLDING)
    yield "result of a turn"
    press(page, "Enter")
    until(page, READY)
    play_to(server.session, 5)
    reload(page)
    press(page, "2", "Enter")
    until(page, HOLDING)
    open_dialog(page, "Enter")
    yield "end of a round"
    close_dialog(page, "Enter")
    yield "second round, with known hands"
    open_dialog(page, "l")
    yield "log"
    close_dialog(page)
    play_to(server.session, 20)
    reload(page)
    yield "last turn"
    press(page, "2", "Enter")
    until(page, HOLDING)
    open_dialog(page, "Enter")
    yield "result"
    page.click("#scores-close")
    until(page, IDLE)
    yield "table at the end"
    page.click("#end-game")
    until(page, DIALOG)
    page.click("#game-dialog .main")
    until(page, READY)
    server.session.play(server.session.game.hand(0)[0])
    reload(page)
    open_dialog(page, "g")
    assert page.locator(".saved-game").count() == 1
    yield "saved games"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_replay_passes_axe_with_legible_texts(chromium: Browser, size: Size) -> None:
    session = play_to_the_end(Session(PlaySettings(7, 4, 5, 0, ("greedy", "lowest"))))
    with recorded(replay_data(session.record())) as server, tab(chromium, size) as page:
        page.goto(server.url)
        until(page, GRAPH)
        press(page, *["ArrowRight"] * 7, "End")
        assert problems(page) == []
        press(page, "ArrowLeft")
        assert problems(page) == []
