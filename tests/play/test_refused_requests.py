"""What the server refuses, and that refusals change nothing; the headers of all its answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mindup_play.server import PAGES
from mindup_play.session import Session
from tests.play.tables import (
    PORT,
    SETTINGS,
    WatchedServer,
    ask,
    by_requests,
    new_game,
    play_body,
    play_to,
    state_of,
    turn_of,
)

FILES = {
    **dict.fromkeys(PAGES, "text/html; charset=utf-8"),
    "/icon.svg": "image/svg+xml",
    "/table.css": "text/css; charset=utf-8",
    "/page.js": "text/javascript; charset=utf-8",
}
JSON_PATHS = ("/deck", "/state", "/hint", "/offer", "/games")


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WatchedServer]:
    folder: Path = tmp_path_factory.mktemp("saved")
    with by_requests(play_to(Session(SETTINGS), 4), folder) as server:
        yield server


@pytest.fixture
def server(one_server: WatchedServer) -> Iterator[WatchedServer]:
    """The same server for all tests: none may change it."""
    before = ask(one_server, "/state"), ask(one_server, "/games")
    yield one_server
    assert (ask(one_server, "/state"), ask(one_server, "/games")) == before
    assert one_server.exceptions == []


@pytest.mark.parametrize("path", [*FILES, *JSON_PATHS])
def test_responses_have_a_strict_content_security_policy(path: str, server: WatchedServer) -> None:
    answer = server.client.get(path)
    assert answer.status_code == 200 and answer.content
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    assert "http" not in policy and "*" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Type"] == FILES.get(path, "application/json")
    answer = server.client.head(path)
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/?players=4&seed=7", 200),  # for its script alone: a link deals nothing
        ("/state?", 200),
        ("/state?x=1", 400),
        ("/record", 400),
        ("/record?game=a&other=b", 400),
        ("/record?game=%ff", 422),
        ("/record?game=..%2f..", 422),
        ("/play.py", 404),
        ("/shared", 404),
        ("/%2e%2e/server.py", 404),
        ("/..%2fserver.py", 404),
        ("/%2fetc%2fpasswd", 404),
        ("/%00", 404),
    ],
)
def test_only_the_files_and_declared_queries_are_read(
    path: str, status: int, server: WatchedServer
) -> None:
    found, answer = ask(server, path)
    assert found == status and (status == 200 or answer["error"])


def test_wrong_methods(server: WatchedServer) -> None:
    for method, path in (
        ("PUT", "/play"),
        ("POST", "/state"),
        ("POST", "/"),
        ("DELETE", "/icon.svg"),
    ):
        answer = server.client.request(method, path, headers={"Content-Type": "application/json"})
        assert answer.status_code == 405 and answer.json()["error"]


CURRENT = {"game": "a", "turn": 0, "card": 1}
"""Of another game than that of the server, but of the right form."""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        ("[" * 3000, 400),
        (b"\xff", 400),
        ([], 400),
        (CURRENT, 409),
        ({**CURRENT, "game": 1}, 400),
        ({**CURRENT, "turn": True}, 400),
        ({"game": "a", "turn": 0}, 400),
        ({**CURRENT, "seat": 1}, 400),
        ({**CURRENT, "game": "a" * 5000}, 413),
        (0, 422),
        (61, 422),
        (10**30, 422),
        (None, 422),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_card_that_cannot_be_played(body: Any, status: int, server: WatchedServer) -> None:
    if status == 422:  # the card alone; None is one of another hand
        other = next(card for card in range(1, 61) if card not in server.session.game.hand(0))
        body = play_body(server, other if body is None else body)
    found, answer = ask(server, "/play", body)
    assert found == status and (status != 422 or "not in the hand" in answer["error"])


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/play", {"card": 1}),
        ("/deal", {"settings": {}}),
        ("/resume", {"saved_game": "0" * 16}),
        ("/try-again", {"saved_game": "0" * 16, "turns": 0}),
        ("/delete", {"saved_game": "0" * 16}),
    ],
)
def test_every_change_names_the_current_game_and_turn(
    path: str, more: dict[str, Any], server: WatchedServer
) -> None:
    now = turn_of(state_of(server))
    for other in ({"game": "0" * 16}, {"turn": now["turn"] - 1}, {"turn": now["turn"] + 1}):
        status, answer = ask(server, path, {**now, **other, **more})
        assert status == 409 and "has continued in the meantime" in answer["error"]
    assert ask(server, path, more)[0] == 400


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        ({"players": 7}, 422, "players must be 2 to 6, not 7"),
        ({"seed": str(2**64)}, 422, "The seed must be a number from 0 to"),
        ({"seed": "\u0661"}, 422, "The seed must be a number from 0 to"),
        ({"opponents": ["os:system"]}, 422, "unknown bot 'os:system'"),
        ({"opponents": ["lowest:x=1"]}, 422, "unknown bot 'lowest:x=1'"),
        ({"opponents": [1]}, 422, "unknown bot 1"),
        ({"opponents": []}, 422, "opponents must be names of bots"),
        ({"objectives": 1.5}, 400, "objectives must be of type int, not 1.5"),
        ({"deck": 1}, 400, "unknown: 'deck'"),
    ],
)
def test_a_game_that_cannot_be_dealt(
    change: dict[str, Any], status: int, message: str, server: WatchedServer
) -> None:
    found, answer = ask(server, "/deal", new_game(state_of(server), **change))
    assert found == status and message in answer["error"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": f"evil.example:{PORT}"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": f"https://127.0.0.1:{PORT}"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/json; charset=utf-8"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Length": "-1"}, 411),
        ({"Content_Length": "4001"}, 413),
    ],
)
def test_wrong_headers(headers: dict[str, str], status: int, server: WatchedServer) -> None:
    found, answer = ask(server, "/play", json.dumps(play_body(server)), **headers)
    assert found == status and answer["error"]
    if {"Host", "Origin"} & headers.keys():
        assert ask(server, "/state", **headers)[0] == ask(server, "/", **headers)[0] == status
        assert "Content-Security-Policy" in server.client.get("/", headers=headers).headers


def test_a_body_without_a_length_is_refused(server: WatchedServer) -> None:
    body = json.dumps(play_body(server)).encode()
    headers = {"Content-Type": "application/json"}
    answer = server.client.post("/play", content=iter([body]), headers=headers)
    assert answer.status_code == 411


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_the_names_of_the_loopback_address_are_accepted(name: str, server: WatchedServer) -> None:
    host = f"{name}:{PORT}"
    assert ask(server, "/state", Host=host, Origin=f"http://{host}")[0] == 200
