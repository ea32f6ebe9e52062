"""Where the parts of the pages are, at four sizes and zoomed: none is covered, cut or too wide."""

import pytest

from mindup_play.settings import PlaySettings
from tests.play.page import keep_picture
from tests.play.tables import WatchedServer, play_to
from tools.browser import DESKTOP, PHONE, READY, REVEALED, SIZES, Keys, Page, Size

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
CUT_NAMES = """
return [...document.querySelectorAll(".player-name, .row .caption")].filter((each) => (
  each.scrollWidth > each.clientWidth + 1 || getComputedStyle(each).textOverflow === "ellipsis"
)).map((each) => each.textContent)
"""
OVERLAPPING = """
const boxes = [...document.querySelectorAll(arguments[0])]
  .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
const meet = (one, other) => one !== other && one.left < other.right && other.left < one.right
  && one.top < other.bottom && other.top < one.bottom;
return boxes.filter((one) => boxes.some((other) => meet(one, other))).length
"""
"""How many elements of a selector overlap another one of it."""
SMALL_TARGETS = """
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
"""
"""The controls that a finger hits on less than 44 pixels from top to bottom."""
PREPARED = ("tests.play.bots:Prepared",)


def hidden(page: Page, *selectors: str, scrolling: bool = False) -> list[str]:
    found: list[str] = page.script(HIDDEN, selectors, scrolling)
    return found


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy",), "greedy")])
def test_nothing_essential_is_below_the_fold(page: Page, table: WatchedServer) -> None:
    """Six players and five objectives, early and late in a round, with tips and hints."""
    for turns in (0, 6, 10, 20):
        play_to(table.session, turns)
        page.open_table(table)
        assert (page.count("#narration:empty") == 0) == (turns <= 6), "the tips"
        for size in SIZES:
            page.resize(size)
            page.open_table(table)
            assert hidden(page, *ESSENTIAL) == [], (turns, size)
            page.keys("h")
            page.until("document.querySelector('.hinted')")
            assert hidden(page, *ESSENTIAL, ".hint-value") == [], (turns, size, "with a hint")
            keep_picture(page, f"six players, turn {turns}, {size[0]} wide")
            page.keys("h", "1")
            assert page.script("return scrollY") == 0, "to choose a card moves nothing"
            if turns > 0:
                assert hidden(page, ".last-turn li", scrolling=True) == [], (turns, size)
            page.script("window.scrollTo(0, 0)")
            assert page.fits()


@pytest.mark.parametrize("settings", [PlaySettings(7, each, 5, 0, ("greedy",)) for each in (3, 5)])
@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("turns", [0, 6, 13])
def test_fewer_players_fit_on_a_phone_too(page: Page) -> None:
    assert hidden(page, *ESSENTIAL) == []


@pytest.mark.parametrize("turns", [21])
@pytest.mark.parametrize("size", [DESKTOP, (1280, 720)])
def test_the_end_shows_the_last_cards(page: Page) -> None:
    assert page.at(".last-cards").is_displayed() and page.count(".last-cards li") == 4
    assert hidden(page, ".last-turn li", "#review-game", "#end-game", "#save-record") == []


@pytest.mark.parametrize("settings", [PlaySettings(7, 4, 3, 0, ("greedy",), "greedy")])
@pytest.mark.parametrize("size", [PHONE, (844, 390)])
@pytest.mark.parametrize("turns", [20])
def test_a_finger_hits_every_control(page: Page) -> None:
    page.command("Emulation.setTouchEmulationEnabled", enabled=True)

    def small() -> list[str]:
        page.script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        found: list[str] = page.script(SMALL_TARGETS)
        return found

    found = {"table": small()}
    for key in ("g", "s", "l", "?", "o"):
        page.open_dialog(key)
        found[key] = small()
        assert not page.at(".keys").is_displayed(), "there is no keyboard"
        page.keys(Keys.ESCAPE)
        page.until(READY)
    page.keys("1")
    page.open_dialog(Keys.ENTER)
    found["result"] = small()
    page.keys(Keys.ESCAPE)
    page.until(REVEALED)
    found["end"] = small()
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize("settings", [PlaySettings(7, each, 5, 0, ("lowest",)) for each in (3, 6)])
@pytest.mark.parametrize("turns", [21])
@pytest.mark.parametrize("size", [(390, 640), (320, 640)])
def test_scores_fit_onto_a_narrow_phone(page: Page) -> None:
    assert page.fits()
    page.keys("s")
    assert page.count("#scores-dialog[open] table") == 2
    assert page.fits()
    assert page.at("#scores-title").location_once_scrolled_into_view["y"] >= 0


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, PREPARED)])
@pytest.mark.parametrize("turns", [8])
@pytest.mark.parametrize("size", [(640, 360), (640, 450), PHONE])
def test_names_are_whole_at_double_zoom(page: Page) -> None:
    """640 pixels are a window of 1280 pixels at 200 % zoom."""
    assert page.script(CUT_NAMES) == []
    names = page.texts("#table .panel h2")
    assert names == ["Ada", "Ben", "Cleo", "Davi", "Emma"]
    assert page.fits()


@pytest.mark.parametrize("size", [(640, 400), (844, 390)])
@pytest.mark.parametrize("turns", [8])
def test_the_hand_leaves_room_on_low_screens(page: Page, size: Size) -> None:
    """200 % zoom at 1280 by 800 pixels, and a phone held sideways."""
    assert page.value("document.querySelector('#hand').offsetHeight") < 0.3 * size[1]
    assert page.count(".objectives-fold[open]") == 0
    shown = ".prize > .card", ".played", ".own .tableau", "#cards .card", "#play"
    assert hidden(page, *shown) == []
    assert hidden(page, "#table .hand-cards > .card", ".panel .tableau", scrolling=True) == []
    assert page.fits()
    keep_picture(page, f"low screen, {size[0]} wide")
    page.script("scrollTo(0, 0)")
    page.keys("1", "2")
    assert page.value("scrollY") == 0, "to choose a card moves nothing"
    page.keys(Keys.ENTER)
    page.until(READY)
    assert hidden(page, *shown) == []


@pytest.mark.parametrize("size", [(320, 256)])
def test_a_turn_can_be_played_at_four_times_zoom(page: Page) -> None:
    """A window of 1280 by 1024 pixels at 400 % zoom; the hand must not cover the table."""
    assert page.fits()
    page.click("#cards button")
    page.click("#play")
    page.until(f"document.querySelectorAll('#cards button').length === 6 && {READY}")
    covered = "getComputedStyle(document.querySelector('#hand')).position"
    assert page.value(covered) == "static"
    page.keys("?")
    page.click("#learn-next")
    assert page.fits() and page.text("#learn-place") == "2 of 6"


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (640, 400)])
def test_pictures_of_how_to_play_are_whole(page: Page, size: Size) -> None:
    """No caption or card covers another, numbers are inside of their cards, and all is seen."""
    page.open_dialog("?")
    dialog = "document.querySelector('#learn-dialog')"
    for number in range(1, 7):
        keep_picture(page, f"how to play {number}, {size[0]} wide")
        for parts in (".caption, .card", ".number, .points"):
            assert page.script(OVERLAPPING, f"#learn-picture :is({parts})") == 0, (number, parts)
        assert page.value(f"{dialog}.scrollHeight <= {dialog}.clientHeight"), number
        page.click("#learn-next")
