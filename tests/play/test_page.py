"""The playable page in a real browser: controls, focus, messages, what is kept over a reload."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from mindup_play.settings import PEOPLE, PlaySettings
from tests.play.bots import Slow
from tests.play.hidden import check_no_hidden_card_was_sent
from tests.play.page import (
    CHOSEN,
    DIALOG,
    HINTED,
    HOLDING,
    cards,
    close_dialog,
    open_dialog,
    press,
    reload,
    texts,
    until,
)
from tests.play.tables import WatchedServer, ask, play_body
from tests.play.test_session import hint_of
from tools.browser import IDLE, READY

FOCUS = "document.activeElement"
SLOW = "tests.play.bots:Slow"


def card(number: int) -> str:
    return f"#cards [data-card='{number}']"


def is_pressed(page: Page, selector: str) -> bool:
    return page.get_attribute(selector, "aria-pressed") == "true"


def test_the_first_screen_offers_how_to_play_once(page: Page) -> None:
    """Without a button that has no use yet, and with names as of people."""
    assert page.is_hidden("#known-hands")
    bots = "greedy 1", "lowest", "greedy 2"
    names = [f"{name}{bot}" for name, bot in zip(PEOPLE, bots, strict=False)]
    assert page.locator("#table h2").all_text_contents() == names
    assert page.locator(".offered").count() == 1
    page.click("#learn")
    close_dialog(page)
    reload(page)
    assert page.locator(".offered").count() == 0


@pytest.mark.parametrize("turns", [7])
def test_known_hands_and_hints_can_be_switched(page: Page, table: WatchedServer) -> None:
    game = table.session.game
    known = sum(len(game.known(player)) for player in (1, 2, 3))
    assert known and page.locator(".hand-cards [data-card]").count() == known
    press(page, "k")
    assert page.locator(".hand-cards [data-card]").count() == 0
    assert not is_pressed(page, "#known-hands")
    press(page, "h")
    until(page, HINTED)
    number = hint_of(table.session).card
    assert cards(page, HINTED) == [number]
    assert page.locator("#cards .hint-value").count() == len(game.hand(0))
    hint = f"planner would play {number}; at each card: expected points"
    assert page.text_content("#hint-text") == page.text_content("#announcement") == hint
    check_no_hidden_card_was_sent(table)


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=(SLOW,), hints=SLOW)])
@pytest.mark.parametrize("look", [{"speed": None}])
def test_while_bots_choose_no_card_can_be_chosen_or_skipped(
    page: Page, table: WatchedServer
) -> None:
    press(page, "h", "1", "Enter")
    assert page.text_content("#hint-text") == "Slow is choosing\u2026"
    assert page.text_content("#play") == "The others are choosing\u2026"
    press(page, "Enter", "2", "Tab")
    assert page.evaluate(f"{FOCUS}.dataset.card") is None, "Tab leaves the hand"
    page.locator("#cards button").last.click(force=True)
    first = table.session.game.hand(0)[0]
    assert cards(page, CHOSEN) == [first]
    expect(page.locator("#announcement")).to_have_text("The others are choosing.")
    Slow.go_on.set()
    until(page, HOLDING)
    assert page.locator(".played [data-card]").count() == 4
    assert table.session.game.plays[0][0] == first


@pytest.mark.parametrize("look", [{"touch": True}])
def test_a_choice_is_taken_back_until_a_click_is_to_play(page: Page, table: WatchedServer) -> None:
    first, second = table.session.game.hand(0)[:2]
    ways: tuple[Callable[[], None], ...] = (
        lambda: page.tap(card(second)),
        lambda: press(page, "Escape"),
        lambda: page.click("#own-tableau"),
    )
    for take_back in ways:
        page.tap(card(second))
        assert cards(page, CHOSEN) == [second]
        take_back()
        assert page.locator(CHOSEN).count() == 0 and page.is_disabled("#play")
    open_dialog(page, "o")
    page.check("#click-plays")
    close_dialog(page)
    page.click(card(first))
    until(page, READY)
    assert table.session.game.plays[0][0] == first


def test_the_focus_stays_in_the_hand(page: Page, table: WatchedServer) -> None:
    for left in (6, 5):
        press(page, "ArrowRight", "Enter")
        until(page, READY)
        assert page.locator("#cards button").count() == left
        assert page.evaluate(f"{FOCUS}.role") == "radio"
    press(page, "Space", "Space", "Space")
    assert table.session.turns_played == 2, "a space chooses, and does not play"
    page.click("#play")
    until(page, READY)
    assert page.evaluate(f"{FOCUS}.role") == "radio"


def test_escape_leaves_the_focus_where_it_is(page: Page) -> None:
    press(page, *["ArrowRight"] * 3, "Escape")
    numbers = cards(page, "#cards button")
    assert cards(page, "#cards :focus") == cards(page, "#cards [tabindex='0']") == [numbers[2]]
    assert page.locator(CHOSEN).count() == 0
    press(page, "ArrowRight")
    assert cards(page, CHOSEN) == [numbers[3]]
    open_dialog(page, "o")
    close_dialog(page)
    assert cards(page, "#cards :focus") == [numbers[3]], "after a dialog too"
    page.focus("#learn")
    open_dialog(page, "Enter")
    close_dialog(page)
    assert page.evaluate(f"{FOCUS}.id") == "learn"
    press(page, "ArrowRight")
    assert cards(page, "#cards :focus") == cards(page, CHOSEN) == [numbers[4]], "arrows: the hand"


def drag(page: Page, selector: str, rise: int) -> None:
    """Drags an element up by so many pixels."""
    page.hover(selector)
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - rise, steps=4)
    page.mouse.up()


def test_a_card_that_is_dragged_to_the_table_is_played(page: Page, table: WatchedServer) -> None:
    first, second = table.session.game.hand(0)[:2]
    drag(page, card(second), 30)
    assert page.locator(CHOSEN).count() == table.session.turns_played == 0, "it was dropped there"
    assert page.locator(card(second)).evaluate("each => each.style.translate") == ""
    drag(page, card(first), 300)
    until(page, READY)
    assert [turn[0] for turn in table.session.game.plays] == [first]
    page.click(card(second))
    assert cards(page, CHOSEN) == [second], "a click still chooses"


def test_an_outdated_tab_and_a_missing_server_say_so(page: Page, table: WatchedServer) -> None:
    ask(table, "/play", play_body(table, table.session.game.hand(0)[-1]))  # as a second tab does
    press(page, "1", "Enter")
    until(page, READY)
    assert "has continued" in (page.text_content("#error") or "")
    assert table.session.turns_played == 1 and page.locator("#cards button").count() == 6
    assert "turn 2" in (page.text_content("#progress") or "")
    page.context.set_offline(True)
    press(page, "1", "Enter")
    until(page, READY)
    assert "does not answer" in (page.text_content("#error") or "")
    assert page.locator("#cards button").count() == 6 and table.session.turns_played == 1


# What is kept


@pytest.mark.parametrize("turns", [7])
def test_settings_are_kept_for_all_games(page: Page) -> None:
    open_dialog(page, "o")
    assert page.is_visible("#reduced-motion")
    page.select_option("#speed", "fast")
    page.uncheck("#guide")
    page.uncheck("#single-keys")
    page.click("#settings-dialog .main")
    until(page, READY)
    page.evaluate("sessionStorage.clear()")  # as in another tab
    reload(page)
    # Single letters and digits are no keys; arrow keys and Enter stay.
    press(page, "g", "k", "h", "s", "o", "2", "Enter")
    assert page.locator(f"{DIALOG}, {CHOSEN}").count() == 0
    assert is_pressed(page, "#known-hands") and not is_pressed(page, "#hint")
    assert page.get_attribute("#game", "aria-keyshortcuts") is None
    press(page, "ArrowRight")
    assert page.locator(CHOSEN).count() == 1
    page.click("#settings")
    until(page, DIALOG)
    assert page.input_value("#speed") == "fast" and not page.is_checked("#guide")
    page.check("#single-keys")
    close_dialog(page)
    press(page, "k")
    assert not is_pressed(page, "#known-hands")


@pytest.mark.parametrize("turns", [5])
def test_a_reload_keeps_what_the_person_saw(page: Page) -> None:
    press(page, "h", "2")
    until(page, HINTED)
    chosen = cards(page, CHOSEN)
    reload(page, HINTED)
    until(page, READY)
    assert len(chosen) == 1 and cards(page, CHOSEN) == chosen and is_pressed(page, "#hint")
    press(page, "Enter")
    until(page, DIALOG)
    for _ in range(2):  # the second time after a reload
        assert texts(page, "#scores-title") == ["Round 1 is over"]
        reload(page, DIALOG)
    page.click("#scores-close")
    until(page, READY)
    assert page.locator(CHOSEN).count() == 0, "that card is played"
    reload(page, IDLE)
    assert page.locator(DIALOG).count() == 0
