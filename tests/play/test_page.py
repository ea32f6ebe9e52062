"""The playable page in a real browser: controls, messages, a reload."""

from collections.abc import Callable

import pytest
from selenium.webdriver import ActionChains

from mindup_play.settings import PEOPLE, PlaySettings
from tests.play.bots import Slow
from tests.play.page import (
    check_no_errors,
    check_no_hidden_card_was_sent,
)
from tests.play.tables import WatchedServer, ask, play_body
from tests.play.test_session import hint_of
from tools.browser import DIALOG, HOLDING, READY, REVEALED, Keys, Page

CHOSEN = "#cards [aria-checked=true]"
HINTED = "document.querySelector('.hinted')"
PRESSED = "document.querySelector('#hint').getAttribute('aria-pressed')"
SLOW = "tests.play.bots:Slow"


def card(number: int) -> str:
    return f"#cards [data-card='{number}']"


def chosen(page: Page) -> int | None:
    return next(iter(page.cards(CHOSEN)), None)


def test_the_first_screen_offers_how_to_play_once(page: Page) -> None:
    """Without a button that has no use yet, and with names as of people."""
    assert not page.at("#known-hands").is_displayed()
    names = [(each.text, each.get_attribute("title")) for each in page.all("#table h2")]
    bots = "greedy 1", "lowest", "greedy 2"
    assert names == [(f"{name}{bot}", bot) for name, bot in zip(PEOPLE, bots, strict=False)]
    assert page.count(".offered") == 1
    page.click("#learn")
    page.keys(Keys.ESCAPE)
    page.reload()
    assert page.count(".offered") == 0


@pytest.mark.parametrize("turns", [7])
def test_known_hands_and_hints_can_be_switched(page: Page, table: WatchedServer) -> None:
    game = table.session.game
    known = sum(len(game.known(player)) for player in (1, 2, 3))
    assert known and page.count(".hand-cards [data-card]") == known
    page.keys("k")
    assert page.count(".hand-cards [data-card]") == 0
    assert not page.is_pressed("#known-hands")
    page.keys("h")
    page.until(HINTED)
    number = hint_of(table.session).card
    assert page.cards(".hinted") == [number]
    assert page.count("#cards .hint-value") == len(game.hand(0))
    hint = f"planner would play {number}; at each card: expected points"
    assert page.text("#hint-text") == page.content("#announcement") == hint
    check_no_hidden_card_was_sent(table, page)


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=(SLOW,), hints=SLOW)])
@pytest.mark.parametrize("look", [{"calm": True, "holds": True}])
def test_while_bots_choose_no_card_can_be_chosen_or_skipped(
    page: Page, table: WatchedServer
) -> None:
    page.keys("h", "1", Keys.ENTER)
    assert page.text("#hint-text") == "Slow is choosing\u2026"
    assert page.text("#play") == "The others are choosing\u2026"
    page.keys(Keys.ENTER, "2", Keys.TAB)
    focus = page.chrome.switch_to.active_element
    assert focus.get_attribute("data-card") is None, "Tab leaves the hand"
    page.click("#cards button:last-child")
    first = table.session.game.hand(0)[0]
    assert page.cards(CHOSEN) == [first]
    page.until("document.querySelector('#announcement').textContent")
    assert page.content("#announcement") == "The others are choosing."
    Slow.go_on.set()
    page.until(HOLDING)
    assert page.count(".played [data-card]") == 4
    assert table.session.game.plays[0][0] == first


def test_a_choice_is_taken_back_until_a_click_is_to_play(page: Page, table: WatchedServer) -> None:
    first, second = table.session.game.hand(0)[:2]
    page.command("Emulation.setTouchEmulationEnabled", enabled=True)
    ways: tuple[Callable[[], object], ...] = (
        lambda: page.tap(card(second)),
        lambda: page.keys(Keys.ESCAPE),
        lambda: page.click("#own-tableau"),
    )
    for take_back in ways:
        page.tap(card(second))
        assert chosen(page) == second
        take_back()
        assert page.count(CHOSEN) == 0 and not page.at("#play").is_enabled()
    page.reload()
    assert page.count(CHOSEN) == 0 and table.session.turns_played == 0
    page.open_dialog("o")
    page.click("#click-plays")
    page.keys(Keys.ESCAPE)
    page.until(READY)
    page.click(card(first))
    page.until(REVEALED)
    page.until(READY)
    assert table.session.game.plays[0][0] == first
    check_no_errors(table, page)


def test_the_focus_stays_in_the_hand(page: Page, table: WatchedServer) -> None:
    assert page.value("document.hasFocus()")
    for left in (6, 5):
        page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
        page.until(f"document.querySelectorAll('#cards button').length === {left} && {READY}")
        focus = page.chrome.switch_to.active_element
        assert focus.get_attribute("role") == "radio"
    page.keys(Keys.SPACE, Keys.SPACE, Keys.SPACE)
    assert table.session.turns_played == 2, "a space chooses, and does not play"
    page.click("#play")
    page.until(READY)
    assert page.chrome.switch_to.active_element.get_attribute("role") == "radio"


