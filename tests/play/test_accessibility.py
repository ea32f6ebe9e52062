"""The pages for everybody: axe-core and legible texts on every screen."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from mindup_play.records import replay_data
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.page import keep_picture, violations
from tests.play.tables import WatchedServer, play_to, play_to_the_end
from tests.play.test_replay import recorded
from tools.browser import (
    DESKTOP,
    HOLDING,
    NEW_GAME,
    PHONE,
    READY,
    REVEALED,
    SHOWN,
    Keys,
    Page,
    Size,
    tab,
)

SMALLEST_TEXT = 11  # pixels
SMALL_TEXTS = f"""
return [...document.querySelectorAll("body *")].filter((each) => (
  each.checkVisibility({{ visibilityProperty: true }})
  && [...each.childNodes].some(({{ nodeType, data }}) => nodeType === 3 && data.trim())
  && parseFloat(getComputedStyle(each).fontSize) < {SMALLEST_TEXT}
)).map((each) => `${{each.className}}: ${{each.textContent}}`)
"""


def problems(page: Page) -> list[object]:
    wide = [] if page.fits() else ["wider than the screen"]
    return [*violations(page), *page.script(SMALL_TEXTS), *wide]


@pytest.mark.parametrize("settings", [PlaySettings(7, 4, 5, 0, ("greedy", "lowest"), "planner")])
@pytest.mark.parametrize(
    ("size", "look"),
    [(DESKTOP, {"calm": True}), (PHONE, {"calm": True, "dark": True})],
    ids=["desktop", "phone in the dark"],
)
def test_every_screen_passes_axe_with_legible_texts(
    page: Page, table: WatchedServer, size: Size
) -> None:
    found = {}
    for name in screens(page, table):
        found[name] = problems(page)
        keep_picture(page, f"{name}, {size[0]} wide")
    assert {name: each for name, each in found.items() if each} == {}
    assert len(found) == 15


def screens(page: Page, server: WatchedServer) -> Iterator[str]:
    """Goes to each screen of the page, from the first turn to the end."""
    yield "first turn, with the tips for learners"
    page.script("document.querySelectorAll('details').forEach(each => each.open = true)")
    yield "objectives explained"
    page.keys("h")
    page.until("document.querySelector('.hinted')")
    yield "hint"
    for key, name in (("g", "game"), ("?", "how to play"), ("l", "empty log"), ("o", "settings")):
        page.open_dialog(key)
        yield name
        page.keys(Keys.ESCAPE)
        page.until(READY)
    page.select("speed", "wait")
    page.keys("2", Keys.ENTER)
    page.until(HOLDING)
    yield "result of a turn"
    page.keys(Keys.ENTER)
    page.until(READY)
    page.select("speed", "none")
    play_to(server.session, 5)
    page.open_table(server)
    page.keys("2")
    page.open_dialog(Keys.ENTER)
    yield "end of a round"
    page.keys(Keys.ENTER)
    page.until(READY)
    yield "second round, with known hands"
    page.open_dialog("l")
    yield "log"
    page.keys(Keys.ESCAPE)
    play_to(server.session, 20)
    page.open_table(server)
    yield "last turn"
    page.keys("2")
    page.open_dialog(Keys.ENTER)
    yield "result"
    page.click("#scores-close")
    page.until(REVEALED)
    yield "table at the end"
    page.click("#end-game")
    page.until(NEW_GAME)
    page.click("#game-dialog .main")
    page.until(READY)
    server.session.play(server.session.game.hand(0)[0])
    page.open_table(server)
    page.open_dialog("g")
    assert page.count(".saved-game") == 1
    yield "saved games"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_replay_passes_axe_with_legible_texts(chromium: Chrome, size: Size) -> None:
    session = play_to_the_end(Session(PlaySettings(7, 4, 5, 0, ("greedy", "lowest"))))
    with recorded(replay_data(session.record())) as server, tab(chromium, size, calm=True) as page:
        page.open(server.url, SHOWN)
        page.keys(*[Keys.ARROW_RIGHT] * 7, Keys.END)
        assert problems(page) == []
        page.keys(Keys.ARROW_LEFT)
        assert problems(page) == []
