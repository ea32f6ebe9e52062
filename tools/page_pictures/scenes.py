"""The scenes of the pictures: a game, and how the page comes to show a state of it."""

from collections.abc import Callable

from mindup_play.settings import PlaySettings
from tools.browser import DIALOG, HOLDING, NEW_GAME, READY, SHOWN, Keys, Page
from tools.page_pictures.table import ServedTable

SETTINGS = PlaySettings(7, 4, 3, 0, ("planner", "predictor", "greedy"), "predictor")
LARGE = PlaySettings(7, 6, 5, 0, ("planner",), "predictor")
SMALL = PlaySettings(7, 3, 0, 0, ("planner", "greedy"), "predictor")
HINTED = "document.querySelector('#cards .hinted')"
LANDED = "document.querySelectorAll('.landed').length"


def hint(server: ServedTable, page: Page) -> None:
    """The focus, the chosen card and the advised one, in the second round."""
    server.play_turns(9)
    page.open_table(server)
    page.keys("h")
    page.until(HINTED)
    page.keys("2")


def new_game_screen(server: ServedTable, page: Page) -> None:
    page.open_table(server)
    page.keys("g")
    page.until(NEW_GAME)


def link(server: ServedTable, page: Page) -> None:
    """A deal of six in a link, with saved games, one of them over."""
    server.play_turns(21)
    server.deal(5, "predictor")
    server.play_turns(8)
    server.deal(3, "planner")
    server.play_turns(1)
    bots = "champion-2,search,predictor,planner,random"
    page.open(f"{server.url}?players=6&objectives=2&seat=2&seed=7&opponents={bots}")
    page.until(NEW_GAME)


def question(server: ServedTable, page: Page) -> None:
    server.play_turns(3)
    new_game_screen(server, page)
    page.click("#game-dialog .main")
    page.until("document.querySelector('#question-dialog[open]')")


def round_end(server: ServedTable, page: Page) -> None:
    server.play_turns(5)
    page.open_table(server)
    page.keys("1", Keys.ENTER)
    page.until("document.querySelector('#scores-dialog[open]')")


def game_end(server: ServedTable, page: Page) -> None:
    server.play_turns(20)
    page.open_table(server)
    page.keys("1", Keys.ENTER)
    page.until("document.querySelector('#scores-dialog[open]')")


def end_table(server: ServedTable, page: Page) -> None:
    game_end(server, page)
    page.click("#scores-close")
    page.until("document.querySelector('.over') && !document.querySelector('.busy')")


def finished_link(server: ServedTable, page: Page) -> None:
    """A finished game while another one is played."""
    server.play_turns(21)
    end = server.state()
    server.deal(4, "planner")
    server.play_turns(2)
    page.open(f"{server.url}?game={end['game_id']}")
    page.until("document.querySelector('.over') && !document.querySelector('.busy')")


def table(server: ServedTable, page: Page) -> None:
    page.open(server.url, SHOWN)
    page.until(READY)


def chosen(server: ServedTable, page: Page) -> None:
    """Cards face down before their players."""
    page.open_table(server)
    page.select("speed", "slow")
    page.keys("3", Keys.ENTER)
    page.until("document.querySelector('.chosen .back')")


def landing(server: ServedTable, page: Page) -> None:
    chosen(server, page)
    page.until(f"{LANDED} === 2")


def result(server: ServedTable, page: Page) -> None:
    """The result of a turn, until it is dismissed."""
    page.open_table(server)
    page.select("speed", "wait")
    page.keys("3", Keys.ENTER)
    page.until(HOLDING)


def round_2(server: ServedTable, page: Page) -> None:
    server.play_turns(6)
    table(server, page)


def round_3_last_turn(server: ServedTable, page: Page) -> None:
    server.play_turns(20)
    table(server, page)


def log(server: ServedTable, page: Page) -> None:
    server.play_turns(8)
    page.open_table(server)
    page.keys("l")
    page.until(DIALOG)


def settings(server: ServedTable, page: Page) -> None:
    page.open_table(server)
    page.keys("o")
    page.until(DIALOG)


def learn(number: int) -> "Scene":
    def scene(server: ServedTable, page: Page) -> None:
        page.open_table(server)
        page.keys("?")
        page.until(DIALOG)
        for _ in range(1, number):
            page.click("#learn-next")

    return scene


Scene = Callable[[ServedTable, Page], None]
SCENES: dict[str, tuple[Scene, PlaySettings]] = {
    "table": (table, SETTINGS),
    "table-3": (table, SMALL),
    "table-6": (table, LARGE),
    "chosen-6": (chosen, LARGE),
    "landing": (landing, SETTINGS),
    "landing-6": (landing, LARGE),
    "result": (result, SETTINGS),
    "result-6": (result, LARGE),
    "round-2": (round_2, SETTINGS),
    "round-2-6": (round_2, LARGE),
    "round-3-last-turn": (round_3_last_turn, SETTINGS),
    "round-3-last-turn-6": (round_3_last_turn, LARGE),
    "log": (log, SETTINGS),
    **{f"learn-{number}": (learn(number), SETTINGS) for number in range(1, 7)},
    "settings": (settings, SETTINGS),
    "hint": (hint, SETTINGS),
    "hint-6": (hint, LARGE),
    "new-game": (new_game_screen, SETTINGS),
    "link": (link, SETTINGS),
    "question": (question, SETTINGS),
    "round-end": (round_end, SETTINGS),
    "game-end": (game_end, SETTINGS),
    "game-end-6": (game_end, LARGE),
    "end-table": (end_table, SETTINGS),
    "end-table-6": (end_table, LARGE),
    "finished-link": (finished_link, SETTINGS),
}

MOVING = {chosen, landing}
"""Their pictures are taken while cards move."""
