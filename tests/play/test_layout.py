"""Where the parts of the pages are, at many sizes and zoomed: none is covered, cut or too wide."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mindup_play.settings import PlaySettings
from tests.play.page import DIALOG, HINTED, close_dialog, open_dialog, press, there
from tests.play.tables import WatchedServer
from tools.browser import DESKTOP, PHONE, READY, SIZES, Size

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
SMALL_TARGETS = """() => {
const scope = document.querySelector("dialog[open]") ?? document;
for (const each of scope.querySelectorAll("details")) each.open = true;
const controls = [...scope.querySelectorAll("button, summary, a, select, input")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }));
return controls.filter((each) => {
  const target = each.closest("label") ?? each;
  target.scrollIntoView({ block: "center" });
  const { left, right, top, bottom } = target.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return bottom - top < 44 || !target.contains(hit);
}).map((each) => `${each.id} ${each.textContent}`);
}"""
ZOOMED = 640, 400
"""A window of 1280 by 800 pixels at 200 % zoom."""
SIDEWAYS = 844, 390


def hidden(page: Page, *selectors: str, scrolling: bool = False) -> Any:
    """The elements that are outside the window or under the docked hand.

    With ``scrolling``, each is scrolled to before. A selector without an element is a failure too.
    """
    return page.evaluate(HIDDEN, [selectors, scrolling])


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


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy",), "greedy")])
@pytest.mark.parametrize("size", [*SIZES, DESKTOP, (2560, 1440)])
@pytest.mark.parametrize("turns", [0, 10, 20])
def test_nothing_essential_is_below_the_fold(page: Page) -> None:
    """Six players and five objectives, with tips and with hints."""
    assert hidden(page, *ESSENTIAL) == []
    press(page, "h")
    there(page, HINTED)
    assert hidden(page, *ESSENTIAL, ".hint-value") == []


@pytest.mark.parametrize("size", [PHONE, ZOOMED, SIDEWAYS])
@pytest.mark.parametrize("turns", [8])
def test_the_last_turn_and_hands_can_be_scrolled_to(page: Page) -> None:
    parts = ".last-turn li", "#table .hand-cards > .card", ".panel .tableau"
    assert hidden(page, *parts, scrolling=True) == []


@pytest.mark.parametrize("size", [PHONE, ZOOMED, SIDEWAYS])
def test_to_choose_a_card_scrolls_nothing(page: Page) -> None:
    press(page, "1", "2", "ArrowRight")
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("turns", [21])
@pytest.mark.parametrize("size", [DESKTOP, (1280, 720)])
def test_the_end_shows_the_last_cards(page: Page) -> None:
    assert hidden(page, ".last-cards li", "#review-game", "#end-game", "#save-record") == []


@pytest.mark.parametrize("settings", [PlaySettings(7, 4, 3, 0, ("greedy",), "greedy")])
@pytest.mark.parametrize("size", [PHONE, SIDEWAYS])
@pytest.mark.parametrize("look", [{"touch": True}])
@pytest.mark.parametrize("turns", [20])
def test_a_finger_hits_every_control(page: Page) -> None:
    found = {"table": page.evaluate(SMALL_TARGETS)}
    for key in ("g", "s", "l", "?", "o"):
        open_dialog(page, key)
        found[key] = page.evaluate(SMALL_TARGETS)
        close_dialog(page)
    press(page, "1", "Enter")
    there(page, DIALOG)
    found["result"] = page.evaluate(SMALL_TARGETS)
    press(page, "Escape")
    there(page, "#game-end:not([hidden])")
    found["end"] = page.evaluate(SMALL_TARGETS)
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("tests.play.bots:Prepared",))])
@pytest.mark.parametrize("turns", [8])
@pytest.mark.parametrize("size", [ZOOMED, (640, 360), PHONE])
def test_names_are_whole_on_small_screens(page: Page) -> None:
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator(".player-name, .row .caption").evaluate_all(cut) == 0
    expect(page.locator("#table .panel h2")).to_contain_text(["Ada", "Ben", "Cleo", "Davi", "Emma"])


@pytest.mark.parametrize("size", [ZOOMED, SIDEWAYS])
@pytest.mark.parametrize("turns", [8])
def test_the_hand_leaves_room_on_low_screens(page: Page, size: Size) -> None:
    box = page.locator("#hand").bounding_box()
    assert box is not None and box["height"] < 0.3 * size[1]
    assert hidden(page, ".prize > .card", ".played", ".own .tableau", "#cards .card", "#play") == []


@pytest.mark.parametrize("size", [(320, 256)])
def test_a_turn_can_be_played_at_four_times_zoom(page: Page, table: WatchedServer) -> None:
    """A window of 1280 by 1024 pixels at 400 % zoom; the hand must not cover the table."""
    expect(page.locator("#hand")).to_have_css("position", "static")
    page.locator("#cards input").first.click()
    page.click("#play")
    there(page, READY)
    assert table.session.turns_played == 1


@pytest.mark.parametrize("look", [{"forced": True}])
def test_a_chosen_card_stands_out_without_colours(page: Page) -> None:
    page.locator("#cards input").first.click()
    expect(page.locator("#cards .card").first).to_have_css("outline-width", "4px")
    expect(page.locator("#cards .card").last).to_have_css("outline-style", "none")
