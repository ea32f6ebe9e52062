"""The page for everybody: what axe-core finds, and where its parts are on all screens."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from mindup_play.settings import PlaySettings
from tests.play.page import (
    DIALOG,
    HINTED,
    HOLDING,
    PROBLEMS,
    close_dialog,
    open_dialog,
    press,
    problems,
    there,
)
from tests.play.tables import Table, play_to
from tools.browser import DESKTOP, IDLE, PHONE, READY, SIZES, Size

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
def test_every_screen_passes_axe_with_legible_texts(page: Page, table: Table) -> None:
    found = {name: problems(page) for name in screens(page, table)}
    assert {name: each for name, each in found.items() if each} == {}


def screens(page: Page, table: Table) -> Iterator[str]:
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
        play_to(table.session, turns)
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


# Sizes and zoom


def hidden(page: Page, *selectors: str, scrolling: bool = False) -> object:
    """The elements that are outside the window or under the docked hand.

    With ``scrolling``, each is scrolled to before. A selector without an element is a failure too.
    """
    return page.evaluate(HIDDEN, [selectors, scrolling])


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy",), "greedy")])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("turns", [0, 10, 20])
def test_nothing_essential_is_below_the_fold(page: Page, size: Size) -> None:
    """Six players and five objectives, with tips and with hints; windows of all sizes."""
    sizes = [PHONE] if size == PHONE else [DESKTOP, (2560, 1440), *SIZES[:-1]]

    def found(*more: str) -> dict[Size, object]:
        below = {}
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            below[width, height] = hidden(page, *ESSENTIAL, *more)
        return {each: what for each, what in below.items() if what}

    assert found() == {}
    press(page, "h")
    there(page, HINTED)
    assert found(".hint-value") == {}


@pytest.mark.parametrize("turns", [8])
@pytest.mark.parametrize("size", [PHONE, ZOOMED, SIDEWAYS])
def test_on_small_screens_the_hand_leaves_room_and_all_can_be_scrolled_to(
    page: Page, size: Size
) -> None:
    press(page, "1", "2", "ArrowRight")
    assert page.evaluate("scrollY") == 0, "to choose a card scrolls nothing"
    if size != PHONE:
        box = page.locator("#hand").bounding_box()
        assert box is not None and box["height"] < 0.3 * size[1]
        near = ".prize > .card", ".played", ".own .tableau", "#cards .card", "#play"
        assert hidden(page, *near) == []
    parts = ".last-turn li", "#table .hand-cards > .card", ".panel .tableau"
    assert hidden(page, *parts, scrolling=True) == [] and page.evaluate(PROBLEMS) == []
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator(".player-name, .row .caption").evaluate_all(cut) == 0


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


@pytest.mark.parametrize("size", [(320, 256)])
def test_a_turn_can_be_played_at_four_times_zoom(page: Page, table: Table) -> None:
    """A window of 1280 by 1024 pixels at 400 % zoom; the hand must not cover the table."""
    expect(page.locator("#hand")).to_have_css("position", "static")
    page.locator("#cards input").first.click()
    page.click("#play")
    there(page, READY)
    assert table.session.turns_played == 1
