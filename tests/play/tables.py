"""Servers with a game for the tests, and requests to them, also as bytes that tests damage."""

import http.client
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

from mindup_env import Game
from mindup_play.preparation import Preparation
from mindup_play.saved import SavedGames
from mindup_play.server import RequestHandler, Response, Server
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings
from tools.browser import serving

SETTINGS = PlaySettings(7, opponents=("lowest", "greedy"))
PAGE_SETTINGS = PlaySettings(7, 4, 2, 0, ("greedy", "lowest"), "planner")
"""The game of the tests with a browser."""

_TIMEOUT = 120
"""Seconds for an answer on a busy machine, where the first use of a bot compiles it."""


class SentResponse(NamedTuple):
    """A response, and the game and the person's seat when the response was sent."""

    path: str
    response: Response
    game: Game
    seat: int


class WatchedServer(Server):
    """Keeps its responses, and the exceptions that no handler caught."""

    def __init__(self, session: Session, folder: Path) -> None:
        self.sent: list[SentResponse] = []
        self.exceptions: list[Any] = []
        self.games = SavedGames(folder)
        game_id = self.games.new_id()
        super().__init__(SessionManager(session, game_id, self.games, Preparation()))
        self.RequestHandlerClass = WatchedHandler

    @property
    def session(self) -> Session:
        return cast("Session", self.manager.session)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # a reload ends connections
            self.exceptions.append(sys.exception())
        super().handle_error(request, client_address)


class WatchedHandler(RequestHandler):
    server: WatchedServer

    def _send(self, response: Response) -> None:
        path = getattr(self, "path", "")
        session = self.server.session
        sent = SentResponse(path, response, session.game.copy(), session.settings.seat)
        self.server.sent.append(sent)
        super()._send(response)


@contextmanager
def served(session: Session, folder: Path) -> Iterator[WatchedServer]:
    with WatchedServer(session, folder) as server, serving(server):
        yield server


def ask(server: Server, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Status of a response, and its JSON or text. With a body, which may be JSON, it is a POST."""
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=_TIMEOUT)  # type: ignore[arg-type]
    text = body if body is None or isinstance(body, str | bytes) else json.dumps(body)
    content_type = {} if body is None else {"Content-Type": "application/json"}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("GET" if body is None else "POST", path, text, {**content_type, **given})
        response = connection.getresponse()
        received = response.read()
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, json.loads(received) if is_json else received.decode()
    finally:
        connection.close()


def turn_of(state: dict[str, Any]) -> dict[str, Any]:
    return {"turn": {name: state[name] for name in ("game_id", "turns_played")}}


def new_game(state: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A valid request to deal another game."""
    game = {"players": 4, "objectives": 0, "seat": 0, "opponents": ["lowest"], "hints": False}
    return {**turn_of(state), "game": {**game, "seed": "", **changes}}


def play_body(server: WatchedServer, card: int | None = None) -> dict[str, Any]:
    """A valid request to play, by default of the lowest card."""
    state = ask(server, "/state")[1]
    card = server.session.game.hand(state["seat"])[0] if card is None else card
    return {**turn_of(state), "card": card}


def play_to(session: Session, turns: int) -> Session:
    """Plays the lowest cards until so many turns are played."""
    while session.turns_played < turns:
        session.play(session.game.hand(session.settings.seat)[0])
    return session


def play_to_the_end(session: Session) -> Session:
    return play_to(session, session.settings.config.num_turns)


def play_to_the_end_by_requests(server: WatchedServer) -> dict[str, Any]:
    """Plays the lowest cards until the game is over; the last state."""
    while not server.session.game.over:
        state: dict[str, Any] = ask(server, "/play", play_body(server))[1]
    return state
