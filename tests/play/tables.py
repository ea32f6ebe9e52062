"""Tables with a game for the tests, and requests to them: by Starlette's test client, or served."""

import asyncio
import json
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from mindup_env import Game
from mindup_play.preparation import Preparation
from mindup_play.saved import SavedGames
from mindup_play.server import Server, make_app
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings
from tools.browser import serving

SETTINGS = PlaySettings(7, opponents=("lowest", "greedy"))
PAGE_SETTINGS = PlaySettings(7, 4, 2, 0, ("greedy", "lowest"), "planner")
"""The game of the tests with a browser."""
PORT = 8414
URL = f"http://127.0.0.1:{PORT}/"
_TIMEOUT = 120
"""Seconds for an answer on a busy machine, where the first use of a bot compiles it."""


class SentResponse(NamedTuple):
    """A response, and the game and the person's seat when the response was sent."""

    path: str
    body: bytes
    game: Game
    seat: int


class WatchedServer:
    """An application that keeps its responses, and the exceptions that no handler expects."""

    url = URL
    client: httpx2.Client

    def __init__(self, session: Session, folder: Path) -> None:
        self.sent: list[SentResponse] = []
        self.exceptions: list[Exception] = []
        self.games = SavedGames(folder)
        self.manager = SessionManager(session, self.games.new_id(), self.games, Preparation())
        self._app = make_app(self.manager)

    @property
    def session(self) -> Session:
        return self.manager.session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def keep(message: Message) -> None:
            if message["type"] == "http.response.body":
                now = self.session.game, self.session.settings.seat
                self.sent.append(SentResponse(scope["path"], message["body"], *now))
            await send(message)

        try:
            await self._app(scope, receive, keep)
        except Exception as error:
            self.exceptions.append(error)
            raise


@contextmanager
def by_requests(session: Session, folder: Path) -> Iterator[WatchedServer]:
    """The table of a game, for requests by the test client."""
    table = WatchedServer(session, folder)
    with TestClient(table, URL) as table.client:
        yield table


@contextmanager
def served(session: Session, folder: Path) -> Iterator[WatchedServer]:
    """The table of a game, for a browser."""
    table = WatchedServer(session, folder)
    with Server(table.manager) as server:
        server.config.app, table.url = table, server.url
        once = httpx2.Limits(max_keepalive_connections=0)  # no connection that the server ends
        client = httpx2.Client(base_url=server.url, timeout=_TIMEOUT, limits=once, trust_env=False)
        with serving(server), client as table.client:
            yield table


def ask(
    table: WatchedServer | httpx2.Client, path: str, body: Any = None, **headers: str
) -> tuple[int, Any]:
    """Status of a response, and its JSON or text. With a body, which may be JSON, it is a POST."""
    client = table.client if isinstance(table, WatchedServer) else table
    if body is None:
        response = client.get(path, headers=headers)
    else:
        content = body if isinstance(body, str | bytes) else json.dumps(body)
        given = {"Content-Type": "application/json", **headers}
        response = client.post(path, content=content, headers=given)
    is_json = response.headers["Content-Type"] == "application/json"
    return response.status_code, response.json() if is_json else response.text


def at_once(*coroutines: Awaitable[Any]) -> list[Any]:
    """Their results, from a thread: in that of the tests, the browser has an event loop."""

    async def together() -> list[Any]:
        return await asyncio.gather(*coroutines)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, together()).result()


def state_of(table: WatchedServer) -> dict[str, Any]:
    state: dict[str, Any] = ask(table, "/state")[1]
    return state


def turn_of(state: dict[str, Any]) -> dict[str, Any]:
    return {"game": state["game_id"], "turn": state["turns_played"]}


def new_game(state: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A valid request to deal another game."""
    game = {"players": 4, "objectives": 0, "seat": 0, "opponents": ["lowest"], "hints": False}
    return {**turn_of(state), "settings": {**game, "seed": "", **changes}}


def play_body(table: WatchedServer, card: int | None = None) -> dict[str, Any]:
    """A valid request to play, by default of the lowest card."""
    state = state_of(table)
    card = table.session.game.hand(state["seat"])[0] if card is None else card
    return {**turn_of(state), "card": card}


def resumed(games: SavedGames, game_id: str) -> Session:
    """A saved game, which goes on."""
    found = games.read(game_id)
    return Session(found.settings, found.game.plays)


def play_to(session: Session, turns: int) -> Session:
    """Plays the lowest cards until so many turns are played."""
    while session.turns_played < turns:
        session.play(session.game.hand(session.settings.seat)[0])
    return session


def play_to_the_end(session: Session) -> Session:
    return play_to(session, session.settings.config.num_turns)


def play_to_the_end_by_requests(table: WatchedServer) -> dict[str, Any]:
    """Plays the lowest cards until the game is over; the last state."""
    while not table.session.game.over:
        state: dict[str, Any] = ask(table, "/play", play_body(table))[1]
    return state
