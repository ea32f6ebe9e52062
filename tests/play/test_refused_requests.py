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
from tests.play.page import play_to
from tests.play.tables import (
    POSTS,
    SETTINGS,
    WatchedServer,
    ask,
    get,
    new_game,
    play_body,
    send,
    served,
    statuses,
    turn_of,
)

CONTENT_TYPES = {path: file.content_type for path, file in read_served_files().items()}
JSON_PATHS = ("/deck", "/state", "/hint", "/offer", "/games")


TURNS = 4  # played before the requests
TEXTS = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


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


def check_unchanged(server: WatchedServer, before: Any) -> None:
    assert ask(server, "/state") == before
    assert server.warnings == server.exceptions == []
    assert [saved.id for saved, _ in server.games.newest_first()] == [server.other_game]


@pytest.fixture
def server(one_server: WatchedServer) -> Iterator[WatchedServer]:
    """The same server for all tests: none may change it."""
    before = ask(one_server, "/state")
    yield one_server
    check_unchanged(one_server, before)


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


@pytest.mark.parametrize("path", ["/play", "/deal", "/resume"])
def test_a_request_for_another_turn(path: str, server: WatchedServer) -> None:
    state = ask(server, "/state")[1]
    bodies = {
        "/play": play_body(server),
        "/deal": new_game(state),
        "/resume": {**turn_of(state), "saved_game": state["game_id"]},
    }
    body = bodies[path]
    for change in ({"turns_played": TURNS + 1}, {"turns_played": -1}, {"game_id": "0" * 16}):
        assert ask(server, path, {**body, "turn": {**body["turn"], **change}})[0] == 409


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/?players=4&seed=7", 200),
        ("/?game=anything&x=%ff", 200),
        ("/state?", 200),
        ("/state?x=1", 400),
        ("/record", 400),
        ("/record?game", 400),
        ("/record?game=%ff", 400),
        ("/record?game=a&game=a", 400),
        ("/record?game=a&other=b", 400),
        ("/record?game=..%2f..", 422),
        ("/finished?game=0123456789abcdef", 422),
        ("/play.js?x", 404),
        ("/play?x", 404),
    ],
)
def test_only_a_declared_query_is_read(path: str, status: int, server: WatchedServer) -> None:
    """That of the page is for its script alone: a link deals nothing."""
    assert statuses(send(server, get(path, server.server_port))) == [status]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"players": 7}, 422),
        ({"seed": str(2**64)}, 422),
        ({"seed": "\u0661"}, 422),
        ({"opponents": ["os:system"]}, 422),
        ({"opponents": ["lowest:x=1"]}, 422),
        ({"opponents": []}, 422),
        ({"opponents": ["lowest"] * 6}, 422),
        ({"players": "4"}, 400),
        ({"objectives": 1.5}, 400),
        ({"opponents": "lowest"}, 400),
    ],
)
def test_a_game_that_cannot_be_dealt(
    change: dict[str, Any], status: int, server: WatchedServer
) -> None:
    state = ask(server, "/state")[1]
    assert ask(server, "/deal", new_game(state, **change))[0] == status


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        ("null", 400),
        ("[" * 900, 400),
        ("\xff", 400),
        ({"turn": {"game_id": 1, "turns_played": 0}, "card": 1}, 400),
        ({"turn": {"game_id": "a", "turns_played": True}, "card": 1}, 400),
        ({"turn": {"game_id": "a"}, "card": 1}, 400),
        ({"turn": {"game_id": "a", "turns_played": 0}}, 400),
        ({"turn": {"game_id": "a", "turns_played": 0}, "card": 1, "seat": 1}, 400),
        ({"turn": {"game_id": "a" * 5000, "turns_played": 0}, "card": 1}, 413),
    ],
)
def test_malformed_bodies(body: Any, status: int, server: WatchedServer) -> None:
    assert ask(server, "/play", body)[0] == status


@pytest.mark.parametrize("card", [0, 61, 10**30, None])
def test_a_card_that_is_not_in_the_hand(card: int | None, server: WatchedServer) -> None:
    hand = server.session.game.hand(0)
    other = next(number for number in range(1, 61) if number not in hand)
    status, answer = ask(server, "/play", play_body(server, other if card is None else card))
    assert status == 422 and "not in the hand" in answer["error"]


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
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": "application/json; charset=utf-8"}, 415),
        ({"Content_Length": "x"}, 400),
        ({"Content_Length": "-1"}, 400),
        ({"Content_Length": "4001"}, 413),
        ({"Content_Length": "9999999999"}, 400),
        ({"Transfer_Encoding": "chunked"}, 411),
    ],
)
def test_wrong_headers(headers: dict[str, str], status: int, server: WatchedServer) -> None:
    assert ask(server, "/play", json.dumps(play_body(server)), **headers)[0] == status
    if {"Host", "Origin"} & headers.keys():
        assert ask(server, "/state", **headers)[0] == status


