"""The pages for everybody: axe-core and legible texts on every screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from mindup_play.settings import PlaySettings
from tests.play.page import (
    DIALOG,
    HINTED,
    HOLDING,
    close_dialog,
    fits,
    open_dialog,
    press,
    there,
    violations,
)
from tests.play.tables import WatchedServer, play_to
from tools.browser import DESKTOP, IDLE, PHONE, READY

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
    [
        (DESKTOP, {"speed": None}),
        (PHONE, {"speed": None, "dark": True}),
        (DESKTOP, {"speed": None, "forced": True}),
    ],
    ids=["desktop", "phone in the dark", "forced colours"],
)
def test_every_screen_passes_axe_with_legible_texts(page: Page, table: WatchedServer) -> None:
    found = {name: problems(page) for name in screens(page, table)}
    assert {name: each for name, each in found.items() if each} == {}


def screens(page: Page, server: WatchedServer) -> Iterator[str]:
    """Goes to each screen of the page, from the first turn to the end."""
    yield "first turn, with the tips for learners"
    press(page, "h")
    there(page, HINTED)
    yield "hint"
    for key in ("g", "?", "l", "o"):
        open_dialog(page, key)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        yield f"dialog {key}"
        close_dialog(page)
    for turns, name in ((0, "result of a turn"), (5, "end of a round"), (20, "result")):
        play_to(server.session, turns)
        page.reload()
        there(page, READY)
        yield f"table after {turns} turns"
        press(page, "2", "Enter")
        there(page, HOLDING)
        press(page, *["Enter"] * (turns > 0))
        there(page, DIALOG if turns else HOLDING)
        yield name
    page.click("#scores-close")
    there(page, IDLE)
    yield "table at the end"
