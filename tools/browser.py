"""A headless Chromium for pictures and tests of the pages."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from mindup_play.server import Server

_BROWSERS = "chromium", "chromium-browser", "google-chrome"
Size = tuple[int, int]
DESKTOP = 1280, 800
PHONE = 390, 844
SIZES = (1440, 900), (1280, 720), (820, 1180), PHONE
"""Those that a layout is looked at in: desktop, laptop, tablet, phone."""
TIMEOUT = 300
"""Seconds for a turn or a review on a busy machine, where the first use compiles the rules."""
IDLE = "body:not(.busy) .panel"
READY = "body:not(.busy):not(:has(dialog[open])) #cards input"
"""Selectors of pages with a table, on which a card can be chosen."""
_EXPECTED = "status of 4(09|22)|ERR_INTERNET_DISCONNECTED"
"""Messages of the browser on requests that were refused, which the page shows."""


class NoBrowserError(RuntimeError):
    """There is no browser on this machine."""


@contextmanager
def started() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        raise NoBrowserError("no browser: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def tab(
    browser: Browser,
    size: Size,
    *,
    speed: str | None = "none",
    motion: bool = False,
    dark: bool = False,
    forced: bool = False,
    touch: bool = False,
) -> Iterator[Page]:
    """A new page, with cookies of its own; it asks no other host, and has no error.

    ``speed`` is the chosen one, or None for the default.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        is_mobile=width < 600,
        has_touch=touch,
        reduced_motion="no-preference" if motion else "reduce",
        color_scheme="dark" if dark else "light",
        forced_colors="active" if forced else "none",
    )
    context.set_default_timeout(1000 * TIMEOUT)
    if speed is not None:
        cookie = {"name": "mindup-speed", "value": speed, "url": "http://127.0.0.1"}
        context.add_cookies([cookie])  # type: ignore[list-item]  # a TypedDict
    page = context.new_page()
    problems: list[str] = []

    def check_message(message: ConsoleMessage) -> None:
        if message.type == "error" and not re.search(_EXPECTED, message.text):
            problems.append(message.text)

    def check_request(request: Request) -> None:
        if "//127.0.0.1:" not in request.url:
            problems.append(request.url)

    page.on("console", check_message)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", check_request)
    try:
        yield page
    finally:
        context.close()
    if problems:
        raise AssertionError(problems)


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
