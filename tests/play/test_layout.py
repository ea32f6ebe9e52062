"""Where the parts of the pages are, at four sizes and zoomed: none is covered, cut or too wide."""

from typing import Any

import pytest
from playwright.sync_api import Page

from mindup_play.settings import PlaySettings
from tests.play.page import (
    DIALOG,
    HINTED,
    close_dialog,
    fits,
    open_dialog,
    press,
    reload,
    texts,
    until,
)
from tests.play.tables import WatchedServer
from tools.browser import DESKTOP, IDLE, PHONE, READY, SIZES, Size

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
HIDDEN = """([selectors, scrolling]) => {
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
}"""
"""The elements that are outside the window or under the docked hand; with ``scrolling``, after each
is scrolled to. A selector without an element is a failure too."""
CUT_NAMES = """
[...document.querySelectorAll(".player-name, .row .caption")].filter((each) => (
  each.scrollWidth > each.clientWidth + 1 || getComputedStyle(each).textOverflow === "ellipsis"
)).map((each) => each.textContent)
"""
OVERLAPPING = """(selector) => {
const boxes = [...document.querySelectorAll(selector)]
  .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
const meet = (one, other) => one !== other && one.left < other.right && other.left < one.right
  && one.top < other.bottom && other.top < one.bottom;
return boxes.filter((one) => boxes.some((other) => meet(one, other))).length
}"""
"""How many elements of a selector overlap another one of it."""
SMALL_TARGETS = """() => {
const scope = document.querySelector("dialog[open]") ?? document;
const controls = [...scope.querySelectorAll("button, summary, a, select, input")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }));
return controls.filter((each) => {
  const target = each.closest("label") ?? each;
  target.scrollIntoView({ block: "center" });
  const { left, right, top, bottom } = target.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const isHit = (at) => target.contains(document.elementFromPoint(x, at));
  const reach = (step) => [...Array(44).keys()].findIndex((at) => !isHit(y + step * at));
  return isHit(y) && [reach(1), reach(-1)].every((at) => at >= 0) && reach(1) + reach(-1) < 44;
}).map((each) => `${each.id} ${each.textContent}`);
}"""
"""The controls that a finger hits on less than 44 pixels from top to bottom."""
PREPARED = ("tests.play.bots:Prepared",)
OPEN_DETAILS = "document.querySelectorAll('details').forEach(each => { each.open = true; })"


def hidden(page: Page, *selectors: str, scrolling: bool = False) -> Any:
    return page.evaluate(HIDDEN, [selectors, scrolling])


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy",), "greedy")])
@pytest.mark.parametrize("turns", [0, 6, 10, 20])
def test_nothing_essential_is_below_the_fold(page: Page, turns: int) -> None:
    """Six players and five objectives, early and late in a round, with tips and hints."""
    assert (page.locator("#narration:empty").count() == 0) == (turns <= 6), "the tips"
    for size in SIZES:
        resize(page, size)
        reload(page)
        assert hidden(page, *ESSENTIAL) == [], size
        press(page, "h")
        until(page, HINTED)
        assert hidden(page, *ESSENTIAL, ".hint-value") == [], (size, "with a hint")
        press(page, "h", "1")
        assert page.evaluate("scrollY") == 0, "to choose a card moves nothing"
        if turns > 0:
            assert hidden(page, ".last-turn li", scrolling=True) == [], size
        page.evaluate("scrollTo(0, 0)")
        assert fits(page)


@pytest.mark.parametrize("settings", [PlaySettings(7, each, 5, 0, ("greedy",)) for each in (3, 5)])
@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("turns", [0, 6, 13])
def test_fewer_players_fit_on_a_phone_too(page: Page) -> None:
    assert hidden(page, *ESSENTIAL) == []


@pytest.mark.parametrize("turns", [21])
@pytest.mark.parametrize("size", [DESKTOP, (1280, 720)])
def test_the_end_shows_the_last_cards(page: Page) -> None:
    assert page.is_visible(".last-cards") and page.locator(".last-cards li").count() == 4
    assert hidden(page, ".last-turn li", "#review-game", "#end-game", "#save-record") == []


