"""What tests do with a page, and what they read in it."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tools.browser import IDLE, READY, TIMEOUT

expect.set_options(timeout=1000 * TIMEOUT)
DIALOG = "dialog[open]"
HOLDING = "body.holding"
HINTED = ".hinted"


def there(page: Page, selector: str) -> None:
    """Waits until a selector finds an element."""
    expect(page.locator(selector).first).to_be_attached()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def go_on(page: Page) -> None:
    """Goes on from the result of a turn and from scores, until the table waits."""
    while not page.locator(IDLE).count():
        there(page, f"{HOLDING}, {DIALOG}, {IDLE}")
        if page.locator(f"{HOLDING}, {DIALOG}").count():
            page.click("#scores-close" if page.locator(DIALOG).count() else "#continue")


def open_dialog(page: Page, key: str) -> None:
    """By its key, such as the new-game screen by "g"."""
    there(page, IDLE)
    press(page, key)
    there(page, DIALOG)


def close_dialog(page: Page) -> None:
    press(page, "Escape")
    there(page, READY)


def cards(page: Page, selector: str) -> list[int]:
    """The numbers of the cards that a selector finds."""
    numbers = "all => all.map(each => Number(each.dataset.card ?? 0))"
    found: list[int] = page.locator(selector).evaluate_all(numbers)
    return found


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    wide = "all => all.every(each => each.scrollWidth <= each.clientWidth)"
    return bool(page.locator("html, dialog[open]").evaluate_all(wide))


def violations(page: Page) -> list[Any]:
    """The rules of axe-core that the page breaks, or the dialog over it."""
    found = Axe().run(page, DIALOG if page.locator(DIALOG).count() else None).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]
