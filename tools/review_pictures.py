"""The pictures of a review and of a watched game in the documentation.

``make pictures`` takes them again, after a change of the pages; it needs Chromium.
``python -m tools.review_pictures FOLDER`` takes both pages at four sizes, light and dark.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mindup_agents.review import review_game
from mindup_env import GameConfig
from mindup_play.records import games_of, replay_page
from mindup_play.review.command import page_data
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.watch.command import seat_names
from mindup_play.watch.routes import BOTS_ROUTES
from mindup_play.watch.tables import BotsGames, BotsTable
from tests.play.browser import SIZES, started, tab
from tests.play.tables import serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

IMAGES = Path(__file__).parent.parent / "docs" / "images"
DESKTOP = 1440, 900
GAME = PlaySettings(5, opponents=("champion-1", "greedy", "planner"), hints="greedy")
WATCHED = "champion-2", "champion-1", "planner", "greedy"
TIMEOUT = 300  # seconds: the first use of the bots takes a minute


def write_review(folder: Path) -> str:
    """A game in which the person follows the hints of greedy; the address of its review."""
    session = Session(GAME)
    while not session.game.over:
        hint = session.hint()
        assert hint is not None  # noqa: S101  # the settings name a bot for hints
        session.play(hint.result().card)
    record = json.loads(json.dumps(session.record()))
    review = review_game(games_of(record))
    page = folder / "review.html"
    page.write_text(replay_page(record, None, page_data(review, Path("game.json"))), "utf-8")
    return page.as_uri()


@contextmanager
def watched_game() -> Iterator[str]:
    """The address of games of bots."""
    config = GameConfig(num_objectives=1)
    games = BotsGames(partial(BotsTable, WATCHED, seat_names(WATCHED), config, warn=print), 7)
    with Server(games, routes=BOTS_ROUTES) as server, serving(server):
        yield f"{server.url}watch.html"


def open_review(chrome: "Chrome", address: str) -> None:
    """At the most expensive mistake of the person."""
    chrome.get(address)
    _wait(chrome, "document.querySelector('#luck')")
    chrome.execute_script(
        "const who = document.getElementById('whose'); who.value = '0';"
        "who.dispatchEvent(new Event('change')); document.querySelector('.jump').click()"
    )


def open_watched(chrome: "Chrome", address: str) -> None:
    chrome.get(f"{address}#9")
    _wait(chrome, "document.getElementById('turn').max === '21'")
    chrome.execute_script("location.hash = '#0'; location.hash = '#9'")
    _wait(chrome, "document.getElementById('turn').value === '9'")
    chrome.execute_script(
        "const who = document.getElementById('viewer'); who.value = '0';"
        "who.dispatchEvent(new Event('change'))"
    )
    _wait(chrome, "document.querySelector('#forecast table')")


def _wait(chrome: "Chrome", condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415  # loaded on use

    WebDriverWait(chrome, TIMEOUT).until(lambda _: chrome.execute_script(f"return {condition}"))


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with TemporaryDirectory() as pages, watched_game() as watched, started() as browser:
        review = write_review(Path(pages))
        screens = {"review": (open_review, review), "watch": (open_watched, watched)}
        for name, (open_page, address) in screens.items():
            if folder is None:
                with tab(browser, DESKTOP, calm=True) as chrome:
                    open_page(chrome, address)
                    chrome.save_screenshot(str(IMAGES / f"{name}.png"))
                continue
            folder.mkdir(parents=True, exist_ok=True)
            for size in SIZES:
                for dark in (False, True):
                    with tab(browser, size, calm=True, dark=dark) as chrome:
                        open_page(chrome, address)
                        shade = "-dark" if dark else ""
                        chrome.save_screenshot(str(folder / f"{name}-{size[0]}{shade}.png"))


if __name__ == "__main__":
    main()
