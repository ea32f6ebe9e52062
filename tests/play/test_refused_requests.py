"""What the server refuses, and that refusals change nothing; the headers of all its answers."""

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mindup_play.pages import read_served_files
from mindup_play.session import Session
from tests.play.tables import (
    SETTINGS,
    WatchedServer,
    ask,
    new_game,
    play_body,
    play_to,
    served,
)

CONTENT_TYPES = {path: file.content_type for path, file in read_served_files().items()}
JSON_PATHS = ("/deck", "/state", "/hint", "/offer", "/games")


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WatchedServer]:
    folder: Path = tmp_path_factory.mktemp("saved")
    with served(play_to(Session(SETTINGS), 4), folder) as server:
        yield server


@pytest.fixture
def server(one_server: WatchedServer) -> Iterator[WatchedServer]:
    """The same server for all tests: none may change it."""
    before = ask(one_server, "/state"), ask(one_server, "/games")
    yield one_server
    assert (ask(one_server, "/state"), ask(one_server, "/games")) == before
    assert one_server.exceptions == []


@pytest.mark.parametrize("path", [*CONTENT_TYPES, *JSON_PATHS])
def test_responses_have_a_strict_content_security_policy(path: str, server: WatchedServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200 and answer.read()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    assert "http" not in policy and "*" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Type"] == CONTENT_TYPES.get(path, "application/json")
    connection.request("HEAD", path)
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    connection.close()


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
        ("/play.js?x", 404),
        ("/play.py", 404),
        ("/%2e%2e/%2e%2e/pyproject.toml", 404),
        ("/..%2fbots.py", 404),
        ("/play.css/../bots.py", 404),
        ("*", 404),
    ],
)
def test_only_the_files_and_declared_queries_are_read(
    path: str, status: int, server: WatchedServer
) -> None:
    assert ask(server, path)[0] == status
    if status == 404:
        assert ask(server, path, "{}")[0] == 404


CURRENT = {"turn": {"game_id": "a", "turns_played": 0}, "card": 1}
"""Of another game than that of the server, but of the right form."""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        ("[" * 900, 400),
        ("\xff", 400),
        (CURRENT, 409),
        ({**CURRENT, "turn": {"game_id": 1, "turns_played": 0}}, 400),
        ({"turn": CURRENT["turn"]}, 400),
        ({**CURRENT, "seat": 1}, 400),
        ({**CURRENT, "turn": {"game_id": "a" * 5000, "turns_played": 0}}, 413),
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
    ("change", "status"),
    [
        ({"players": 7}, 422),
        ({"seed": str(2**64)}, 422),
        ({"seed": "\u0661"}, 422),
        ({"opponents": ["os:system"]}, 422),
        ({"opponents": ["lowest:x=1"]}, 422),
        ({"opponents": []}, 422),
        ({"objectives": 1.5}, 400),
    ],
)
def test_a_game_that_cannot_be_dealt(
    change: dict[str, Any], status: int, server: WatchedServer
) -> None:
    state = ask(server, "/state")[1]
    assert ask(server, "/deal", new_game(state, **change))[0] == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Length": "-1"}, 411),
        ({"Content_Length": "4001"}, 413),
        ({"Transfer_Encoding": "chunked"}, 411),
    ],
)
def test_wrong_headers(headers: dict[str, str], status: int, server: WatchedServer) -> None:
    assert ask(server, "/play", json.dumps(play_body(server)), **headers)[0] == status
    if {"Host", "Origin"} & headers.keys():
        assert ask(server, "/state", **headers)[0] == status
    for name in ("127.0.0.1", "localhost"):  # both names of the loopback address are accepted
        host = f"{name}:{server.server_port}"
        assert ask(server, "/state", Host=host, Origin=f"http://{host}")[0] == 200


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"PUT /play HTTP/1.1", 405),
        (b"GET /play HTTP/1.1", 405),
        (b"POST /state HTTP/1.1", 405),
        (b"POST /play HTTP/1.1\r\nContent-Type: application/json", 411),
        (b"GET / HTTP/9", 400),
        (b"\x00\xff /", 400),
    ],
    ids=lambda value: str(value)[:30],
)
def test_malformed_requests(request_line: bytes, status: int, server: WatchedServer) -> None:
    host = b"Host: 127.0.0.1:%d" % server.server_port
    with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
        connection.sendall(request_line + b"\r\n" + host + b"\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        with connection.makefile("rb") as answer:
            assert int(answer.readline().split()[1]) == status
