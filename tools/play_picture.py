"""The screenshot of ``mindup play`` in the documentation: the second round, with a hint.

``make pictures`` takes it again, after a change of the page; it needs Chromium.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.browser import DESKTOP, started, tab
from tests.play.page import keys, open_table, until
from tests.play.tables import served

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
        tab(browser, DESKTOP, calm=True) as chrome,
    ):
        open_table(chrome, server)
        keys(chrome, "h")
        until(chrome, "document.querySelector('#cards .hinted')")
        PATH.parent.mkdir(exist_ok=True)
        chrome.save_screenshot(str(PATH))


if __name__ == "__main__":
    main()
