"""The server: what it tells, what it refuses, and that a refusal changes nothing."""

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

FILES = read_served_files()


def test_it_listens_on_the_loopback_address_alone(server: WatchedServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_game_is_played_by_requests(server: WatchedServer) -> None:
    for clock in range(1, 22):
        status, state = ask(server, "/play", play_body(server))
        assert (status, state["clock"]) == (200, clock)
    assert state["moment"]["over"]
    status, record = ask(server, "/record")
    assert status == 200 and Game.replay(record) == server.session.game


@pytest.mark.parametrize("path", FILES)
def test_pages_come_with_a_strict_policy(path: str, server: WatchedServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200 and answer.read()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    assert "http" not in policy and "*" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Type"] == FILES[path].kind
    connection.request("HEAD", path)
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    connection.close()


def test_a_page_names_no_other_host() -> None:
    for file in FILES.values():
        text = file.content.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"\w+://|url\(|@import|[\"'(]//", text)


# Whose game, and which turn


@pytest.mark.parametrize("path", ["/play", "/deal"])
@pytest.mark.parametrize("change", [{"clock": 1}, {"clock": 2**40}, {"game": "0" * 16}])
def test_a_request_for_another_turn_moves_nothing(
    path: str, change: dict[str, Any], server: WatchedServer
) -> None:
    body = play_body(server)
    if path == "/deal":
        del body["card"]
        body |= {"players": 4, "objectives": 0, "seed": ""}
    before = ask(server, "/state")
    status, told = ask(server, path, {**body, **change})
    assert status == (400 if change == {"clock": 2**40} else 409), told
    assert ask(server, "/state") == before


def test_of_two_tabs_the_second_is_told_that_the_game_went_on(server: WatchedServer) -> None:
    first, second = (play_body(server, server.session.game.hand(0)[i]) for i in range(2))
    assert ask(server, "/play", first)[0] == 200
    state = ask(server, "/state")
    status, told = ask(server, "/play", second)
    assert status == 409 and "another tab" in told["error"]
    assert ask(server, "/play", first)[0] == 409
    assert ask(server, "/state") == state and server.session.clock == 1


def test_after_the_end_no_card_can_be_played_and_the_same_deal_can_be_had(
    server: WatchedServer,
) -> None:
    first = ask(server, "/state")[1]
    assert ask(server, "/record")[0] == 409
    for _ in range(21):
        body = play_body(server)
        ask(server, "/play", body)
    place = {name: ask(server, "/state")[1][name] for name in ("game", "clock")}
    assert ask(server, "/play", {**place, "card": body["card"]})[0] == 409
    wish = {"players": 4, "objectives": 0, "seed": first["seed"]}
    status, again = ask(server, "/deal", {**place, **wish})
    assert status == 200 and again["moment"] == first["moment"]
    assert again["game"] != first["game"]


def test_another_table_can_be_dealt(server: WatchedServer) -> None:
    place = {name: ask(server, "/state")[1][name] for name in ("game", "clock")}
    body = {**place, "players": 6, "objectives": 3, "seed": str(2**64 - 1)}
    status, state = ask(server, "/deal", body)
    assert status == 200 and state["seed"] == str(2**64 - 1)
    assert len(state["names"]) == 6 and len(state["moment"]["objectives"]) == 3
    place = {name: state[name] for name in ("game", "clock")}
    state = ask(server, "/deal", {**place, "players": 3, "objectives": 0, "seed": ""})[1]
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
def test_a_table_that_cannot_be_dealt_is_refused(
    change: dict[str, Any], status: int, server: WatchedServer
) -> None:
    before = ask(server, "/state")
    place = {name: before[1][name] for name in ("game", "clock")}
    wish = {**place, "players": 4, "objectives": 0, "seed": "", **change}
    assert ask(server, "/deal", wish)[0] == status
    assert ask(server, "/state") == before


# Requests that are wrong


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 411),
        ("{", 400),
        ("[]", 400),
        ("null", 400),
        ("[" * 900, 400),
        ("\xff", 400),
        ({"game": 1, "clock": 0, "card": 1}, 400),
        ({"game": "a", "clock": 0}, 400),
        ({"game": "a", "clock": "0", "card": 1}, 400),
        ({"game": "a", "clock": True, "card": 1}, 400),
        ({"game": "a", "clock": -1, "card": 1}, 400),
        ({"game": "a", "clock": 0, "card": "1"}, 400),
        ({"game": "a", "clock": 0, "card": 1, "seat": 1}, 400),
        ({"game": "a" * 2000, "clock": 0, "card": 1}, 413),
    ],
)
def test_bodies_that_no_page_sends_are_refused(
    body: Any, status: int, server: WatchedServer
) -> None:
    before = ask(server, "/state")
    if body == "":
        request = b"POST /play HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n\r\n"
        manager = f"127.0.0.1:{server.server_port}".encode()
        assert statuses(send(server, request % manager)) == [status]
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
    status, told = ask(server, "/play", play_body(server, card))
    assert status == 422 and "not in the hand" in told["error"]
    assert server.session.clock == 0


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
def test_headers_that_no_page_of_this_server_sends_are_refused(
    headers: dict[str, str], status: int, server: WatchedServer
) -> None:
    assert ask(server, "/play", json.dumps(play_body(server)), **headers)[0] == status
    assert server.session.clock == 0
    if {"Host", "Origin"} & headers.keys():
        assert ask(server, "/state", **headers)[0] == status


