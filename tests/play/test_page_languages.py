"""The language of the pages in a browser: chosen by it, by the switch, and kept."""

import pytest

from mindup_play.languages import LANGUAGES, Texts
from tests.play.page import check_no_errors
from tests.play.tables import WatchedServer
from tools.browser import DESKTOP, PHONE, READY, Keys, Page


def prefer(page: Page, languages: str) -> None:
    """The languages of the browser, as in an Accept-Language header."""
    agent = page.script("return navigator.userAgent")
    page.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=languages)


def switch(page: Page, language: str) -> None:
    page.click(f".language [lang={language}]")
    page.until(f"document.documentElement.lang === '{language}'")


def language_of(page: Page) -> str:
    found: str = page.value("document.documentElement.lang")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language_of_the_browser(
    page: Page, language: str, table: WatchedServer
) -> None:
    texts = Texts(language)
    prefer(page, f"{language}-XX,en")
    for size in (DESKTOP, PHONE, (320, 640)):
        page.resize(size)
        page.open_table(table)
        assert language_of(page) == language
        assert page.text("#play") == texts.get("play.choose_card")
        progress = texts.get("table.progress", round=1, rounds=3, turn=1, turns=6)
        assert page.text("#progress") == progress
        assert texts.get("table.you") in page.text("#own-tableau h2")
        page.open_dialog("g")
        assert page.text("#game-dialog .main") == texts.get("play.deal")
        check_no_errors(table, page)


def test_the_switch_overrides_the_browser_and_is_kept(page: Page, table: WatchedServer) -> None:
    prefer(page, "fr")
    page.open_table(table)
    page.click("#settings")
    switch(page, "it")
    page.until(READY)
    assert page.text("#play") == Texts("it").get("play.choose_card")
    table.manager.play(table.manager._turn_id(), table.session.game.hand(0)[0])
    page.keys("1", Keys.ENTER)
    page.until("document.querySelector('#error').textContent")
    assert page.text("#error") == Texts("it").get("error.outdated")


def test_keys_choose_a_language(page: Page, table: WatchedServer) -> None:
    """The focus may move over all languages: only a button that is pressed changes the page."""
    prefer(page, "en")
    page.open_table(table)
    page.keys("o")
    page.script("document.querySelector('.language [lang=en]').focus()")
    page.keys(Keys.TAB, Keys.TAB, Keys.TAB)
    assert page.chrome.switch_to.active_element.text == "Italiano"
    assert page.is_pressed(".language [lang=en]") and language_of(page) == "en"
    page.keys(Keys.ENTER)
    page.until(f"document.documentElement.lang === 'it' && {READY}")
    check_no_errors(table, page)
