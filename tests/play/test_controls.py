"""The hand, buttons and keys of the page in a real browser: guards, looks, and a reload."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.page import check_no_errors, no_disabled_button_shows
from tests.play.tables import WatchedServer, ask, play_body, served
from tests.play.test_session import hint_of
from tools.browser import DESKTOP, NEW_GAME, PHONE, READY, REVEALED, Keys, Page, tab

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


def look(page: Page, selector: str) -> dict[str, Any]:
    found: dict[str, Any] = page.script(LOOK, selector)
    return found


def card(number: int) -> str:
    return f"#cards [data-card='{number}']"


def test_a_double_click_chooses_and_plays_nothing(chromium: "Chrome", table: WatchedServer) -> None:
    from selenium.webdriver import ActionChains  # noqa: PLC0415

    first, second = table.session.game.hand(0)[:2]
    with tab(chromium, DESKTOP, calm=True) as page:
        page.open_table(table)
        ActionChains(page.chrome, 0).double_click(page.at(card(first))).perform()
        assert page.at(CHOSEN).get_attribute("data-card") == str(first)
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        page.tap(card(second))
        page.tap(card(second))
        assert page.at(CHOSEN).get_attribute("data-card") == str(second)
        assert table.session.turns_played == 0
        # A click that comes later plays.
        now = "const now = performance.now(); performance.now = () => now - 10000;"
        page.script(now)
        page.keys("1")
        page.click(card(first))
        page.until(REVEALED)
        page.until(READY)
        assert table.session.game.plays[0][0] == first
        check_no_errors(table, page)


def test_the_focus_the_chosen_card_and_the_advice_look_different(
    page: Page, table: WatchedServer
) -> None:
    advised = hint_of(table.session).card
    plain = next(each for each in table.session.game.hand(0)[1:] if each != advised)
    off = look(page, "#hint")["toggled"]
    page.keys("h")
    page.until("document.querySelector('.hinted')")
    assert look(page, "#hint")["toggled"] != off, "a switched button is filled"
    rest = look(page, card(plain))
    assert rest["focus"] == rest["advised"] == "none"
    only_advised = look(page, card(advised))
    assert only_advised["advised"] == "dashed"
    assert [only_advised[name] for name in ("focus", "chosen")] == [
        rest[name] for name in ("focus", "chosen")
    ]

    while page.at(CHOSEN if page.count(CHOSEN) else "body").get_attribute("data-card") != str(
        advised
    ):
        page.keys(Keys.ARROW_RIGHT)
    all_three = look(page, card(advised))
    assert all_three["focus"] == "3px" and all_three["advised"] == "dashed"
    assert all_three["chosen"] != rest["chosen"]
    page.click("#scores")  # takes nothing: it is disabled
    page.keys(Keys.TAB)
    assert look(page, card(advised)) == {**all_three, "focus": "none"}
    page.at("#known-hands").send_keys(Keys.SPACE)
    assert look(page, "#known-hands")["focus"] == "3px"
    assert look(page, "#known-hands")["toggled"] == off


def test_single_letters_can_be_switched_off(page: Page) -> None:
    switch = "#single-keys"
    try:
        page.keys("o")
        page.click(switch)
        page.keys(Keys.ESCAPE)
        for _ in range(2):  # the second time after a reload
            page.until(READY)
            page.keys("g", "k", "h", "s", "o", "2", Keys.ENTER)
            assert page.count("dialog[open]") == page.count(CHOSEN) == 0
            assert page.is_pressed("#known-hands")
            assert page.at("#game").get_attribute("aria-keyshortcuts") is None
            assert not page.at("#cards kbd").is_displayed()
            page.reload()
        page.keys(Keys.ARROW_RIGHT)
        assert page.count(CHOSEN) == 1, "arrow keys and Enter stay"
        page.click("#settings")
        page.until(SETTINGS_OPEN)
        page.click(switch)
        page.keys(Keys.ESCAPE)
        page.until(READY)
        page.keys("k")
        assert not page.is_pressed("#known-hands")
    finally:
        page.chrome.delete_all_cookies()


def test_settings_are_kept_for_all_games(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, DESKTOP, calm=True) as page:
        page.open_table(table)
        page.keys("o")
        page.until(SETTINGS_OPEN)
        assert page.at("#reduced-motion").is_displayed()
        for selector in ("#speed option[value=fast]", "#always-hints", "#guide"):
            page.click(selector)
        page.click("#settings-dialog .main")
        page.until("document.querySelector('.hinted')")
        assert page.is_pressed("#hint")
        check_no_errors(table, page)
        kept = page.chrome.get_cookies()
    # Another tab has the cookies of the computer, and no memory of the first.
    with tab(chromium, DESKTOP) as page:
        page.open(f"{table.url}icon.svg")
        assert page.chrome.get_cookies() == []
        for cookie in kept:
            page.chrome.add_cookie(cookie)
        page.open_table(table)
        page.until("document.querySelector('.hinted')")
        page.keys("o")
        assert not page.at("#reduced-motion").is_displayed()
        assert page.at("#always-hints").is_selected() and not page.at("#guide").is_selected()
        assert page.at("#speed").get_property("value") == "fast"


def test_hints_that_are_off_in_one_game_are_on_in_the_next(
    page: Page, table: WatchedServer
) -> None:
    """If the person wants them in every game, and in no other case."""
    pressed = "document.querySelector('#hint').getAttribute('aria-pressed')"
    assert page.value(pressed) == "false"
    for wanted in (True, False):
        page.keys("o")
        page.until(SETTINGS_OPEN)
        page.click("#always-hints")
        page.keys(Keys.ESCAPE)
        page.until(f"{READY} && {pressed} === '{str(wanted).lower()}'")
        if wanted:
            page.keys("h")
        page.until(f"{READY} && {pressed} === 'false'")
        page.reload(f"{READY} && {pressed} === 'false'")
        game = ask(table, "/state")[1]["game_id"]
        page.open_dialog("g")
        page.click("#game-dialog .main")
        page.until(f"!{NEW_GAME} && {READY}")
        assert ask(table, "/state")[1]["game_id"] != game
        assert page.value(pressed) == str(wanted).lower()
        assert page.count("#hint-text:not(:empty)") == wanted
    check_no_errors(table, page)


def test_a_reload_keeps_what_the_person_saw(chromium: "Chrome", table: WatchedServer) -> None:
    for _ in range(5):
        ask(table, "/play", play_body(table))
    with tab(chromium, DESKTOP, calm=True) as page:
        page.open_table(table)
        page.keys("h", "2")
        chosen = page.at(CHOSEN).get_attribute("data-card")
        page.reload(f"document.querySelector('.hinted') && {READY}")
        assert page.at(CHOSEN).get_attribute("data-card") == chosen
        assert page.is_pressed("#hint")
        page.keys(Keys.ENTER)
        page.until("document.querySelector('#scores-dialog').open")
        assert no_disabled_button_shows(page)
        title = page.text("#scores-title")
        page.reload("document.querySelector('#scores-dialog').open")
        assert page.text("#scores-title") == title == "Round 1 is over"
        assert no_disabled_button_shows(page)
        page.click("#scores-close")
        page.until(READY)
        assert page.count(CHOSEN) == 0, "that card is played"
        page.reload()
        assert page.count("dialog[open]") == 0
        check_no_errors(table, page)


def test_a_whole_game_by_touch(chromium: "Chrome", tmp_path: Path) -> None:
    session = Session(PlaySettings(7, 3, opponents=("greedy", "lowest")))
    with served(session, tmp_path) as server, tab(chromium, PHONE, calm=True) as page:
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        page.open_table(server)
        for turn in range(session.settings.config.num_turns):
            hand = session.game.hand(0)
            number = hand[turn % len(hand)]
            page.tap(card(number))
            assert page.text("#play") == f"Play {number}"
            page.tap("#play")
            page.until("document.body.classList.contains('revealing') || " + REVEALED)
            page.script("document.querySelector('#table').click()")
            page.until(REVEALED)
            assert session.game.plays[-1][0] == number
            if page.count("#scores-dialog[open]"):
                page.tap("#scores-close")
            page.until("!document.body.classList.contains('busy')")
        assert session.game.over and page.at("#end-title").is_displayed()
        page.tap("#end-game")
        page.until(NEW_GAME)
        page.tap("#game-dialog .main")
        page.until(READY)
        assert server.session.turns_played == 0
        check_no_errors(server, page)