def test_it_answers_by_the_names_of_this_machine(server: WatchedServer) -> None:
    for name in ("127.0.0.1", "localhost"):
        manager = f"{name}:{server.server_port}"
        assert ask(server, "/state", SessionManager=manager, Origin=f"http://{manager}")[0] == 200


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
def test_what_is_no_request_is_refused(
    request_line: bytes, status: int, server: WatchedServer
) -> None:
    manager = b"Host: 127.0.0.1:%d" % server.server_port
    found = statuses(send(server, request_line + b"\r\n" + manager + b"\r\n\r\n"))
    # What it leaves unread of an endless line may cut its answer off.
    assert found == [status] or (found == [] and status == 414)
    assert server.faults == []


# What is not the page's fault


def test_a_bot_that_fails_is_named_and_the_game_stays(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    session = Session(PlaySettings(1, opponents=("tests.play.bots:Failing",)))
    with served(session, tmp_path) as server:
        assert ask(server, "/play", play_body(server))[0] == 200
        status, told = ask(server, "/play", play_body(server))
        assert status == 500 and "Failing at seat 1 failed" in told["error"]
        assert server.session.clock == 1
    assert "out of ideas" in capfd.readouterr().err


def test_a_game_that_cannot_be_saved_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("in the way")
    with served(Session(SETTINGS), folder) as server:
        assert ask(server, "/play", play_body(server))[0] == 200
        assert len(server.notices) == 1 and server.notices[0].startswith("cannot save the game in")


def test_after_a_restart_the_game_goes_on(server: WatchedServer, tmp_path: Path) -> None:
    for _ in range(8):
        state = ask(server, "/play", play_body(server))[1]
    manager = SessionManager(SavedGame(tmp_path).take_up(), SavedGame(tmp_path), print)
    later = manager.state()
    assert later["moment"] == state["moment"]
    assert later["game"] != state["game"]  # a tab that is still open has to look anew


# Bots that take their time


def test_while_a_bot_thinks_all_else_goes_on(tmp_path: Path) -> None:
    Slow.go_on.clear()
    slow = PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")
    with served(Session(slow), tmp_path) as server, ThreadPoolExecutor(2) as asking:
        played = asking.submit(ask, server, "/play", play_body(server))
        hinted = asking.submit(ask, server, "/hint")
        status, state = ask(server, "/state")
        assert (status, state["clock"]) == (200, 0)
        wish = {"players": 4, "objectives": 0, "seed": ""}
        place = {name: state[name] for name in ("game", "clock")}
        status, dealt = ask(server, "/deal", {**place, **wish})
        assert status == 200 and dealt["game"] != state["game"]
        assert not played.done() and not hinted.done()
        Slow.go_on.set()
        assert played.result()[0] == 409, "another game is dealt"
        status, hint = hinted.result()
        assert status == 200 and hint["game"] == state["game"]


def test_a_turn_is_played_once_by_whoever_asks_twice(tmp_path: Path) -> None:
    Slow.go_on.clear()
    slow = PlaySettings(7, opponents=("tests.play.bots:Slow",))
    with served(Session(slow), tmp_path) as server, ThreadPoolExecutor(2) as asking:
        twice = [asking.submit(ask, server, "/play", play_body(server)) for _ in range(2)]
        Slow.go_on.set()
        assert sorted(each.result()[0] for each in twice) == [200, 409]
        assert server.session.clock == 1
