"""A headless Chromium, and its logs of what a page did."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Never

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_BROWSERS = "chromium", "chromium-browser", "google-chrome"
NEEDED = "MINDUP_NEEDS_BROWSER"
"""Where this variable is set, tests of pages fail instead of being skipped."""
DESKTOP, PHONE = (1280, 800), (390, 844)
SIZES = (1440, 900), (1280, 720), (820, 1180), PHONE
"""Those that a layout is looked at in: desktop, laptop, tablet, phone."""
_NO_WAITING = """
if (location.protocol === "http:" && !document.cookie.includes("mindup-speed=")) {
  document.cookie = "mindup-speed=none; path=/";
}
"""


def _browser_or_skip() -> tuple[str, str]:
    """Paths of the browser and its driver."""
    try:
        import selenium  # noqa: F401, PLC0415
    except ImportError:
        _missing("selenium is not installed")
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        _missing("no browser: apt-get install chromium chromium-driver")
    return browser, driver


def _missing(reason: str) -> Never:
    if os.environ.get(NEEDED):
        pytest.fail(f"{reason}, and {NEEDED} is set")
    pytest.skip(reason)


@contextmanager
def started() -> Iterator["Chrome"]:
    browser, driver = _browser_or_skip()
    from selenium import webdriver  # noqa: PLC0415  # only where it is installed

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    chrome = webdriver.Chrome(options, webdriver.ChromeService(driver))
    try:
        yield chrome
    finally:
        chrome.quit()


@contextmanager
def tab(
    chrome: "Chrome",
    size: tuple[int, int],
    *,
    calm: bool = False,
    dark: bool = False,
    holds: bool = False,
) -> Iterator["Chrome"]:
    """A new tab of that size, with its own emulation and without the cookies of others.

    ``calm`` is reduced motion; only if it ``holds``, the result of each turn stays until the person
    goes on.
    """
    first = chrome.current_window_handle
    chrome.switch_to.new_window("tab")
    try:
        chrome.execute_cdp_cmd("Page.bringToFront", {})  # only then the document has the focus
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1}
        chrome.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {**metrics, "mobile": width < 600}
        )
        preferences = {
            "prefers-reduced-motion": "reduce" if calm else "no-preference",
            "prefers-color-scheme": "dark" if dark else "light",
        }
        features = [{"name": name, "value": value} for name, value in preferences.items()]
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
        if calm and not holds:
            script = {"source": _NO_WAITING}
            chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
        for kind in ("browser", "performance"):
            _log(chrome, kind)  # drops the entries of earlier tabs
        yield chrome
    finally:
        chrome.close()
        chrome.switch_to.window(first)


def browser_errors(chrome: "Chrome") -> list[str]:
    """Errors on the console, violations of the content security policy included."""
    return [entry["message"] for entry in _log(chrome, "browser")]


def requested(chrome: "Chrome") -> set[str]:
    """Every URL requested since the log was last read."""
    messages = [json.loads(entry["message"])["message"] for entry in _log(chrome, "performance")]
    return {
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    }


def _log(chrome: "Chrome", kind: str) -> list[dict[str, Any]]:
    """The entries since the log was last read."""
    entries: list[dict[str, Any]] = chrome.get_log(kind)  # type: ignore[no-untyped-call]
    return entries


def roles(chrome: "Chrome") -> list[tuple[str, str]]:
    """Role and name of every element for a screen reader."""
    nodes: list[dict[str, Any]] = chrome.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]
