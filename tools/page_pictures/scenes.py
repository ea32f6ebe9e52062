"""The scenes of the pictures: a game, and how the page comes to show a state of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from mindup_play.settings import PlaySettings
from tests.play.page import HOLDING, READY, at, choose_speed, keys, open_page, open_table, until
from tests.play.tables import WatchedServer, ask, new_game

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SETTINGS = PlaySettings(7, 4, 3, 0, ("planner", "predictor", "greedy"), "predictor")
LARGE = PlaySettings(7, 6, 5, 0, ("planner",), "predictor")
SMALL = PlaySettings(7, 3, 0, 0, ("planner", "greedy"), "predictor")
HINTED = "document.querySelector('#cards .hinted')"
DIALOG = "document.querySelector('dialog[open]')"
LANDED = "document.querySelectorAll('.landed').length"
ENTER = "\ue007"


def play_turns(server: WatchedServer, turns: int) -> None:
    """Plays the lowest cards; the page shows the game when it is opened."""
    for _ in range(turns):
        state = server.manager.state()
        hand = server.session.game.hand(state["seat"])
        turn = {name: state[name] for name in ("game_id", "turns_played")}
        ask(server, "/play", {**turn, "card": hand[0]})


def hint(server: WatchedServer, chrome: "Chrome") -> None:
    """The focus, the chosen card and the advised one, in the second round."""
    play_turns(server, 9)
    open_table(chrome, server)
    keys(chrome, "h")
    until(chrome, HINTED)
    keys(chrome, "2")


def new_game_screen(server: WatchedServer, chrome: "Chrome") -> None:
    open_table(chrome, server)
    keys(chrome, "g")
    until(chrome, "document.querySelector('#game-dialog[open]')")


def link(server: WatchedServer, chrome: "Chrome") -> None:
    """A deal of six in a link, with saved games, one of them over."""
    play_turns(server, 21)
    ask(server, "/deal", new_game(server.manager.state(), players=5, opponents=["predictor"]))
    play_turns(server, 8)
    ask(server, "/deal", new_game(server.manager.state(), players=3, opponents=["planner"]))
    play_turns(server, 1)
    bots = "champion-2,search,predictor,planner,random"
    chrome.get(f"{server.url}?players=6&objectives=2&seat=2&seed=7&opponents={bots}")
    until(chrome, "document.querySelector('#game-dialog[open]')")


def question(server: WatchedServer, chrome: "Chrome") -> None:
    play_turns(server, 3)
    new_game_screen(server, chrome)
    at(chrome, "#game-dialog .main").click()
    until(chrome, "document.querySelector('#question-dialog[open]')")


def round_end(server: WatchedServer, chrome: "Chrome") -> None:
    play_turns(server, 5)
    open_table(chrome, server)
    keys(chrome, "1", "\ue007")
    until(chrome, "document.querySelector('#scores-dialog[open]')")


def game_end(server: WatchedServer, chrome: "Chrome") -> None:
    play_turns(server, 20)
    open_table(chrome, server)
    keys(chrome, "1", "\ue007")
    until(chrome, "document.querySelector('#scores-dialog[open]')")


def end_table(server: WatchedServer, chrome: "Chrome") -> None:
    game_end(server, chrome)
    at(chrome, "#scores-close").click()
    until(chrome, "document.querySelector('.over') && !document.querySelector('.busy')")


def finished_link(server: WatchedServer, chrome: "Chrome") -> None:
    """A finished game while another one is played."""
    play_turns(server, 21)
    end = server.manager.state()
    ask(server, "/deal", new_game(end, opponents=["planner"]))
    play_turns(server, 2)
    chrome.get(f"{server.url}?game={end['game_id']}")
    until(chrome, "document.querySelector('.over') && !document.querySelector('.busy')")


def table(server: WatchedServer, chrome: "Chrome") -> None:
    open_page(chrome, server)
    until(chrome, READY)


def chosen(server: WatchedServer, chrome: "Chrome") -> None:
    """Cards face down before their players."""
    open_table(chrome, server)
    choose_speed(chrome, "slow")
    keys(chrome, "3", ENTER)
    until(chrome, "document.querySelector('.chosen .back')")


def landing(server: WatchedServer, chrome: "Chrome") -> None:
    chosen(server, chrome)
    until(chrome, f"{LANDED} === 2")


def result(server: WatchedServer, chrome: "Chrome") -> None:
    """The result of a turn, until it is dismissed."""
    open_table(chrome, server)
    choose_speed(chrome, "wait")
    keys(chrome, "3", ENTER)
    until(chrome, HOLDING)


def round_2(server: WatchedServer, chrome: "Chrome") -> None:
    play_turns(server, 6)
    table(server, chrome)


def round_3_last_turn(server: WatchedServer, chrome: "Chrome") -> None:
    play_turns(server, 20)
    table(server, chrome)


def log(server: WatchedServer, chrome: "Chrome") -> None:
    play_turns(server, 8)
    open_table(chrome, server)
    keys(chrome, "l")
    until(chrome, DIALOG)


def settings(server: WatchedServer, chrome: "Chrome") -> None:
    open_table(chrome, server)
    keys(chrome, "o")
    until(chrome, DIALOG)


def learn(page: int) -> "Scene":
    def scene(server: WatchedServer, chrome: "Chrome") -> None:
        open_table(chrome, server)
        keys(chrome, "?")
        until(chrome, DIALOG)
        for _ in range(1, page):
            at(chrome, "#learn-next").click()

    return scene


Scene = Callable[[WatchedServer, "Chrome"], None]
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
    **{f"learn-{page}": (learn(page), SETTINGS) for page in range(1, 7)},
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
