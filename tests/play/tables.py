"""Games that are served, and requests to their servers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from mindup_play.preparation import Preparation
from mindup_play.saved import SavedGames
from mindup_play.server import Served, Server
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings, drawn_seed
from tools.browser import serving

SETTINGS = PlaySettings(7, 4, 2, 0, ("greedy", "lowest"), "planner")
DRAWN = PlaySettings(**drawn_seed(), players=3, opponents=("lowest",))


class Client:
    """Requests to a server."""

    def __init__(self, url: str) -> None:
        once = httpx2.Limits(max_keepalive_connections=0)  # no connection that the server ends
        self.url = url
        patience = 120  # seconds: on a busy machine, the first use of a bot compiles it
        self.http = httpx2.Client(base_url=url, timeout=patience, limits=once, trust_env=False)

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of a response. With a body, the request is a POST."""
        method = "GET" if body is None else "POST"
        response = self.http.request(method, path, json=body, headers=headers)
        return response.status_code, response.json()

    def get(self, path: str) -> Any:
        """The JSON of a request that is not refused."""
        status, answer = self.ask(path)
        assert status == 200, answer
        return answer

    def turn(self) -> dict[str, Any]:
        """What every change names: the current game and turn."""
        state = self.get("/state")
        return {"game": state["game_id"], "turn": state["turns_played"]}

    def change(self, path: str, **more: Any) -> tuple[int, Any]:
        return self.ask(path, {**self.turn(), **more})

    def play(self) -> tuple[int, Any]:
        """Plays the lowest card."""
        state = self.get("/state")
        hand = state["table"]["players"][state["person"]]
        return self.change("/play", card=min(hand["known"] + hand["hidden"]))

    def deal(self, **changes: Any) -> tuple[int, Any]:
        game = {"players": 4, "objectives": 0, "seat": 0, "opponents": ["lowest"], "hints": False}
        return self.change("/deal", settings={**game, "seed": "", **changes})


class Table(Client):
    """A game of a person that is served."""

    def __init__(self, url: str, manager: SessionManager, games: SavedGames) -> None:
        super().__init__(url)
        self.manager, self.games = manager, games

    @property
    def session(self) -> Session:
        return self.manager.session

    def play_to_the_end(self) -> Any:
        """Plays the lowest cards; the last state."""
        while not self.session.game.over:
            _, state = self.play()
        return state


@contextmanager
def address_of(served: Served) -> Iterator[str]:
    with Server(served) as server, serving(server):
        yield server.url


@contextmanager
def table_of(session: Session, folder: Path) -> Iterator[Table]:
    games = SavedGames(folder)
    manager = SessionManager(session, games.new_id(), games, Preparation())
    with address_of(manager) as url:
        yield Table(url, manager, games)


def play_to(session: Session, turns: int = 1000) -> Session:
    """Plays the lowest cards until so many turns are played, or the game is over."""
    while session.turns_played < turns and not session.game.over:
        session.play(session.game.hand(session.settings.seat)[0])
    return session
