"""The playable page in a real browser: controls, focus, messages, and what is kept."""

import pytest
from playwright.sync_api import Page, expect

from mindup_play.settings import PlaySettings
from tests.play import bots
from tests.play.conftest import FULL
from tests.play.page import DIALOG, HINTED, cards, close_dialog, open_dialog, press
from tests.play.tables import Table
from tests.play.test_preparation import preparing

CHOSEN = "#cards :has(:checked)"


@pytest.mark.parametrize("key", ["g", "l", "?", "o"])
def test_a_dialog_gives_the_focus_back(page: Page, key: str) -> None:
    opener = page.locator(f"[data-key='{key}']")
    opener.focus()
    open_dialog(page, "Enter")
    close_dialog(page)
    expect(opener).to_be_focused()
    open_dialog(page, key)
    close_dialog(page)
    expect(opener).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    open_dialog(page, key)
    close_dialog(page)
    expect(page.locator("#cards :focus")).to_have_count(1)


@pytest.mark.parametrize("turns", [7])
def test_settings_are_kept_such_as_no_single_letters_as_keys(page: Page) -> None:
    open_dialog(page, "o")
    page.uncheck("#single-keys")
    page.select_option("#speed", "fast")
    page.reload()
    expect(page.locator("#cards input").first).to_be_enabled()
    press(page, "g", "h", "s", "o", "2")
    expect(page.locator(f"{DIALOG}, {CHOSEN}, [aria-keyshortcuts]")).to_have_count(0)
    page.click("#settings")
    expect(page.locator("#speed")).to_have_value("fast")
    page.check("#single-keys")
    close_dialog(page)
    press(page, "2")
    expect(page.locator(CHOSEN)).to_have_count(1)


def test_the_first_screen_says_the_goal_and_offers_how_to_play_once(page: Page) -> None:
    goal = page.locator("#own-tableau .goal")
    expect(goal).to_contain_text("Most points after 3 rounds win")
    goal.locator("button").click()
    close_dialog(page)
    page.reload()
    expect(page.locator("#cards input").first).to_be_enabled()  # it has loaded, and takes keys
    expect(goal.locator("button")).to_have_count(0)
    press(page, "1", "Enter")
    expect(goal).to_have_count(0)


# Hints and waiting


def test_a_hint_is_prepared_while_the_game_goes_on(page: Page, table: Table) -> None:
    process, text = preparing(table), page.locator("#hint-text")
    press(page, "h")
    expect(text).to_contain_text("being prepared")
    press(page, "1", "Enter")
    expect(page.locator("#cards input")).to_have_count(6)
    expect(text).to_contain_text("being prepared")
    process.communicate()
    expect(text).to_contain_text("planner would play")
    number = table.get("/hint")["hint"]["card"]
    assert cards(page, HINTED) == [number]
    expect(page.locator("#cards .hint-value")).to_have_count(6)
    hint = f"planner would play {number}; at each card: expected points"
    expect(text).to_have_text(hint)
    expect(page.locator("#announcement")).to_have_text(hint)


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=(bots.SLOW,))])
def test_while_bots_choose_no_card_can_be_chosen(page: Page, table: Table) -> None:
    press(page, "1", "Enter")
    expect(page.locator("#play")).to_have_text("The others are choosing\u2026")
    press(page, "Enter")
    page.locator("#cards input").last.click(force=True)
    first = table.session.game.hand(0)[0]
    assert cards(page, CHOSEN) == [first]
    bots.go_on.set()
    expect(page.locator("#cards input")).to_have_count(6)
    assert [turn[0] for turn in table.session.game.plays] == [first]


# Errors


def test_a_game_that_is_not_saved_says_so(page: Page, full_disk: pytest.MonkeyPatch) -> None:
    press(page, "1", "Enter")
    expect(page.locator("#unsaved")).to_contain_text(FULL)
    full_disk.undo()
    press(page, "1", "Enter")
    expect(page.locator("#unsaved")).to_be_empty()


def test_a_tab_that_is_outdated_shows_the_turn_of_the_other(page: Page, table: Table) -> None:
    table.play()
    press(page, "1", "Enter")
    expect(page.locator("#error")).to_contain_text("has continued")
    expect(page.locator("#progress")).to_contain_text("turn 2")


def test_a_server_that_is_gone_is_reported(page: Page) -> None:
    page.context.set_offline(True)
    press(page, "1", "Enter")
    expect(page.locator("#error")).to_contain_text("does not answer")
