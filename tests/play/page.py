"""Driving the page of a person in a browser, and what is checked after it was used."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.play.browser import complaints, requested
from tests.play.tables import WatchedServer

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

PATIENCE = 60
"""Seconds for a turn, on a machine that has much else to do."""
READY = "!document.body.classList.contains('busy') && document.querySelector('#cards button')"
REVEALED = "!document.body.classList.contains('busy') || document.querySelector('dialog[open]')"
REVEALING = "document.body.classList.contains('revealing')"


def at(chrome: "Chrome", selector: str) -> "WebElement":
    found: WebElement = chrome.find_element("css selector", selector)
    return found


def count(chrome: "Chrome", selector: str) -> int:
    return len(chrome.find_elements("css selector", selector))


def until(chrome: "Chrome", condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415

    WebDriverWait(chrome, PATIENCE, 0.02).until(
        lambda _: chrome.execute_script(f"return {condition}")
    )


def skip_reveal(chrome: "Chrome", skip: Callable[[], object]) -> None:
    """Skips it as soon as it has begun, unless it is over by then."""
    until(chrome, f"{REVEALING} || {REVEALED}")
    if chrome.execute_script(f"return {REVEALING}"):
        skip()


def keys(chrome: "Chrome", *pressed: str) -> None:
    """To whatever has the focus."""
    from selenium.webdriver import ActionChains  # noqa: PLC0415

    ActionChains(chrome, 0).send_keys(*pressed).perform()


def open_page(chrome: "Chrome", server: WatchedServer) -> None:
    chrome.get(server.url)
    until(chrome, "document.querySelector('.row') && !document.body.classList.contains('busy')")


def open_table(chrome: "Chrome", server: WatchedServer) -> None:
    chrome.get(server.url)
    until(chrome, READY)


def check_quiet(server: WatchedServer, chrome: "Chrome") -> None:
    """No complaint, no fault, no other host, and nothing wider than the screen."""
    assert complaints(chrome) == [] and server.faults == []
    asked = requested(chrome)
    assert asked and all(url.startswith(server.url) for url in asked)
    assert fits(chrome)


def fits(chrome: "Chrome") -> bool:
    """Whether nothing is wider than the screen; its own width would grow with what is on it."""
    wide = "each.scrollWidth <= each.clientWidth"
    elements = "[document.documentElement, ...document.querySelectorAll('dialog[open]')]"
    return bool(chrome.execute_script(f"return {elements}.every(each => {wide})"))
