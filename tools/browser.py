"""A headless Chromium for pictures and tests of the pages: it opens them and uses them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common import keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from mindup_play.server import Server

Keys = keys.Keys
_BROWSERS = "chromium", "chromium-browser", "google-chrome"
Size = tuple[int, int]
DESKTOP, PHONE = (1280, 800), (390, 844)
SIZES = (1440, 900), (1280, 720), (820, 1180), PHONE
"""Those that a layout is looked at in: desktop, laptop, tablet, phone."""
TIMEOUT = 300
"""Seconds for a turn or a review on a busy machine, where the first use compiles the rules."""
READY = "!document.body.classList.contains('busy') && document.querySelector('#cards button')"
IDLE = "!document.body.classList.contains('busy')"
DIALOG = "document.querySelector('dialog[open]')"
SHOWN = f"{IDLE} && document.querySelector('.row')"
REVEALED = f"{IDLE} || {DIALOG}"
NEW_GAME = "document.querySelector('#game-dialog').open"
HOLDING = "document.body.classList.contains('holding')"
REVEALING = "document.body.classList.contains('revealing')"
_NO_WAITING = """
if (location.protocol === "http:" && !document.cookie.includes("mindup-speed=")) {
  document.cookie = "mindup-speed=none; path=/";
}
"""


class HasUrl(Protocol):
    """A server, or what it serves."""

    @property
    def url(self) -> str: ...


class NoBrowserError(RuntimeError):
    """There is no browser on this machine."""


@contextmanager
def started() -> Iterator[Chrome]:
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        raise NoBrowserError("no browser: apt-get install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = Chrome(options, ChromeService(driver))
    try:
        yield chrome
    finally:
        chrome.quit()


@contextmanager
def tab(
    chrome: Chrome, size: Size, *, calm: bool = False, dark: bool = False, holds: bool = False
) -> Iterator["Page"]:
    """A new tab of that size, with its own emulation and without what others keep.

    ``calm`` is reduced motion; only if it ``holds``, the result of each turn stays until the person
    goes on.
    """
    first = chrome.current_window_handle
    chrome.switch_to.new_window("tab")
    page = Page(chrome)
    try:
        page.command("Page.bringToFront")  # only then the document has the focus
        page.resize(size)
        preferences = {
            "prefers-reduced-motion": "reduce" if calm else "no-preference",
            "prefers-color-scheme": "dark" if dark else "light",
        }
        features = [{"name": name, "value": value} for name, value in preferences.items()]
        page.command("Emulation.setEmulatedMedia", features=features)
        page.command("Network.clearBrowserCookies")
        # All pages from files share a storage.
        page.command("Storage.clearDataForOrigin", origin="file://", storageTypes="local_storage")
        if calm and not holds:
            page.command("Page.addScriptToEvaluateOnNewDocument", source=_NO_WAITING)
        page.errors()  # drops the entries of earlier tabs
        yield page
    finally:
        chrome.close()
        chrome.switch_to.window(first)


class Page:
    """What a person sees and does in a tab, and the logs of the browser about it."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

    def command(self, name: str, **arguments: Any) -> Any:
        """A command of the protocol of the browser's developer tools."""
        return self.chrome.execute_cdp_cmd(name, arguments)

    def resize(self, size: Size) -> None:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.command("Emulation.setDeviceMetricsOverride", **metrics, mobile=width < 600)

    def script(self, source: str, *arguments: Any) -> Any:
        return self.chrome.execute_script(source, *arguments)

    def value(self, expression: str) -> Any:
        return self.script(f"return {expression}")

    def until(self, condition: str) -> None:
        WebDriverWait(self.chrome, TIMEOUT, 0.05).until(lambda _: self.value(condition))

    def open(self, address: str, shown: str = "true") -> None:
        self.chrome.get(address)
        self.until(shown)

    def open_table(self, server: HasUrl) -> None:
        self.open(server.url, READY)

    def reload(self, shown: str = READY) -> None:
        self.chrome.refresh()
        self.until(shown)

    def save_picture(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.chrome.save_screenshot(str(path))

    # What is seen

    def at(self, selector: str) -> WebElement:
        return self.chrome.find_element("css selector", selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.chrome.find_elements("css selector", selector)

    def count(self, selector: str) -> int:
        return len(self.all(selector))

    def text(self, selector: str) -> str:
        """What a user can read in the element."""
        return str(self.at(selector).text)

    def texts(self, selector: str) -> list[str]:
        return [each.text for each in self.all(selector)]

    def content(self, selector: str) -> str:
        """The text of an element, hidden or not."""
        return str(self.at(selector).get_attribute("textContent"))

    def is_pressed(self, selector: str) -> bool:
        return self.at(selector).get_attribute("aria-pressed") == "true"

    def cards(self, selector: str) -> list[int]:
        """The numbers of the cards that a selector finds."""
        found: list[int] = self.script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((each) => Number(each.dataset.card ?? 0))",
            selector,
        )
        return found

    def fits(self) -> bool:
        """Whether nothing is wider than the screen. The document grows with its content."""
        wide = "each.scrollWidth <= each.clientWidth"
        elements = "[document.documentElement, ...document.querySelectorAll('dialog[open]')]"
        return bool(self.value(f"{elements}.every(each => {wide})"))

    # What is done

    def click(self, selector: str) -> None:
        try:
            self.at(selector).click()
        except StaleElementReferenceException:  # the page drew it again in between
            self.at(selector).click()

    def keys(self, *pressed: str) -> None:
        """Sends keys to the element with the focus."""
        ActionChains(self.chrome, 0).send_keys(*pressed).perform()

    def tap(self, selector: str) -> None:
        """Touches the middle of an element, and waits for the click that follows."""
        x, y = self.script(
            "arguments[0].scrollIntoView({block: 'nearest'});"
            "window.tapped = false;"
            "const onClick = () => { window.tapped = true; };"
            "addEventListener('click', onClick, {capture: true, once: true});"
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]",
            self.at(selector),
        )
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        self.until("window.tapped")

    def select(self, id_: str, value: str) -> None:
        """Chooses in a list, such as the speed: "wait" holds results, "none" shows no animation."""
        self.script(
            "const field = document.getElementById(arguments[0]);"
            "field.value = arguments[1]; field.dispatchEvent(new Event('change'))",
            id_,
            value,
        )

    def open_dialog(self, key: str) -> None:
        """Opens a dialog by its key, such as the new-game screen by "g"."""
        self.keys(key)
        self.until(DIALOG)

    # The logs

    def errors(self) -> list[str]:
        """Errors on the console since the last call, violations of the content policy included."""
        entries = self.chrome.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries]

    def requested(self) -> set[str]:
        """Every URL that was requested for this page and by it."""
        kinds = "['navigation', 'resource'].flatMap(each => performance.getEntriesByType(each))"
        return set(self.value(f"{kinds}.map(each => each.name)"))


@contextmanager
def serving(server: Server) -> Iterator[None]:
    """Answers requests in a thread."""
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
