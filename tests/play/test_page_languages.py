"""The language of the pages in a browser: chosen by it, by the switch, and kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_play.languages import LANGUAGES, Texts
from mindup_play.records import replay_page
from tests.play.browser import DESKTOP, PHONE, browser_errors, tab
from tests.play.page import (
    READY,
    at,
    check_no_errors,
    count,
    fits,
    keys,
    open_new_game,
    open_table,
    until,
)
from tests.play.tables import WatchedServer
from tests.scripted_game import scripted

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def prefer(chrome: "Chrome", languages: str) -> None:
    """The languages of the browser, as in an Accept-Language header."""
    agent = chrome.execute_script("return navigator.userAgent")
    settings = {"userAgent": agent, "acceptLanguage": languages}
    chrome.execute_cdp_cmd("Emulation.setUserAgentOverride", settings)


@contextmanager
def choosing(chrome: "Chrome") -> Iterator[None]:
    """Forgets the language that was chosen."""
    try:
        yield
    finally:
        chrome.delete_all_cookies()
        chrome.execute_script("localStorage.clear()")


def switch(chrome: "Chrome", language: str) -> None:
    at(chrome, f".language option[value={language}]").click()
    until(chrome, f"document.documentElement.lang === '{language}'")


def language_of(chrome: "Chrome") -> str:
    found: str = chrome.execute_script("return document.documentElement.lang")
    return found


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (320, 640)], ids=["desktop", "phone", "narrow"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language_of_the_browser(
    chromium: "Chrome", language: str, size: tuple[int, int], table: WatchedServer
) -> None:
    texts = Texts(language)
    with tab(chromium, size, calm=True) as chrome:
        prefer(chrome, f"{language}-XX,en")
        open_table(chrome, table)
        assert language_of(chrome) == language
        assert at(chrome, "#play").text == texts.get("play.choose_card")
        progress = texts.get("table.progress", round=1, rounds=3, turn=1, turns=6)
        assert at(chrome, "#progress").text == progress
        assert texts.get("table.you") in at(chrome, "#own-tableau h2").text
        open_new_game(chrome)
        assert at(chrome, "#game-dialog .main").text == texts.get("play.deal")
        check_no_errors(table, chrome)


def test_the_switch_overrides_the_browser_and_is_kept(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        prefer(chrome, "fr")
        open_table(chrome, table)
        with choosing(chrome):
            at(chrome, "#settings").click()
            switch(chrome, "it")
            until(chrome, READY)
            assert at(chrome, "#play").text == Texts("it").get("play.choose_card")
            table.manager.play(table.manager._turn_id(), table.session.game.hand(0)[0])
            keys(chrome, "1", "\ue007")
            until(chrome, "document.querySelector('#error').textContent")
            assert at(chrome, "#error").text == Texts("it").get("error.outdated")


def reach(chrome: "Chrome", language: str) -> None:
    """Moves through the closed switch by its arrow keys, which change nothing yet."""
    from selenium.webdriver import Keys  # noqa: PLC0415

    chrome.execute_script("document.querySelector('.language').focus()")
    shown = LANGUAGES.index(language_of(chrome))
    keys(chrome, *[Keys.ARROW_DOWN] * (LANGUAGES.index(language) - shown))
    focused = chrome.switch_to.active_element
    assert focused.get_attribute("class") == at(chrome, ".language").get_attribute("class")
    assert focused.get_property("value") == language and language_of(chrome) == LANGUAGES[shown]


def test_keys_choose_a_language_without_leaving_the_dialog(
    chromium: "Chrome", table: WatchedServer
) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    with tab(chromium, DESKTOP, calm=True) as chrome:
        prefer(chrome, "en")
        open_table(chrome, table)
        with choosing(chrome):
            keys(chrome, "o")
            reach(chrome, "fr")
            keys(chrome, Keys.TAB)
            assert count(chrome, "#settings-dialog[open] :focus") == 1
            keys(chrome, Keys.ESCAPE)
            until(chrome, f"document.documentElement.lang === 'fr' && {READY}")
            keys(chrome, "o")
            reach(chrome, "it")
            keys(chrome, Keys.ENTER)
            until(chrome, f"document.documentElement.lang === 'it' && {READY}")
            check_no_errors(table, chrome)


def test_the_page_of_a_record_has_all_languages(chromium: "Chrome", tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(replay_page(scripted(5).record()), encoding="utf-8")
    with tab(chromium, PHONE, calm=True) as chrome:
        prefer(chrome, "de-AT,es")
        chrome.get(page.as_uri())
        with choosing(chrome):
            assert language_of(chrome) == "es"
            assert chrome.title == Texts("es").get("replay.title")
            assert at(chrome, ".panel h2").text == Texts("es").get("table.player", number=0)
            switch(chrome, "fr")
            assert chrome.title == Texts("fr").get("replay.title")
            assert at(chrome, "#next").get_attribute("aria-label") == Texts("fr").get("replay.next")
            reach(chrome, "it")
            keys(chrome, "\ue004")  # Tab
            until(chrome, "document.documentElement.lang === 'it'")
            assert fits(chrome)
            assert browser_errors(chrome) == []
