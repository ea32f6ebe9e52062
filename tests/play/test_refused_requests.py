"""What the server refuses, and that refusals change nothing; the headers of all its answers."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from mindup_play.server import PAGES, make_app
from mindup_play.session import Session
from tests.play.tables import SETTINGS, Table, play_to, table_of

TYPES = {
    **dict.fromkeys(PAGES, "text/html; charset=utf-8"),
    "/icon.svg": "image/svg+xml",
    "/table.css": "text/css; charset=utf-8",
    "/page.js": "text/javascript; charset=utf-8",
    **dict.fromkeys(("/state", "/none", "/record?game=a"), "application/json"),
}
OTHER_GAME = "0" * 16
OUTDATED = {"game": OTHER_GAME, "turn": 0, "card": 1}


@pytest.fixture(scope="module")
def one_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder: Path = tmp_path_factory.mktemp("saved")
    with table_of(play_to(Session(SETTINGS), 4), folder) as table:
        yield table


@pytest.fixture
def table(one_table: Table) -> Iterator[Table]:
    """The same server for all tests: none may change it."""
    before = one_table.get("/state"), one_table.get("/games")
    yield one_table
    assert (one_table.get("/state"), one_table.get("/games")) == before


@pytest.mark.parametrize("path", TYPES)
def test_responses_have_a_strict_content_security_policy(path: str, table: Table) -> None:
    headers = table.http.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert not any(word in policy for word in ("unsafe", "http", "*"))
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store" and headers["Content-Type"] == TYPES[path]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/state?x=1", None, 422),
        ("/record", None, 422),
        ("/record?game=..%2f..", None, 422),
        ("/%2e%2e/server.py", None, 404),
        ("/state", {}, 405),
        ("/play", [], 422),
        ("/play", {**OUTDATED, "turn": True}, 422),
        ("/play", {**OUTDATED, "seat": 1}, 422),
    ],
)
def test_only_files_and_requests_of_the_right_form_are_answered(
    path: str, body: Any, status: int, table: Table
) -> None:
    found, answer = table.ask(path, body)
    assert found == status and answer["error"]


@pytest.mark.parametrize(
    ("body", "status"), [(b"\xff", 400), (b"[" * 100_000, 400), (b" " * 10**6 + b"{}", 413)]
)
def test_what_is_not_json_or_too_large_is_refused(body: bytes, status: int, table: Table) -> None:
    headers = {"Content-Type": "application/json"}
    for content in (body, iter([body])):  # the second does not tell its length
        response = table.http.post("/play", content=content, headers=headers)
        assert response.status_code == status and response.json()["error"]


HEAD = "POST /play HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n"
POST = f"{HEAD}Content-Length: 9\r\n\r\n"


@pytest.mark.parametrize("begun", ["", "GET / HTTP/1.1\r\nHo", POST, POST + "{{"])
def test_a_request_that_does_not_go_on_is_ended(
    begun: str, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindup_play.server.PATIENCE", 0)
    host, port = str(table.http.base_url.host), table.http.base_url.port
    with socket.create_connection((host, port), timeout=60) as half_open:
        half_open.sendall(begun.format(f"{host}:{port}").encode())
        assert half_open.makefile("rb").read()[9:12] in (b"", b"408")
    monkeypatch.undo()


def test_a_card_that_is_not_in_the_hand_is_refused(table: Table) -> None:
    for card in {0, 1, 60, 61, 10**30} - {*table.session.game.hand(0)}:
        status, answer = table.change("/play", card=card)
        assert status == 422 and "not in the hand" in answer["error"]


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/play", {"card": 1}),
        ("/deal", {"settings": {}}),
        ("/resume", {"saved_game": OTHER_GAME}),
        ("/try-again", {"saved_game": OTHER_GAME, "turns": 0}),
        ("/delete", {"saved_game": OTHER_GAME}),
    ],
)
def test_every_change_names_the_current_game_and_turn(
    path: str, more: dict[str, Any], table: Table
) -> None:
    for other in ({"game": OTHER_GAME}, {"turn": 3}, {"turn": 5}):
        status, answer = table.change(path, **other, **more)
        assert status == 409 and "has continued in the meantime" in answer["error"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 7}, "players must be 2 to 6, not 7"),
        ({"seat": 4}, "seat must be 0 to 3, not 4"),
        ({"seed": str(2**64)}, "The seed must be a number from 0 to"),
        ({"opponents": ["os:system"]}, "unknown bot 'os:system'"),
        ({"opponents": ["champion"], "players": 2}, "champion plays with 3, 4, 5, 6 players"),
        ({"opponents": []}, "must be names of bots"),
        ({"deck": 1}, "unknown: 'deck'"),
    ],
)
def test_a_game_that_cannot_be_dealt(change: dict[str, Any], message: str, table: Table) -> None:
    status, answer = table.deal(**change)
    assert status == 422 and message in answer["error"]


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "evil.example:{port}", 421),
        ("Host", "127.0.0.1:1", 421),
        ("Origin", "http://127.0.0.1:1", 403),
        ("Origin", "https://127.0.0.1:{port}", 403),
        ("Origin", "null", 403),
        ("Content-Type", "text/plain", 415),
    ],
)
def test_requests_of_other_sites_are_refused(
    header: str, value: str, status: int, table: Table
) -> None:
    given = {header: value.format(port=table.http.base_url.port)}
    card = table.session.game.hand(0)[0]
    found, answer = table.ask("/play", {**table.turn(), "card": card}, **given)
    assert found == status and answer["error"]
    if header != "Content-Type":
        assert table.ask("/", **given)[0] == status


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_the_names_of_the_loopback_address_are_accepted(name: str, table: Table) -> None:
    host = f"{name}:{table.http.base_url.port}"
    assert table.ask("/state", Host=host, Origin=f"http://{host}")[0] == 200
    for port, status in ((80, 200), (8080, 421)):  # browsers leave out the usual port
        client = TestClient(make_app(table.manager), f"http://127.0.0.1:{port}")
        assert client.get("/icon.svg", headers={"Host": name}).status_code == status
