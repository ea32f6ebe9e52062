"""The screenshot of ``mindup play`` in the documentation: the second round, with a hint.

``make pictures`` takes it again, after a change of the page; it needs Chromium.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.play.browser import DESKTOP, started, tab
from tests.processes import at_work

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PATH = Path(__file__).parent.parent / "docs" / "images" / "play.png"
COMMAND = "play --seed 7 --opponents greedy,planner,predictor --hints predictor --no-browser"
TURNS_PLAYED = 10
TIMEOUT = 120  # seconds, for one turn: the first use compiles the bots

HINTED = "document.querySelector('#cards .hinted')"
NEXT_TURN = "!document.body.classList.contains('busy') && document.querySelector('#cards button')"
DIALOG = "document.querySelector('dialog[open]')"


def take_screenshot(address: str) -> None:
    with started() as browser, tab(browser, DESKTOP, calm=True) as chrome:
        chrome.get(address)
        _wait(chrome, NEXT_TURN)
        chrome.find_element("id", "hint").click()
        for _ in range(TURNS_PLAYED):
            _play_hinted_card(chrome)
        _wait(chrome, HINTED)
        PATH.parent.mkdir(exist_ok=True)
        chrome.save_screenshot(str(PATH))


def _play_hinted_card(chrome: "Chrome") -> None:
    _wait(chrome, HINTED)
    chrome.execute_script(f"{HINTED}.click()")
    chrome.find_element("id", "play").click()
    _wait(chrome, f"({NEXT_TURN}) || {DIALOG}")
    chrome.execute_script(f"{DIALOG}?.close()")  # the scores, at the end of a round
    _wait(chrome, NEXT_TURN)


def _wait(chrome: "Chrome", condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415  # loaded on use

    WebDriverWait(chrome, TIMEOUT).until(lambda _: chrome.execute_script(f"return {condition}"))


def main() -> None:
    with (
        TemporaryDirectory() as folder,
        at_work(*COMMAND.split(), "--data", folder) as process,
    ):
        (address,) = re.findall(r"http://\S+", next(iter(process.stdout or ())))
        take_screenshot(address)


if __name__ == "__main__":
    main()
