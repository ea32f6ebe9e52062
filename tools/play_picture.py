"""The screenshot of ``mindup play`` in the documentation, in its second round and with a hint.

``python -m tools.play_picture`` takes it again, after a change of the page; it needs Chromium.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.play.browser import DESKTOP, opened
from tests.processes import at_work

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PATH = Path(__file__).parent.parent / "docs" / "images" / "play.png"
GAME = "play --seed 7 --opponents greedy,planner,predictor --hints predictor".split()
TURNS = 10
SECONDS = 120  # for a page to arrive or a turn to pass: bots may have to be compiled

_TURN_BEGINS = "!document.body.classList.contains('busy') && document.querySelector('#cards button')"
_ADVISED = "document.querySelector('#cards .advised')"


def take_picture(url: str) -> None:
    with opened(DESKTOP, calm=True) as chrome:
        chrome.get(url)
        _wait(chrome, _TURN_BEGINS)
        chrome.find_element("id", "hint").click()
        for _ in range(TURNS):
            _play_advised_card(chrome)
        _wait(chrome, _ADVISED)
        PATH.parent.mkdir(exist_ok=True)
        chrome.save_screenshot(str(PATH))


def _play_advised_card(chrome: "Chrome") -> None:
    _wait(chrome, _ADVISED)
    chrome.execute_script(f"{_ADVISED}.click()")
    chrome.find_element("id", "play").click()
    _wait(chrome, f"({_TURN_BEGINS}) || document.querySelector('dialog[open]')")
    chrome.execute_script("document.querySelector('dialog[open]')?.close()")
    _wait(chrome, _TURN_BEGINS)


def _wait(chrome: "Chrome", condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415  # an extra

    WebDriverWait(chrome, SECONDS).until(lambda _: chrome.execute_script(f"return {condition}"))


if __name__ == "__main__":
    with TemporaryDirectory() as folder, at_work(*GAME, "--no-browser", "--data", folder) as process:
        assert process.stdout
        (address,) = re.findall(r"http://\S+", process.stdout.readline())
        take_picture(address)
