"""Tables of the tests, served and watched."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from mindup_env import Game
from mindup_play.saved import SavedGame
from mindup_play.server import Answer, Handler, Server
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings

SETTINGS = PlaySettings(7, opponents=("lowest", "greedy"))
PAGE_SETTINGS = PlaySettings(7, 4, 2, 0, ("greedy", "lowest"), "planner")
"""Of the table that a browser plays at."""


class Sent(NamedTuple):
    """An answer, and the game as it was when it was sent."""

    path: str
    answer: Answer
    game: Game


class WatchedServer(Server):
    """Keeps what it sends, and every fault that a handler did not see coming."""

    def __init__(self, session: Session, folder: Path) -> None:
        self.notices: list[str] = []
        self.sent: list[Sent] = []
        self.faults: list[Any] = []
        super().__init__(SessionManager(session, SavedGame(folder), self.notices.append))
        self.RequestHandlerClass = WatchedHandler

    @property
    def session(self) -> Session:
        return self.manager._session

    def handle_error(self, request: Any, client_address: Any) -> None:
        self.faults.append((request, client_address))
        super().handle_error(request, client_address)


class WatchedHandler(Handler):
    server: WatchedServer

    def _send(self, answer: Answer) -> None:
        path = getattr(self, "path", "")
        self.server.sent.append(Sent(path, answer, self.server.session.game.copy()))
        super()._send(answer)


@contextmanager
def served(session: Session, folder: Path) -> Iterator[WatchedServer]:
    with WatchedServer(session, folder) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            server.session.leave()


def ask(server: Server, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """The status and the JSON of an answer; a body that is no text goes as JSON, by POST."""
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=10)  # type: ignore[arg-type]
    text = body if body is None or isinstance(body, str | bytes) else json.dumps(body)
    kind = {} if body is None else {"Content-Type": "application/json"}
    asked = {**kind, **{name.replace("_", "-"): value for name, value in headers.items()}}
    try:
        connection.request("GET" if body is None else "POST", path, text, asked)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def send(server: Server, request: bytes) -> bytes:
    """All that is answered to some bytes."""
    with socket.create_connection(server.server_address[:2], timeout=10) as line:  # type: ignore[arg-type]
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        parts = []
        while part := line.recv(65536):
            parts.append(part)
        return b"".join(parts)


def statuses(answered: bytes) -> list[int]:
    """Of every answer in what came back; none from a server that just hung up."""
    return [
        int(line.split()[1])
        for line in answered.split(b"\r\n")
        if line.startswith(b"HTTP/1.") and int(line.split()[1]) != HTTPStatus.CONTINUE
    ]


def play_body(server: WatchedServer, card: int | None = None) -> dict[str, Any]:
    """A right request to play, the lowest card if none is said."""
    state = ask(server, "/state")[1]
    card = server.session.game.hand(state["seat"])[0] if card is None else card
    return {"game": state["game"], "clock": state["clock"], "card": card}
