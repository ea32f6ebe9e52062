"""The server: its answers, and refused requests, which change nothing."""

import http.client
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mindup_env import Game
from mindup_play.saved import SavedGame
from mindup_play.served_files import read_served_files
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings
from tests.play.bots import Slow
from tests.play.tables import SETTINGS, WatchedServer, ask, play_body, send, served, statuses

CONTENT_TYPES = {path: file.content_type for path, file in read_served_files().items()}
JSON_PATHS = ("/deck", "/state", "/hint")


def test_only_the_loopback_address_is_listened_on(server: WatchedServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_game_is_played_by_requests(server: WatchedServer) -> None:
    for turns in range(1, 22):
        status, state = ask(server, "/play", play_body(server))
        assert (status, state["turns_played"]) == (200, turns)
    assert state["table"]["over"]
    status, record = ask(server, "/record")
    assert status == 200 and Game.replay(record) == server.session.game


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


def test_the_files_name_no_other_host() -> None:
    for file in read_served_files().values():
        text = file.content.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"\w+://|url\(|@import|[\"'(]//", text)


# Requests for another game or turn


@pytest.mark.parametrize("path", ["/play", "/deal"])
@pytest.mark.parametrize(
    ("change", "status"),
    [({"turns_played": 1}, 409), ({"turns_played": 2**40}, 400), ({"game_id": "0" * 16}, 409)],
)
def test_a_request_for_another_turn_changes_nothing(
    path: str, change: dict[str, Any], status: int, server: WatchedServer
) -> None:
    body = play_body(server)
    if path == "/deal":
        del body["card"]
        body |= {"players": 4, "objectives": 0, "seed": ""}
    before = ask(server, "/state")
    assert ask(server, path, {**body, **change})[0] == status
    assert ask(server, "/state") == before


def test_the_second_of_two_tabs_is_outdated(server: WatchedServer) -> None:
    first, second = (play_body(server, server.session.game.hand(0)[i]) for i in range(2))
    assert ask(server, "/play", first)[0] == 200
    state = ask(server, "/state")
    status, answer = ask(server, "/play", second)
    assert status == 409 and "another tab" in answer["error"]
    assert ask(server, "/play", first)[0] == 409
    assert ask(server, "/state") == state and server.session.turns_played == 1


def test_after_the_end_the_same_deal_can_be_played_again(
    server: WatchedServer,
) -> None:
    first = ask(server, "/state")[1]
    assert ask(server, "/record")[0] == 409
    for _ in range(21):
        body = play_body(server)
        ask(server, "/play", body)
    turn = {name: ask(server, "/state")[1][name] for name in ("game_id", "turns_played")}
    assert ask(server, "/play", {**turn, "card": body["card"]})[0] == 409
    new_game = {"players": 4, "objectives": 0, "seed": first["seed"]}
    status, again = ask(server, "/deal", {**turn, **new_game})
    assert status == 200 and again["table"] == first["table"]
    assert again["game_id"] != first["game_id"]


def test_another_game_can_be_dealt(server: WatchedServer) -> None:
    turn = {name: ask(server, "/state")[1][name] for name in ("game_id", "turns_played")}
    body = {**turn, "players": 6, "objectives": 3, "seed": str(2**64 - 1)}
    status, state = ask(server, "/deal", body)
    assert status == 200 and state["seed"] == str(2**64 - 1)
    assert len(state["names"]) == 6 and len(state["table"]["objectives"]) == 3
    turn = {name: state[name] for name in ("game_id", "turns_played")}
    state = ask(server, "/deal", {**turn, "players": 3, "objectives": 0, "seed": ""})[1]
    assert len(state["names"]) == 3 and state["seed"] != str(2**64 - 1)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"players": 7}, 422),
        ({"players": 0}, 422),
        ({"objectives": -1}, 422),
        ({"seed": str(2**64)}, 422),
        ({"seed": "x"}, 400),
        ({"seed": "1" * 21}, 400),
        ({"seed": "\u0661"}, 400),
        ({"seed": 7}, 400),
        ({"players": "4"}, 400),
        ({"objectives": 1.5}, 400),
        ({"opponents": ["os:system"]}, 400),
    ],
)
def test_a_game_that_cannot_be_dealt_is_refused(
    change: dict[str, Any], status: int, server: WatchedServer
) -> None:
    before = ask(server, "/state")
    turn = {name: before[1][name] for name in ("game_id", "turns_played")}
    new_game = {**turn, "players": 4, "objectives": 0, "seed": "", **change}
    assert ask(server, "/deal", new_game)[0] == status
    assert ask(server, "/state") == before


def test_a_state_reads_no_package_metadata(
    server: WatchedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bots' short names come from there, which takes longer than the rest of a state."""
    before = ask(server, "/state")
    monkeypatch.delattr("mindup_play.settings.list_agents")
    assert ask(server, "/state") == before


# Refused requests


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 411),
        ("{", 400),
        ("[]", 400),
        ("null", 400),
        ("[" * 900, 400),
        ("\xff", 400),
        ({"game_id": 1, "turns_played": 0, "card": 1}, 400),
        ({"game_id": "a", "turns_played": 0}, 400),
        ({"game_id": "a", "turns_played": "0", "card": 1}, 400),
        ({"game_id": "a", "turns_played": True, "card": 1}, 400),
        ({"game_id": "a", "turns_played": -1, "card": 1}, 400),
        ({"game_id": "a", "turns_played": 0, "card": "1"}, 400),
        ({"game_id": "a", "turns_played": 0, "card": 1, "seat": 1}, 400),
        ({"game_id": "a" * 2000, "turns_played": 0, "card": 1}, 413),
    ],
)
def test_malformed_bodies_are_refused(body: Any, status: int, server: WatchedServer) -> None:
    before = ask(server, "/state")
    if body == "":
        request = b"POST /play HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n\r\n"
        host = f"127.0.0.1:{server.server_port}".encode()
        assert statuses(send(server, request % host)) == [status]
    else:
        assert ask(server, "/play", body)[0] == status
    assert ask(server, "/state") == before


