"""The rules of axe-core about accessibility, run in the page.

The package axe-playwright-python carries axe-core; only its file is used, with selenium's browser.
"""

from functools import cache
from importlib.resources import files
from typing import Any

from tools.browser import Page

_RUN = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then(
  ({ violations }) => done(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])),
  (error) => done([["error", [String(error)]]]),
);
"""


def violations(page: Page) -> list[Any]:
    """The rules that the page breaks now, each with the elements that break it."""
    if not page.value("'axe' in window"):
        page.script(_axe_core())
    found: list[Any] = page.chrome.execute_async_script(_RUN)
    return found


@cache
def _axe_core() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
