"""Driving the playable page in a browser, and checks after its use."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.play.browser import browser_errors, requested
from tests.play.tables import WatchedServer

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

TIMEOUT = 120
"""Seconds for a turn or a review on a busy machine, where the first use compiles the rules."""
READY = "!document.body.classList.contains('busy') && document.querySelector('#cards button')"
REVEALED = "!document.body.classList.contains('busy') || document.querySelector('dialog[open]')"
NEW_GAME = "document.querySelector('#game-dialog').open"
HOLDING = "document.body.classList.contains('holding')"
REVEALING = "document.body.classList.contains('revealing')"


def at(chrome: "Chrome", selector: str) -> "WebElement":
    found: WebElement = chrome.find_element("css selector", selector)
    return found


def count(chrome: "Chrome", selector: str) -> int:
    return len(chrome.find_elements("css selector", selector))


def texts(chrome: "Chrome", selector: str) -> list[str]:
    """What a user can read in each of these elements."""
    return [each.text for each in chrome.find_elements("css selector", selector)]


def until(chrome: "Chrome", condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415

    WebDriverWait(chrome, TIMEOUT, 0.02).until(
        lambda _: chrome.execute_script(f"return {condition}")
    )


def skip_reveal(chrome: "Chrome", skip: Callable[[], object]) -> None:
    """Skips the reveal when it starts, unless it has ended by then."""
    until(chrome, f"{REVEALING} || {REVEALED}")
    if chrome.execute_script(f"return {REVEALING}"):
        skip()


def keys(chrome: "Chrome", *pressed: str) -> None:
    """Sends keys to the element with the focus."""
    from selenium.webdriver import ActionChains  # noqa: PLC0415

    ActionChains(chrome, 0).send_keys(*pressed).perform()


def choose_speed(chrome: "Chrome", speed: str) -> None:
    """Chooses how fast turns are shown; "wait" holds their results, "none" shows no animation."""
    chrome.execute_script(
        f"const speed = document.querySelector('#speed'); speed.value = '{speed}';"
        "speed.dispatchEvent(new Event('change'))"
    )


def open_new_game(chrome: "Chrome") -> None:
    """Opens the new-game screen by its key."""
    keys(chrome, "g")
    until(chrome, NEW_GAME)


def tap(chrome: "Chrome", selector: str) -> None:
    """Touches the middle of an element."""
    box = "arguments[0].getBoundingClientRect()"
    element = at(chrome, selector)
    chrome.execute_script("arguments[0].scrollIntoView({block: 'nearest'})", element)
    x, y = chrome.execute_script(
        f"const box = {box}; return [box.x + box.width / 2, box.y + box.height / 2]", element
    )
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        chrome.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def no_disabled_button_shows(chrome: "Chrome") -> bool:
    buttons = "[...document.querySelectorAll('button:disabled')]"
    hidden = "getComputedStyle(each).visibility === 'hidden' || each.offsetParent === null"
    return bool(chrome.execute_script(f"return {buttons}.every(each => {hidden})"))


def open_page(chrome: "Chrome", server: WatchedServer) -> None:
    chrome.get(server.url)
    until(chrome, "document.querySelector('.row') && !document.body.classList.contains('busy')")


def open_table(chrome: "Chrome", server: WatchedServer) -> None:
    chrome.get(server.url)
    until(chrome, READY)


def check_no_errors(server: WatchedServer, chrome: "Chrome") -> None:
    """No error in page or server, no other host requested, nothing wider than the screen."""
    assert browser_errors(chrome) == []
    assert server.exceptions == []
    asked = requested(chrome)
    assert asked and all(url.startswith(server.url) for url in asked)
    assert fits(chrome)


def fits(chrome: "Chrome") -> bool:
    """Whether nothing is wider than the screen. The document grows with its content."""
    wide = "each.scrollWidth <= each.clientWidth"
    elements = "[document.documentElement, ...document.querySelectorAll('dialog[open]')]"
    return bool(chrome.execute_script(f"return {elements}.every(each => {wide})"))
