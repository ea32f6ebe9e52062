"""The screenshot of ``mindup play`` in the documentation: the second round, with a hint.

``make pictures`` takes it again, after a change of the page; it needs Chromium.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tools.browser import DESKTOP, started, tab
from tools.page_pictures.table import served

PATH = Path(__file__).parent.parent / "docs" / "images" / "play.png"
SETTINGS = PlaySettings(7, 4, 2, opponents=("greedy", "planner", "predictor"), hints="predictor")
TURNS_PLAYED = 10


def play_advised_cards(session: Session) -> None:
    while session.turns_played < TURNS_PLAYED and (hint := session.hint()):
        session.play(hint.result().card)


def main() -> None:
    session = Session(SETTINGS)
    play_advised_cards(session)
    with (
        TemporaryDirectory() as folder,
        served(session, Path(folder)) as server,
        started() as browser,
        tab(browser, DESKTOP, calm=True) as page,
    ):
        page.open_table(server)
        page.keys("h")
        page.until("document.querySelector('#cards .hinted')")
        page.save_picture(PATH)


if __name__ == "__main__":
    main()