def test_escape_leaves_the_focus_where_it_is(page: Page) -> None:
    page.keys(*[Keys.ARROW_RIGHT] * 3, Keys.ESCAPE)
    numbers = page.cards("#cards button")
    assert page.cards("#cards :focus") == page.cards("#cards [tabindex='0']") == [numbers[2]]
    assert page.count(CHOSEN) == 0
    page.keys(Keys.ARROW_RIGHT)
    assert chosen(page) == numbers[3]
    page.open_dialog("o")
    page.keys(Keys.ESCAPE)
    page.until(READY)
    assert page.cards("#cards :focus") == [numbers[3]], "after a dialog too"
    page.at("#learn").send_keys(Keys.ENTER)
    page.keys(Keys.ESCAPE)
    page.until(READY)
    assert page.value("document.activeElement.id") == "learn"
    page.keys(Keys.ARROW_RIGHT)
    assert page.cards("#cards :focus") == [chosen(page)] == [numbers[4]], "arrows lead to the hand"


def drag(page: Page, selector: str, rise: int) -> None:
    """Drags an element up by so many pixels."""
    held = ActionChains(page.chrome, 50).click_and_hold(page.at(selector))
    held.move_by_offset(5, -rise // 2).move_by_offset(5, -rise // 2).release().perform()


def test_a_card_that_is_dragged_to_the_table_is_played(page: Page, table: WatchedServer) -> None:
    first, second = table.session.game.hand(0)[:2]
    drag(page, card(second), 40)
    assert page.count(CHOSEN) == table.session.turns_played == 0, "it was dropped in the hand"
    assert page.value(f"document.querySelector({card(second)!r}).style.translate") == ""
    drag(page, card(first), 300)
    page.until(REVEALED)
    page.until(READY)
    assert [cards[0] for cards in table.session.game.plays] == [first]
    page.click(card(second))
    assert chosen(page) == second, "a click still chooses"


def test_an_outdated_tab_and_a_missing_server_say_so(page: Page, table: WatchedServer) -> None:
    # A second tab plays a turn.
    ask(table, "/play", play_body(table, table.session.game.hand(0)[-1]))
    page.keys("1", Keys.ENTER)
    page.until(f"document.querySelector('#error').textContent && {READY}")
    assert "has continued" in page.text("#error")
    assert table.session.turns_played == 1 and page.count("#cards button") == 6
    assert "turn 2" in page.text("#progress")
    page.command("Network.enable")
    speeds = dict.fromkeys(("latency", "downloadThroughput", "uploadThroughput"), 0)
    page.command("Network.emulateNetworkConditions", offline=True, **speeds)
    page.keys("1", Keys.ENTER)
    page.until("document.querySelector('#error').textContent.includes('does not answer')")
    assert page.count("#cards button") == 6 and table.session.turns_played == 1


# What is kept


@pytest.mark.parametrize("turns", [7])
def test_settings_are_kept_for_all_games(page: Page, table: WatchedServer) -> None:
    page.open_dialog("o")
    assert page.at("#reduced-motion").is_displayed()
    for selector in ("#speed option[value=fast]", "#guide", "#single-keys"):
        page.click(selector)
    page.click("#settings-dialog .main")
    page.until(READY)
    page.script("sessionStorage.clear()")  # as in another tab
    page.reload()
    # Single letters and digits are no keys; arrow keys and Enter stay.
    page.keys("g", "k", "h", "s", "o", "2", Keys.ENTER)
    assert page.count("dialog[open]") == page.count(CHOSEN) == 0
    assert page.is_pressed("#known-hands") and not page.is_pressed("#hint")
    assert page.at("#game").get_attribute("aria-keyshortcuts") is None
    page.keys(Keys.ARROW_RIGHT)
    assert page.count(CHOSEN) == 1
    page.click("#settings")
    page.until(DIALOG)
    assert page.at("#speed").get_property("value") == "fast"
    assert not page.at("#guide").is_selected()
    page.click("#single-keys")
    page.keys(Keys.ESCAPE)
    page.until(READY)
    page.keys("k")
    assert not page.is_pressed("#known-hands")
    check_no_errors(table, page)


@pytest.mark.parametrize("turns", [5])
def test_a_reload_keeps_what_the_person_saw(page: Page, table: WatchedServer) -> None:
    scores = "document.querySelector('#scores-dialog').open"
    page.keys("h", "2")
    number = chosen(page)
    page.reload(f"{HINTED} && {READY}")
    assert chosen(page) == number and page.is_pressed("#hint")
    page.keys(Keys.ENTER)
    page.until(scores)
    for _ in range(2):  # the second time after a reload
        assert page.text("#scores-title") == "Round 1 is over"
        page.reload(scores)
    page.click("#scores-close")
    page.until(READY)
    assert page.count(CHOSEN) == 0, "that card is played"
    page.reload()
    assert page.count("dialog[open]") == 0
    check_no_errors(table, page)
