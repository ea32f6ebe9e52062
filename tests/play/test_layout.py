"""Where the parts of the playable page are: none is under the docked hand, at four sizes."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.page import keep_picture, play_to
from tests.play.tables import served
from tools.browser import PHONE, SIZES, Page, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ESSENTIAL = (
    ".prize > .card",
    ".played",
    ".objectives-fold > :is(summary, ul)",
    ".panel .score b",
    ".panel .tableau",
    "#table .hand-cards > .card",
    "#cards .card",
    "#play",
)
HIDDEN = """
const [selectors, scrolling] = arguments;
const isSeen = (element) => {
  if (scrolling) element.scrollIntoView({ block: "nearest" });
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const found = document.elementsFromPoint((left + right) / 2, bottom - 2);
  const covering = found.findIndex((each) => each === element || element.contains(each));
  return top >= 0 && bottom <= innerHeight && covering >= 0
    && !found.slice(0, covering).some((each) => each.matches("#hand, #own-area"));
};
return selectors.flatMap((selector) => {
  const shown = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  if (!shown.length) return [`nothing is ${selector}`];
  return shown.filter((each) => !isSeen(each)).map((each) => `${selector}: ${each.textContent}`);
});
"""
"""The elements that are outside the window or under the docked hand; with ``scrolling``, after each
is scrolled to. A selector without an element is a failure too."""
FIRST_TURNS = {"round 1": 0, "round 2": 6, "round 3": 13}
LATE_TURNS = {"end of round 1": 5, "middle of round 2": 10, "end of round 3": 20}


def hidden(page: Page, *selectors: str, scrolling: bool = False) -> list[str]:
    found: list[str] = page.script(HIDDEN, selectors, scrolling)
    return found


def test_nothing_essential_is_below_the_fold(chromium: "Chrome", tmp_path: Path) -> None:
    """Six players and five objectives, with tips for learners, and with a hint."""
    session = Session(PlaySettings(7, 6, 5, 0, ("greedy",), "greedy"))
    stages = sorted({**FIRST_TURNS, **LATE_TURNS}.items(), key=lambda each: each[1])
    with served(session, tmp_path) as server, tab(chromium, PHONE, calm=True) as page:
        for name, turns in stages:
            play_to(session, turns)
            page.open_table(server)
            assert (page.count("#narration:empty") == 0) == (turns <= 6), "the tips"
            for size in SIZES:
                page.resize(size)
                page.keys("k", "k")  # draws the table again
                assert hidden(page, *ESSENTIAL) == [], (name, size)
                page.keys("h")
                page.until("document.querySelector('.hinted')")
                assert hidden(page, *ESSENTIAL, ".hint-value") == [], (name, size, "with a hint")
                keep_picture(page, f"six players, {name}, {size[0]} wide")
                page.keys("h", "1")
                assert page.script("return scrollY") == 0, "to choose a card moves nothing"
                if turns > 0:
                    assert hidden(page, ".last-turn li", scrolling=True) == [], (name, size)
                page.script("window.scrollTo(0, 0)")
                assert page.fits()


@pytest.mark.parametrize("players", [3, 5])
def test_fewer_players_fit_on_a_phone_too(chromium: "Chrome", players: int, tmp_path: Path) -> None:
    session = Session(PlaySettings(7, players, 5, 0, ("greedy",)))
    with served(session, tmp_path) as server, tab(chromium, PHONE, calm=True) as page:
        for name, turns in FIRST_TURNS.items():
            play_to(session, turns)
            page.open_table(server)
            assert hidden(page, *ESSENTIAL) == [], name


def test_the_row_uses_the_room_there_is(page: Page) -> None:
    widths = []
    for size in ((1280, 720), (1440, 900), (1920, 1080)):
        page.resize(size)
        widths.append(page.value("document.querySelector('.prize .card').offsetWidth"))
    assert widths == sorted(widths) and widths[1] > 110
