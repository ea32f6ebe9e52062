"""Screenshots of every screen and state of the playable page, to look at after a change.

``python -m tools.page_pictures FOLDER`` takes them at four sizes, with few and many players and
objectives; ``--sizes 390x844 --tables 6x5`` takes a part of them. It needs Chromium.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.browser import started, tab
from tests.play.page import READY, at, choose_speed, keys, open_page, open_table, skip_reveal, until
from tests.play.tables import WatchedServer, served

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SIZES = "1440x900", "1280x720", "820x1180", "390x844"
TABLES = "3x0", "3x5", "6x0", "6x5"
OPPONENTS = "greedy", "predictor"
ENTER = "\ue007"
LANDED = "document.querySelectorAll('.landed').length"
DIALOG = "document.querySelector('dialog[open]')"

Take = Callable[[str], None]


def pictures(chrome: "Chrome", server: WatchedServer, take: Take) -> None:
    """All states of one game, from the first choice to the end."""
    open_table(chrome, server)
    choose_speed(chrome, "slow")
    take("round-1")
    for name in _reveal(chrome, server.session.settings.players):
        take(name)
    _learn(chrome, take)
    for round_, turns in ((1, 5), (2, 12), (3, 20)):
        while server.session.turns_played < turns:
            server.session.play(server.session.game.hand(0)[0])
        open_table(chrome, server)
        choose_speed(chrome, "none")
        take(f"round-{round_}-last-turn")
        keys(chrome, "2", ENTER)
        until(chrome, DIALOG)
        take(f"round-{round_}-scores")
        at(chrome, "#scores-close").click()
        if not server.session.game.over:
            until(chrome, READY)
            take(f"round-{round_ + 1}")
    keys(chrome, "l")
    until(chrome, DIALOG)
    take("log")
    chrome.execute_script(f"{DIALOG}.close()")
    open_page(chrome, server)
    take("end")


def _reveal(chrome: "Chrome", players: int) -> Iterator[str]:
    keys(chrome, "3", ENTER)
    until(chrome, "document.querySelector('.chosen .back')")
    yield "reveal-1-chosen"
    until(chrome, f"{LANDED} === 1")
    yield "reveal-2-first-prize"
    until(chrome, f"{LANDED} === {players}")
    yield "reveal-3-all-prizes"
    skip_reveal(chrome, lambda: keys(chrome, ENTER))
    until(chrome, READY)


def _learn(chrome: "Chrome", take: Take) -> None:
    keys(chrome, "?")
    until(chrome, DIALOG)
    for page in range(1, 7):
        take(f"learn-{page}")
        at(chrome, "#learn-next").click()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="WIDTHxHEIGHT")
    parser.add_argument("--tables", nargs="+", default=TABLES, metavar="PLAYERSxOBJECTIVES")
    parser.add_argument("--dark", action="store_true", help="take the dark scheme")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    with started() as browser:
        for size in arguments.sizes:
            width, height = map(int, size.split("x"))
            for table in arguments.tables:
                folder = arguments.folder / f"{size}-{table}"
                folder.mkdir(parents=True, exist_ok=True)
                players, objectives = map(int, table.split("x"))
                session = Session(PlaySettings(7, players, objectives, 0, OPPONENTS))
                with (
                    TemporaryDirectory() as data,
                    served(session, Path(data)) as server,
                    tab(browser, (width, height), dark=arguments.dark) as chrome,
                ):

                    def take(name: str, folder: Path = folder) -> None:
                        chrome.save_screenshot(str(folder / f"{name}.png"))

                    pictures(chrome, server, take)


if __name__ == "__main__":
    main()