def test_both_names_of_the_loopback_address_are_accepted(server: WatchedServer) -> None:
    for name in ("127.0.0.1", "localhost"):
        host = f"{name}:{server.server_port}"
        assert ask(server, "/state", Host=host, Origin=f"http://{host}")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/play.py",
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/pyproject.toml",
        "/..%2fbots.py",
        "//etc/passwd",
        "/etc/passwd",
        "/table.css/../bots.py",
        "/favicon.ico",
        "*",
    ],
)
def test_any_other_file(path: str, server: WatchedServer) -> None:
    assert ask(server, path)[0] == ask(server, path, "{}")[0] == 404


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"PUT /play HTTP/1.1", 405),
        (b"DELETE /state HTTP/1.1", 405),
        (b"OPTIONS /play HTTP/1.1", 405),
        (b"GET /play HTTP/1.1", 405),
        (b"POST /state HTTP/1.1", 405),
        (b"POST /play HTTP/1.1\r\nContent-Type: application/json", 411),
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


# Random requests, malformed or out of order: never a 5xx, an exception or a change


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_requests_that_are_nearly_right(one_server: WatchedServer, data: st.DataObject) -> None:
    before = ask(one_server, "/state")
    state, other = before[1], one_server.other_game
    hand = one_server.session.game.hand(0)
    bodies = {
        "/play": {**turn_of(state), "card": hand[0]},
        "/deal": new_game(state, hints=data.draw(st.booleans(), "hints")),
        "/resume": {**turn_of(state), "saved_game": other},
        "/delete": {"saved_game": other},
        "/review": {"game": other},
        "/try-again": {"game": other, "turns": 0},
    }
    path = data.draw(st.sampled_from(POSTS))
    body: dict[str, Any] = bodies[path]
    parts = [part for part in (body, body.get("turn"), body.get("game")) if isinstance(part, dict)]
    part = data.draw(st.sampled_from(parts))
    name = data.draw(st.sampled_from(sorted(part)))
    wrong = {
        "turn": JSON,
        "game_id": JSON.filter(lambda value: value != state["game_id"]),
        "turns_played": st.integers().filter(lambda turns: turns != TURNS) | TEXTS,
        "card": st.integers().filter(lambda card: card not in hand) | TEXTS,
        "players": st.integers(max_value=1) | st.integers(min_value=7) | TEXTS,
        "objectives": st.integers(max_value=-1) | st.integers(min_value=6) | TEXTS,
        "seed": st.integers() | st.text(min_size=1).filter(lambda text: not text.isdecimal()),
        "seat": st.integers(max_value=-1) | st.integers(min_value=4) | TEXTS,
        "opponents": JSON,
        "hints": JSON.filter(lambda value: not isinstance(value, bool)),
        "saved_game": JSON.filter(lambda value: value != other),
        "game": JSON.filter(lambda value: value != other),
        "turns": st.integers(max_value=-1) | st.integers(min_value=100) | TEXTS,
    }
    if data.draw(st.booleans(), "omit"):
        del part[name]
    else:
        part[name] = data.draw(wrong[name], name)
    sent = data.draw(st.just(body) | JSON, "body")
    status, answer = ask(one_server, path, json.dumps(sent)[:900])
    assert 400 <= status < 500 and isinstance(answer["error"], str)
    check_unchanged(one_server, before)


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_requests_out_of_order(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Outdated requests, sent again at any time, among current ones."""
    with served(Session(SETTINGS), tmp_path_factory.mktemp("saved")) as server:
        sent: list[dict[str, Any]] = []
        for _ in range(data.draw(st.integers(1, 12), "requests")):
            turns, now = server.session.turns_played, ask(server, "/state")[1]
            old = data.draw(st.booleans(), "outdated")
            if sent and old:
                outdated = data.draw(st.sampled_from(sent))
                assert ask(server, "/play", outdated)[0] == 409
                assert server.session.turns_played == turns and ask(server, "/state")[1] == now
            else:
                hand = server.session.game.hand(0)
                sent.append({**turn_of(now), "card": data.draw(st.sampled_from(hand))})
                assert ask(server, "/play", sent[-1])[0] == 200
                assert server.session.turns_played == turns + 1
        assert server.exceptions == []