@pytest.mark.parametrize("settings", [PlaySettings(7, 4, 3, 0, ("greedy",), "greedy")])
@pytest.mark.parametrize("size", [PHONE, (844, 390)])
@pytest.mark.parametrize("look", [{"touch": True}])
@pytest.mark.parametrize("turns", [20])
def test_a_finger_hits_every_control(page: Page) -> None:
    def small() -> Any:
        page.evaluate(OPEN_DETAILS)
        return page.evaluate(SMALL_TARGETS)

    found = {"table": small()}
    for key in ("g", "s", "l", "?", "o"):
        open_dialog(page, key)
        found[key] = small()
        assert page.is_hidden(".keys"), "there is no keyboard"
        close_dialog(page)
    press(page, "1", "Enter")
    until(page, DIALOG)
    found["result"] = small()
    press(page, "Escape")
    until(page, IDLE)
    found["end"] = small()
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize("settings", [PlaySettings(7, each, 5, 0, ("lowest",)) for each in (3, 6)])
@pytest.mark.parametrize("turns", [21])
@pytest.mark.parametrize("size", [(390, 640), (320, 640)])
def test_scores_fit_onto_a_narrow_phone(page: Page) -> None:
    assert fits(page)
    open_dialog(page, "s")
    assert page.locator("#scores-dialog[open] table").count() == 2
    assert fits(page)
    page.locator("#scores-title").scroll_into_view_if_needed()
    box = page.locator("#scores-title").bounding_box()
    assert box is not None and box["y"] >= 0


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, PREPARED)])
@pytest.mark.parametrize("turns", [8])
@pytest.mark.parametrize("size", [(640, 360), (640, 450), PHONE])
def test_names_are_whole_at_double_zoom(page: Page) -> None:
    """640 pixels are a window of 1280 pixels at 200 % zoom."""
    assert page.evaluate(CUT_NAMES) == []
    assert texts(page, "#table .panel h2") == ["Ada", "Ben", "Cleo", "Davi", "Emma"]
    assert fits(page)


@pytest.mark.parametrize("size", [(640, 400), (844, 390)])
@pytest.mark.parametrize("turns", [8])
def test_the_hand_leaves_room_on_low_screens(page: Page, size: Size) -> None:
    """200 % zoom at 1280 by 800 pixels, and a phone held sideways."""
    box = page.locator("#hand").bounding_box()
    assert box is not None and box["height"] < 0.3 * size[1]
    assert page.locator(".objectives-fold[open]").count() == 0
    shown = ".prize > .card", ".played", ".own .tableau", "#cards .card", "#play"
    assert hidden(page, *shown) == []
    assert hidden(page, "#table .hand-cards > .card", ".panel .tableau", scrolling=True) == []
    assert fits(page)
    page.evaluate("scrollTo(0, 0)")
    press(page, "1", "2")
    assert page.evaluate("scrollY") == 0, "to choose a card moves nothing"
    press(page, "Enter")
    until(page, READY)
    assert hidden(page, *shown) == []


@pytest.mark.parametrize("size", [(320, 256)])
def test_a_turn_can_be_played_at_four_times_zoom(page: Page, table: WatchedServer) -> None:
    """A window of 1280 by 1024 pixels at 400 % zoom; the hand must not cover the table."""
    assert fits(page)
    page.locator("#cards button").first.click()
    page.click("#play")
    until(page, READY)
    assert table.session.turns_played == 1
    position = "each => getComputedStyle(each).position"
    assert page.locator("#hand").evaluate(position) == "static"
    open_dialog(page, "?")
    page.click("#learn-next")
    assert fits(page) and texts(page, "#learn-place") == ["2 of 6"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (640, 400)])
def test_pictures_of_how_to_play_are_whole(page: Page) -> None:
    """No caption or card covers another, numbers are inside of their cards, and all is seen."""
    open_dialog(page, "?")
    for number in range(1, 7):
        for parts in (".caption, .card", ".number, .points"):
            selector = f"#learn-picture :is({parts})"
            assert page.evaluate(OVERLAPPING, selector) == 0, (number, parts)
        is_whole = "each => each.scrollHeight <= each.clientHeight"
        assert page.locator("#learn-dialog").evaluate(is_whole), number
        page.click("#learn-next")