@pytest.mark.parametrize("card", [0, 61, 10**30, None])
def test_a_card_that_is_not_in_the_hand_is_refused(card: int | None, server: WatchedServer) -> None:
    card = (
        next(c for c in range(1, 61) if c not in server.session.game.hand(0))
        if card is None
        else card
    )
    status, answer = ask(server, "/play", play_body(server, card))
    assert status == 422 and "not in the hand" in answer["error"]
    assert server.session.turns_played == 0


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
        ({"Content_Length": "1001"}, 413),
        ({"Content_Length": "9999999999"}, 400),
        ({"Transfer_Encoding": "chunked"}, 411),
    ],
)
def test_wrong_headers_are_refused(
    headers: dict[str, str], status: int, server: WatchedServer
) -> None:
    assert ask(server, "/play", json.dumps(play_body(server)), **headers)[0] == status
    assert server.session.turns_played == 0
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
        "/server.py",
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/pyproject.toml",
        "/..%2fbots.py",
        "//etc/passwd",
        "/etc/passwd",
        "/table.css/../bots.py",
        "/play.js?x",
        "/favicon.ico",
        "*",
    ],
)
def test_no_other_file_is_served(path: str, server: WatchedServer) -> None:
    assert ask(server, path)[0] == 404
    assert ask(server, path, "{}")[0] == 404


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"PUT /play HTTP/1.1", 405),
        (b"DELETE /state HTTP/1.1", 405),
        (b"OPTIONS /play HTTP/1.1", 405),
        (b"GET /play HTTP/1.1", 405),
        (b"POST /state HTTP/1.1", 405),
        (b"GET / HTTP/2.0", 400),
        (b"GET / HTTP/9", 400),
        (b"GET", 400),
        (b"\x00\xff /", 400),
        (b"GET /" + b"a" * 70000 + b" HTTP/1.1", 414),
    ],
    ids=lambda value: str(value)[:30],
)
def test_malformed_requests_are_refused(
    request_line: bytes, status: int, server: WatchedServer
) -> None:
    host = b"Host: 127.0.0.1:%d" % server.server_port
    found = statuses(send(server, request_line + b"\r\n" + host + b"\r\n\r\n"))
    # The server closes the connection before it has read the line: the answer may be lost.
    assert found == [status] or (found == [] and status == 414)
    assert server.exceptions == []


# Failing bots and disks


def test_a_failing_bot_is_named_and_the_turn_is_not_played(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    session = Session(PlaySettings(1, opponents=("tests.play.bots:Failing",)))
    with served(session, tmp_path) as server:
        assert ask(server, "/play", play_body(server))[0] == 200
        status, answer = ask(server, "/play", play_body(server))
        assert status == 500 and "Failing at seat 1 failed" in answer["error"]
        assert server.session.turns_played == 1
    assert "out of ideas" in capfd.readouterr().err


def test_a_game_that_cannot_be_saved_continues(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("not a folder")
    with served(Session(SETTINGS), folder) as server:
        assert ask(server, "/play", play_body(server))[0] == 200
        assert len(server.warnings) == 1 and server.warnings[0].startswith(
            "cannot save the game in"
        )


def test_after_a_restart_the_game_continues(server: WatchedServer, tmp_path: Path) -> None:
    for _ in range(8):
        state = ask(server, "/play", play_body(server))[1]
    manager = SessionManager(SavedGame(tmp_path).load(), SavedGame(tmp_path), print)
    later = manager.state()
    assert later["table"] == state["table"]
    assert later["game_id"] != state["game_id"]  # a tab that is still open must reload the state


# Slow bots


def test_while_a_bot_chooses_other_requests_are_answered(tmp_path: Path) -> None:
    Slow.go_on.clear()
    slow = PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")
    with served(Session(slow), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        played = clients.submit(ask, server, "/play", play_body(server))
        hinted = clients.submit(ask, server, "/hint")
        status, state = ask(server, "/state")
        assert (status, state["turns_played"]) == (200, 0)
        new_game = {"players": 4, "objectives": 0, "seed": ""}
        turn = {name: state[name] for name in ("game_id", "turns_played")}
        status, dealt = ask(server, "/deal", {**turn, **new_game})
        assert status == 200 and dealt["game_id"] != state["game_id"]
        assert not played.done() and not hinted.done()
        Slow.go_on.set()
        assert played.result()[0] == 409, "another game is dealt"
        status, hint = hinted.result()
        assert status == 200 and hint["game_id"] == state["game_id"]


def test_a_turn_requested_twice_is_played_once(tmp_path: Path) -> None:
    Slow.go_on.clear()
    slow = PlaySettings(7, opponents=("tests.play.bots:Slow",))
    with served(Session(slow), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        twice = [clients.submit(ask, server, "/play", play_body(server)) for _ in range(2)]
        Slow.go_on.set()
        assert sorted(each.result()[0] for each in twice) == [200, 409]
        assert server.session.turns_played == 1
