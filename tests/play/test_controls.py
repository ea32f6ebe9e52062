"""The hand, buttons and keys of the page in a real browser: guards, looks, and a reload."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.browser import DESKTOP, PHONE, tab
from tests.play.page import (
    NEW_GAME,
    READY,
    REVEALED,
    at,
    check_no_errors,
    count,
    keys,
    no_disabled_button_shows,
    open_new_game,
    open_table,
    tap,
    until,
)
from tests.play.tables import WatchedServer, ask, play_body, served
from tests.play.test_session import hint_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CHOSEN = "#cards [aria-checked=true]"
SETTINGS_OPEN = "document.querySelector('#settings-dialog').open"
LOOK = """
const element = document.querySelector(arguments[0]);
const style = (part) => getComputedStyle(element, part);
const [own, before] = [style(), style("::before")];
return {
  focus: own.outlineStyle === "none" ? "none" : own.outlineWidth,
  chosen: [own.boxShadow, own.translate],
  advised: before.content === "none" ? "none" : before.borderTopStyle,
  toggled: own.backgroundColor,
};
"""


def look(chrome: "Chrome", selector: str) -> dict[str, Any]:
    found: dict[str, Any] = chrome.execute_script(LOOK, selector)
    return found


def card(number: int) -> str:
    return f"#cards [data-card='{number}']"


def test_a_double_click_chooses_and_plays_nothing(chromium: "Chrome", table: WatchedServer) -> None:
    from selenium.webdriver import ActionChains  # noqa: PLC0415

    first, second = table.session.game.hand(0)[:2]
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        ActionChains(chrome, 0).double_click(at(chrome, card(first))).perform()
        assert at(chrome, CHOSEN).get_attribute("data-card") == str(first)
        chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        tap(chrome, card(second))
        tap(chrome, card(second))
        assert at(chrome, CHOSEN).get_attribute("data-card") == str(second)
        assert table.session.turns_played == 0
        # A click that comes later plays.
        now = "const now = performance.now(); performance.now = () => now - 10000;"
        chrome.execute_script(now)
        keys(chrome, "1")
        at(chrome, card(first)).click()
        until(chrome, REVEALED)
        until(chrome, READY)
        assert table.session.game.plays[0][0] == first
        check_no_errors(table, chrome)


def test_the_focus_the_chosen_card_and_the_advice_look_different(
    chromium: "Chrome", table: WatchedServer
) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    advised = hint_of(table.session).card
    plain = next(each for each in table.session.game.hand(0)[1:] if each != advised)
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        off = look(chrome, "#hint")["toggled"]
        keys(chrome, "h")
        until(chrome, "document.querySelector('.hinted')")
        assert look(chrome, "#hint")["toggled"] != off, "a switched button is filled"
        rest = look(chrome, card(plain))
        assert rest["focus"] == rest["advised"] == "none"
        only_advised = look(chrome, card(advised))
        assert only_advised["advised"] == "dashed"
        assert [only_advised[name] for name in ("focus", "chosen")] == [
            rest[name] for name in ("focus", "chosen")
        ]

        while at(chrome, CHOSEN if count(chrome, CHOSEN) else "body").get_attribute(
            "data-card"
        ) != str(advised):
            keys(chrome, Keys.ARROW_RIGHT)
        all_three = look(chrome, card(advised))
        assert all_three["focus"] == "3px" and all_three["advised"] == "dashed"
        assert all_three["chosen"] != rest["chosen"]
        at(chrome, "#scores").click()  # takes nothing: it is disabled
        keys(chrome, Keys.TAB)
        assert look(chrome, card(advised)) == {**all_three, "focus": "none"}
        at(chrome, "#known-hands").send_keys(Keys.SPACE)
        assert look(chrome, "#known-hands")["focus"] == "3px"
        assert look(chrome, "#known-hands")["toggled"] == off


def test_single_letters_can_be_switched_off(chromium: "Chrome", table: WatchedServer) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    switch = "#single-keys"
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        try:
            keys(chrome, "o")
            at(chrome, switch).click()
            keys(chrome, Keys.ESCAPE)
            for _ in range(2):  # the second time after a reload
                until(chrome, READY)
                keys(chrome, "g", "k", "h", "s", "o", "2", Keys.ENTER)
                assert count(chrome, "dialog[open]") == count(chrome, CHOSEN) == 0
                assert at(chrome, "#known-hands").get_attribute("aria-pressed") == "true"
                assert at(chrome, "#game").get_attribute("aria-keyshortcuts") is None
                assert not at(chrome, "#cards kbd").is_displayed()
                chrome.refresh()
            until(chrome, READY)
            keys(chrome, Keys.ARROW_RIGHT)
            assert count(chrome, CHOSEN) == 1, "arrow keys and Enter stay"
            at(chrome, "#settings").click()
            until(chrome, SETTINGS_OPEN)
            at(chrome, switch).click()
            keys(chrome, Keys.ESCAPE)
            until(chrome, READY)
            keys(chrome, "k")
            assert at(chrome, "#known-hands").get_attribute("aria-pressed") == "false"
        finally:
            chrome.delete_all_cookies()


def test_settings_are_kept_for_all_games(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        keys(chrome, "o")
        until(chrome, SETTINGS_OPEN)
        assert at(chrome, "#reduced-motion").is_displayed()
        for selector in ("#speed option[value=fast]", "#always-hints", "#guide"):
            at(chrome, selector).click()
        at(chrome, "#settings-dialog .main").click()
        until(chrome, "document.querySelector('.hinted')")
        assert at(chrome, "#hint").get_attribute("aria-pressed") == "true"
        check_no_errors(table, chrome)
        kept = chrome.get_cookies()
    # Another tab has the cookies of the computer, and no memory of the first.
    with tab(chromium, DESKTOP) as chrome:
        chrome.get(f"{table.url}icon.svg")
        assert chrome.get_cookies() == []
        for cookie in kept:
            chrome.add_cookie(cookie)
        open_table(chrome, table)
        until(chrome, "document.querySelector('.hinted')")
        keys(chrome, "o")
        assert not at(chrome, "#reduced-motion").is_displayed()
        assert at(chrome, "#always-hints").is_selected() and not at(chrome, "#guide").is_selected()
        assert at(chrome, "#speed").get_property("value") == "fast"


def test_hints_that_are_off_in_one_game_are_on_in_the_next(
    chromium: "Chrome", table: WatchedServer
) -> None:
    """If the person wants them in every game, and in no other case."""
    pressed = "document.querySelector('#hint').getAttribute('aria-pressed')"
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        assert chrome.execute_script(f"return {pressed}") == "false"
        for wanted in (True, False):
            keys(chrome, "o")
            until(chrome, SETTINGS_OPEN)
            at(chrome, "#always-hints").click()
            keys(chrome, "\ue00c")
            until(chrome, f"{READY} && {pressed} === '{str(wanted).lower()}'")
            if wanted:
                keys(chrome, "h")
            until(chrome, f"{READY} && {pressed} === 'false'")
            chrome.refresh()
            until(chrome, f"{READY} && {pressed} === 'false'")
            game = ask(table, "/state")[1]["game_id"]
            open_new_game(chrome)
            at(chrome, "#game-dialog .main").click()
            until(chrome, f"!{NEW_GAME} && {READY}")
            assert ask(table, "/state")[1]["game_id"] != game
            assert chrome.execute_script(f"return {pressed}") == str(wanted).lower()
            assert count(chrome, "#hint-text:not(:empty)") == wanted
        check_no_errors(table, chrome)


def test_a_reload_keeps_what_the_person_saw(chromium: "Chrome", table: WatchedServer) -> None:
    for _ in range(5):
        ask(table, "/play", play_body(table))
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        keys(chrome, "h", "2")
        chosen = at(chrome, CHOSEN).get_attribute("data-card")
        chrome.refresh()
        until(chrome, f"document.querySelector('.hinted') && {READY}")
        assert at(chrome, CHOSEN).get_attribute("data-card") == chosen
        assert at(chrome, "#hint").get_attribute("aria-pressed") == "true"
        keys(chrome, "\ue007")
        until(chrome, "document.querySelector('#scores-dialog').open")
        assert no_disabled_button_shows(chrome)
        title = at(chrome, "#scores-title").text
        chrome.refresh()
        until(chrome, "document.querySelector('#scores-dialog').open")
        assert at(chrome, "#scores-title").text == title == "Round 1 is over"
        assert no_disabled_button_shows(chrome)
        at(chrome, "#scores-close").click()
        until(chrome, READY)
        assert count(chrome, CHOSEN) == 0, "that card is played"
        chrome.refresh()
        until(chrome, READY)
        assert count(chrome, "dialog[open]") == 0
        check_no_errors(table, chrome)


def test_a_whole_game_by_touch(chromium: "Chrome", tmp_path: Path) -> None:
    session = Session(PlaySettings(7, 3, opponents=("greedy", "lowest")))
    with served(session, tmp_path) as server, tab(chromium, PHONE, calm=True) as chrome:
        chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        open_table(chrome, server)
        for turn in range(session.settings.config.num_turns):
            hand = session.game.hand(0)
            number = hand[turn % len(hand)]
            tap(chrome, card(number))
            assert at(chrome, "#play").text == f"Play {number}"
            tap(chrome, "#play")
            until(chrome, "document.body.classList.contains('revealing') || " + REVEALED)
            chrome.execute_script("document.querySelector('#table').click()")
            until(chrome, REVEALED)
            assert session.game.plays[-1][0] == number
            if count(chrome, "#scores-dialog[open]"):
                tap(chrome, "#scores-close")
            until(chrome, "!document.body.classList.contains('busy')")
        assert session.game.over and at(chrome, "#end-title").is_displayed()
        tap(chrome, "#end-game")
        until(chrome, NEW_GAME)
        tap(chrome, "#game-dialog .main")
        until(chrome, READY)
        assert server.session.turns_played == 0
        check_no_errors(server, chrome)
