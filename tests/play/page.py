"""What tests do with a page, and what they read in it. They wait for states, named by selectors."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

from tools.browser import READY

DIALOG = "dialog[open]"
HOLDING = "body.holding"
HINTED = ".hinted"
CHOSEN = "#cards [aria-checked=true]"


def until(page: Page, selector: str) -> None:
    page.wait_for_selector(selector, state="attached")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def reload(page: Page, selector: str = READY) -> None:
    page.reload()
    until(page, selector)


def open_dialog(page: Page, key: str) -> None:
    """By its key, such as the new-game screen by "g"."""
    press(page, key)
    until(page, DIALOG)


def close_dialog(page: Page, key: str = "Escape") -> None:
    press(page, key)
    until(page, READY)


def cards(page: Page, selector: str) -> list[int]:
    """The numbers of the cards that a selector finds."""
    numbers = "all => all.map(each => Number(each.dataset.card ?? 0))"
    found: list[int] = page.locator(selector).evaluate_all(numbers)
    return found


def texts(page: Page, selector: str) -> list[str]:
    return page.locator(selector).all_inner_texts()


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen. The document grows with its content."""
    return bool(
        page.locator("html, dialog[open]").evaluate_all(
            "all => all.every(each => each.scrollWidth <= each.clientWidth)"
        )
    )


def violations(page: Page) -> list[Any]:
    """The rules of axe-core that the page breaks now. A dialog is all that can be used."""
    context = DIALOG if page.locator(DIALOG).count() else None
    found = Axe().run(page, context=context).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]
