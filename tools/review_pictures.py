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

from mindup_agents.review import review_game
from mindup_env import GameConfig
from mindup_play.records import games_of, replay_page
from mindup_play.review import page_data
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.watch.command import seat_names
from mindup_play.watch.tables import BOTS_ROUTES, BotsGames, BotsTable
from tools.browser import SIZES, Page, serving, started, tab

IMAGES = Path(__file__).parent.parent / "docs" / "images"
DESKTOP = 1440, 900
GAME = PlaySettings(5, opponents=("champion-1", "greedy", "planner"), hints="greedy")
WATCHED = "champion-2", "champion-1", "planner", "greedy"


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


def open_review(page: Page, address: str) -> None:
    """At the most expensive mistake of the person."""
    page.open(address, "document.querySelector('#luck')")
    page.select("whose", "0")
    page.script("document.querySelector('.jump').click()")


def open_watched(page: Page, address: str) -> None:
    page.open(f"{address}#9", "document.getElementById('turn').max === '21'")
    page.script("location.hash = '#0'; location.hash = '#9'")
    page.until("document.getElementById('turn').value === '9'")
    page.select("viewer", "0")
    page.until("document.querySelector('#forecast table')")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with TemporaryDirectory() as pages, watched_game() as watched, started() as browser:
        review = write_review(Path(pages))
        screens = {"review": (open_review, review), "watch": (open_watched, watched)}
        for name, (open_page, address) in screens.items():
            if folder is None:
                with tab(browser, DESKTOP, calm=True) as shown:
                    open_page(shown, address)
                    shown.save_picture(IMAGES / f"{name}.png")
                continue
            for size in SIZES:
                for dark in (False, True):
                    with tab(browser, size, calm=True, dark=dark) as shown:
                        open_page(shown, address)
                        shade = "-dark" if dark else ""
                        shown.save_picture(folder / f"{name}-{size[0]}{shade}.png")


if __name__ == "__main__":
    main()
