"""The scenes of the pictures: a game, and how a page comes to show a state of it."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from mindup_agents.review import review_game
from mindup_arena.leaderboard.board import read_board
from mindup_arena.leaderboard.page import write_board
from mindup_env import Game, GameConfig
from mindup_play.offer import NewGame
from mindup_play.records import games_of, replay_page
from mindup_play.review import page_data
from mindup_play.saved import SavedGames
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings
from mindup_play.watch.command import seat_names
from mindup_play.watch.tables import BOTS_ROUTES, BotsGames, WatchedGame
from tools.browser import DIALOG, HOLDING, NEW_GAME, READY, SHOWN, Keys, Page, serving
from tools.tables.results import benchmark_results

SETTINGS = PlaySettings(7, 4, 3, 0, ("planner", "predictor", "greedy"), "predictor")
LARGE = PlaySettings(7, 6, 5, 0, ("planner",), "predictor")
SMALL = PlaySettings(7, 3, 0, 0, ("planner", "greedy"), "predictor")
ADVISED = PlaySettings(7, 4, 2, opponents=("greedy", "planner", "predictor"), hints="predictor")
REVIEWED = PlaySettings(5, opponents=("champion-1", "greedy", "planner"), hints="greedy")
WATCHED = "champion-2", "champion-1", "planner", "greedy"
HINTED = "document.querySelector('#cards .hinted')"
LANDED = "document.querySelectorAll('.landed').length"


class ServedTable(Server):
    """A server whose game a picture may play on."""

    manager: SessionManager

    def __init__(self, session: Session, folder: Path) -> None:
        self.session, self.folder = session, folder  # the folder also has files of the scene
        games = SavedGames(folder)
        warn = partial(print, file=sys.stderr)
        super().__init__(SessionManager(session, games.new(), games, warn))

    def play_turns(self, turns: int) -> None:
        """Plays the lowest cards; the page shows the game when it is opened."""
        for _ in range(turns):
            table = self.state()["table"]["players"][self.state()["seat"]]
            self.manager.play(self._turn(), min(table["known"] + table["hidden"]))

    def deal(self, players: int, bot: str) -> None:
        """Deals another game."""
        self.manager.deal(self._turn(), NewGame(players, 0, 0, (bot,), seed="", hints=False))

    def state(self) -> dict[str, Any]:
        return self.manager.state()

    def _turn(self) -> Any:
        return self.manager._turn_id()


@contextmanager
def served(session: Session, folder: Path) -> Iterator[ServedTable]:
    with ServedTable(session, folder) as server, closing(server.manager), serving(server):
        yield server


def game_of_the_docs() -> Game:
    """The game that ``mindup_env.render`` draws for the environment page."""
    game = Game(GameConfig(num_players=4), seed=7)
    for turn in range(8):
        game.play([game.hand(player)[turn % 2] for player in range(4)])
    return game


def follow_hints(session: Session, turns: int) -> None:
    for _ in range(turns):
        if (hint := session.hint()) is not None:
            session.play(hint.result().card)


def play(server: ServedTable, page: Page) -> None:
    """The second round of a good game, with a hint."""
    follow_hints(server.session, 10)
    page.open_table(server)
    page.keys("h")
    page.until(HINTED)


def leaderboard(server: ServedTable, page: Page) -> None:
    """The project's leaderboard."""
    path = server.folder / "board.html"
    write_board(path, read_board(benchmark_results()))
    page.open(path.as_uri())


def review(server: ServedTable, page: Page) -> None:
    """A game in which the person follows the hints of greedy, at the most expensive mistake."""
    session = server.session
    follow_hints(session, session.game.config.num_turns)
    record = json.loads(json.dumps(session.record()))
    data = page_data(review_game(games_of(record)), Path("game.json"))
    path = server.folder / "review.html"
    path.write_text(replay_page(record, None, data), "utf-8")
    page.open(path.as_uri(), "document.querySelector('#luck')")
    page.select("whose", "0")
    page.script("document.querySelector('.jump').click()")


def watch(_: ServedTable, page: Page) -> None:
    """A game of bots, with what one of them expects."""
    config = GameConfig(num_objectives=1)
    make = partial(WatchedGame.of_bots, WATCHED, seat_names(WATCHED), config, warn=print)
    games = BotsGames(make, 7)
    with Server(games, routes=BOTS_ROUTES) as bots, serving(bots):
        shown = "document.getElementById('turn').max === '21'"
        page.open(f"{bots.url}watch.html#9", shown)
        page.script("location.hash = '#0'; location.hash = '#9'")
        page.until("document.getElementById('turn').value === '9'")
        page.select("viewer", "0")
        page.until("document.querySelector('#forecast table')")


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
    "play": (play, ADVISED),
    "leaderboard": (leaderboard, SETTINGS),
    "review": (review, REVIEWED),
    "watch": (watch, SETTINGS),
}

MOVING = {chosen, landing}
"""Their pictures are taken while cards move."""
