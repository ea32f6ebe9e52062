"""What tests do with a page, and what they read in it."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tools.browser import IDLE, READY, TIMEOUT

expect.set_options(timeout=1000 * TIMEOUT)
DIALOG = "dialog[open]"
HOLDING = "body.holding"
HINTED = ".hinted"
PROBLEMS = """() => [
  ...[...document.querySelectorAll("html, dialog[open]")].filter((each) => (
    each.scrollWidth > each.clientWidth)).map((each) => `too wide: ${each.tagName}`),
  ...[...document.querySelectorAll("body *")].filter((each) => (
    each.checkVisibility({ visibilityProperty: true })
    && [...each.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim())
    && parseFloat(getComputedStyle(each).fontSize) < 11
  )).map((each) => `too small: ${each.textContent}`),
]"""


def there(page: Page, selector: str) -> None:
    """Waits until a selector finds an element."""
    expect(page.locator(selector).first).to_be_attached()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


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


def problems(page: Page) -> list[Any]:
    """What axe-core finds, too small texts, and what is wider than the screen."""
    context = DIALOG if page.locator(DIALOG).count() else None  # nothing under it can be used
    found = Axe().run(page, context=context).response["violations"]
    broken = [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]
    return [*broken, *page.evaluate(PROBLEMS)]
