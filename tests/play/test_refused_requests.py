"""What the server refuses, and that refusals change nothing; the headers of all its answers."""

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

TYPES = {
    **dict.fromkeys(PAGES, "text/html; charset=utf-8"),
    "/icon.svg": "image/svg+xml",
    "/table.css": "text/css; charset=utf-8",
    "/page.js": "text/javascript; charset=utf-8",
    **dict.fromkeys(("/state", "/none", "/record?game=a"), "application/json"),
}
CURRENT = {"game": "a", "turn": 0, "card": 1}
"""Of another game than that of the server, but of the right form."""


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


@pytest.mark.parametrize("path", TYPES)
def test_responses_have_a_strict_content_security_policy(path: str, server: WatchedServer) -> None:
    headers = server.client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert not any(word in policy for word in ("unsafe", "http", "*"))
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store" and headers["Content-Type"] == TYPES[path]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/?players=4&seed=7", None, 200),  # for its script alone: a link deals nothing
        ("/state?x=1", None, 422),
        ("/record", None, 422),
        ("/record?game=..%2f..", None, 422),
        ("/%2e%2e/server.py", None, 404),
        ("/%2fetc%2fpasswd", None, 404),
        ("/%00", None, 404),
        ("/state", {}, 405),
        ("/play", "{", 422),
        ("/play", b"\xff", 422),
        ("/play", [], 422),
        ("/play", CURRENT, 409),
        ("/play", {**CURRENT, "turn": True}, 422),
        ("/play", {**CURRENT, "seat": 1}, 422),
        ("/play", {"game": "a", "turn": 0}, 422),
    ],
)
def test_only_files_and_requests_of_the_right_form_are_answered(
    path: str, body: Any, status: int, server: WatchedServer
) -> None:
    found, answer = ask(server, path, body)
    assert found == status and (status == 200 or answer["error"])


def test_a_card_that_is_not_in_the_hand(server: WatchedServer) -> None:
    other = next(card for card in range(1, 61) if card not in server.session.game.hand(0))
    for card in (other, 0, 61, 10**30):
        status, answer = ask(server, "/play", play_body(server, card))
        assert status == 422 and "not in the hand" in answer["error"]


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 7}, "players must be 2 to 6, not 7"),
        ({"seed": str(2**64)}, "The seed must be a number from 0 to"),
        ({"opponents": ["os:system"]}, "unknown bot 'os:system'"),
        ({"opponents": ["lowest:x=1"]}, "unknown bot 'lowest:x=1'"),
        ({"opponents": ["champion"], "players": 2}, "champion plays with 3, 4, 5, 6 players"),
        ({"opponents": []}, "must be names of bots"),
        ({"objectives": 1.5}, "objectives must be a whole number, not 1.5"),
        ({"deck": 1}, "unknown: 'deck'"),
    ],
)
def test_a_game_that_cannot_be_dealt(
    change: dict[str, Any], message: str, server: WatchedServer
) -> None:
    status, answer = ask(server, "/deal", new_game(state_of(server), **change))
    assert status == 422 and message in answer["error"]


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", f"evil.example:{PORT}", 421),
        ("Host", "127.0.0.1:1", 421),
        ("Host", "", 421),
        ("Origin", "http://evil.example", 403),
        ("Origin", "http://127.0.0.1:1", 403),
        ("Origin", f"https://127.0.0.1:{PORT}", 403),
        ("Origin", "null", 403),
        ("Content-Type", "text/plain", 415),
        ("Content-Type", "application/x-www-form-urlencoded", 415),
    ],
)
def test_wrong_headers(header: str, value: str, status: int, server: WatchedServer) -> None:
    found, answer = ask(server, "/play", play_body(server), **{header: value})
    assert found == status and answer["error"]
    if header != "Content-Type":
        assert ask(server, "/", **{header: value})[0] == status


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_the_names_of_the_loopback_address_are_accepted(name: str, server: WatchedServer) -> None:
    host = f"{name}:{PORT}"
    assert ask(server, "/state", Host=host, Origin=f"http://{host}")[0] == 200
