"""The screenshot of the project's leaderboard in the documentation.

``make pictures`` takes it again, after a change of the page or of the results; it needs Chromium.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from mindup_arena.leaderboard.board import read_board
from mindup_arena.leaderboard.page import write_board
from tools.browser import DESKTOP, started, tab
from tools.tables.benchmark import results

PATH = Path(__file__).parent.parent / "docs" / "images" / "leaderboard.png"


def main() -> None:
    with TemporaryDirectory() as folder, started() as browser, tab(browser, DESKTOP) as tab_page:
        page = Path(folder) / "board.html"
        write_board(page, read_board(results()))
        tab_page.open(page.as_uri())
        tab_page.save_picture(PATH)


if __name__ == "__main__":
    main()
