"""What the server refuses, and that refusals change nothing; the headers of all its answers."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_play.pages import read_served_files
from mindup_play.session import Session
from tests.hostile.strategies import damaged_plain, in_json
from tests.play.tables import (
    POSTS,
    SETTINGS,
    WatchedServer,
    ask,
    new_game,
    play_body,
    play_to,
    send,
    served,
    statuses,
    turn_of,
)

CONTENT_TYPES = {path: file.content_type for path, file in read_served_files().items()}
JSON_PATHS = ("/deck", "/state", "/hint", "/offer", "/games")
TURNS = 4  # played before the requests


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WatchedServer]:
    folder: Path = tmp_path_factory.mktemp("saved")
    session = play_to(Session(SETTINGS), TURNS)
    with served(session, folder) as server:
        # Another game on disk, which no request may change.
        other = server.games.new()
        other.save(session)
        other.close()
        server.other_game = other.id
        yield server


@pytest.fixture
def server(one_server: WatchedServer) -> Iterator[WatchedServer]:
    """The same server for all tests: none may change it."""
    before = ask(one_server, "/state")
    yield one_server
    assert ask(one_server, "/state") == before
    assert one_server.warnings == one_server.exceptions == []
    assert [saved.id for saved, _ in one_server.games.newest_first()] == [one_server.other_game]


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
        ("/?game=anything&x=%ff", 200),
        ("/state?", 200),
        ("/state?x=1", 400),
        ("/record", 400),
        ("/record?game", 422),
        ("/record?game=%ff", 422),
        ("/record?game=a&game=a", 422),
        ("/record?game=a&other=b", 400),
        ("/record?game=..%2f..", 422),
        ("/finished?game=0123456789abcdef", 422),
        ("/play.js?x", 404),
        ("/play?x", 404),
        ("/play.py", 404),
        ("/%2e%2e/%2e%2e/pyproject.toml", 404),
        ("/..%2fbots.py", 404),
        ("//etc/passwd", 404),
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
        ("null", 400),
        ("[" * 900, 400),
        ("\xff", 400),
        (CURRENT, 409),
        ({**CURRENT, "turn": {"game_id": 1, "turns_played": 0}}, 400),
        ({**CURRENT, "turn": {"game_id": "a", "turns_played": True}}, 400),
        ({**CURRENT, "turn": {"game_id": "a"}}, 400),
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
        ({"players": "4"}, 400),
        ({"objectives": 1.5}, 400),
        ({"opponents": 5}, 400),
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
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/json; charset=utf-8"}, 415),
        ({"Content_Length": "x"}, 411),
        ({"Content_Length": "-1"}, 411),
        ({"Content_Length": "4001"}, 413),
        ({"Content_Length": "9999999999"}, 411),
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
        (b"OPTIONS /play HTTP/1.1", 405),
        (b"GET /play HTTP/1.1", 405),
        (b"POST /state HTTP/1.1", 405),
        (b"POST /play HTTP/1.1\r\nContent-Type: application/json", 411),
        (b"GET /../pyproject.toml HTTP/1.1", 404),
        (b"GET / HTTP/2.0", 400),
        (b"GET / HTTP/9", 400),
        (b"GET", 400),
        (b"\x00\xff /", 400),
        (b"GET /" + b"a" * 70000 + b" HTTP/1.1", 414),
    ],
    ids=lambda value: str(value)[:30],
)
def test_malformed_requests(request_line: bytes, status: int, server: WatchedServer) -> None:
    host = b"Host: 127.0.0.1:%d" % server.server_port
    found = statuses(send(server, request_line + b"\r\n" + host + b"\r\n\r\n"))
    # The server closes the connection before it has read the line: the answer may be lost.
    assert found == [status] or (found == [] and status == 414)


@settings(max_examples=15)
@given(st.data())
def test_random_requests(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Never a 5xx or an exception; a refusal, such as of an outdated request, changes nothing."""
    with served(Session(SETTINGS), tmp_path_factory.mktemp("saved")) as server:
        played: list[dict[str, Any]] = []
        for _ in range(data.draw(st.integers(1, 12), "requests")):
            before, turns = ask(server, "/state"), server.session.turns_played
            kind = data.draw(st.sampled_from(["current", "outdated", "damaged"]), "kind")
            if kind == "current":
                card = data.draw(st.sampled_from(server.session.game.hand(0)))
                played.append(play_body(server, card))
                assert ask(server, "/play", played[-1])[0] == 200
                assert server.session.turns_played == turns + 1
                continue
            if kind == "outdated" and played:
                assert ask(server, "/play", data.draw(st.sampled_from(played)))[0] == 409
            else:
                status, answer = damaged_request(server, data)
                if status == 200:  # another card or game, or one value for another
                    continue
                assert 400 <= status < 500 and isinstance(answer["error"], str)
            assert ask(server, "/state") == before
        assert server.exceptions == []


def damaged_request(server: WatchedServer, data: st.DataObject) -> tuple[int, Any]:
    """A request to a random route, nearly in the form that is accepted."""
    state = ask(server, "/state")[1]
    game, turn = state["game_id"], turn_of(state)
    bodies: dict[str, Any] = {
        "/play": {**turn, "card": 1},
        "/deal": new_game(state),
        "/resume": {**turn, "saved_game": game},
        "/delete": {"saved_game": game},
        "/review": {"game": game},
        "/try-again": {"game": game, "turns": 0},
    }
    path = data.draw(st.sampled_from(POSTS), "path")
    return ask(server, path, data.draw(in_json(damaged_plain(bodies[path])), "body")[:900])
