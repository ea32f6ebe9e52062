"""Random requests, malformed or out of order: never a 5xx, an exception or a change."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_play.session import Session
from tests.play.page import play_to
from tests.play.requests import PATHS, POSTS, http
from tests.play.tables import (
    SETTINGS,
    WatchedServer,
    ask,
    new_game,
    send,
    served,
    statuses,
    turn_of,
)

FUZZ_SETTINGS = settings(max_examples=150, deadline=None)
TEXTS = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WatchedServer]:
    folder: Path = tmp_path_factory.mktemp("saved")
    session = Session(SETTINGS)
    play_to(session, 4)
    with served(session, folder) as server:
        # Another game on disk, which no request may change.
        other = server.games.new()
        other.save(session)
        other.close()
        server.other_game = other.id
        yield server


def check_unchanged(server: WatchedServer, session: Session, before: Any) -> None:
    assert server.session is session and session.turns_played == 4
    assert ask(server, "/state") == before
    assert server.exceptions == [] and server.warnings == []
    assert [saved.id for saved, _ in server.games.newest_first()] == [server.other_game]


@FUZZ_SETTINGS
@given(request_=st.binary(max_size=300))
def test_bytes(one_server: WatchedServer, request_: bytes) -> None:
    before = ask(one_server, "/state")
    assert all(400 <= status < 500 for status in statuses(send(one_server, request_ + b"\r\n\r\n")))
    check_unchanged(one_server, one_server.session, before)


LINE = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=30).map(
    lambda text: text.encode("latin-1")
)


@FUZZ_SETTINGS
@given(
    st.sampled_from([b"GET", b"POST", b"HEAD", b"PUT", b"PATCH", b"OPTIONS", b"TRACE"]),
    st.sampled_from([path.encode() for path in PATHS])
    | LINE.map(lambda line: b"/" + line)
    | st.builds(
        lambda path, query: path.encode() + b"?" + query,
        st.sampled_from(PATHS),
        LINE | LINE.map(lambda line: b"game=" + line),
    ),
    st.lists(
        st.tuples(
            st.sampled_from(
                [b"Host", b"Content-Length", b"Content-Type", b"Origin", b"Connection", b"Expect"]
            ),
            LINE | st.sampled_from([b"0", b"5", b"application/json", b"100-continue", b"close"]),
        ),
        max_size=5,
    ),
    st.binary(max_size=60),
)
def test_headers(
    one_server: WatchedServer,
    method: bytes,
    path: bytes,
    headers: list[tuple[bytes, bytes]],
    body: bytes,
) -> None:
    before = ask(one_server, "/state")
    host = (b"Host", b"127.0.0.1:%d" % one_server.server_port)
    for given_headers in (headers, [host, *headers]):
        found = statuses(send(one_server, http(method, path, given_headers, body)))
        assert all(status == 200 or 400 <= status < 500 for status in found)
        if method == b"POST":
            assert 200 not in found
    check_unchanged(one_server, one_server.session, before)


@FUZZ_SETTINGS
@given(st.sampled_from(POSTS), JSON)
def test_any_json(one_server: WatchedServer, path: str, body: Any) -> None:
    before = ask(one_server, "/state")
    status, answer = ask(one_server, path, json.dumps(body))
    assert 400 <= status < 500 and isinstance(answer["error"], str)
    check_unchanged(one_server, one_server.session, before)


@FUZZ_SETTINGS
@given(st.data())
def test_requests_that_are_nearly_right(one_server: WatchedServer, data: st.DataObject) -> None:
    before = ask(one_server, "/state")
    state = before[1]
    hand = one_server.session.game.hand(0)
    bodies = {
        "/play": {**turn_of(state), "card": hand[0]},
        "/deal": new_game(state),
        "/resume": {**turn_of(state), "saved_game": one_server.other_game},
        "/delete": {"saved_game": one_server.other_game},
        "/review": {"game": one_server.other_game},
        "/try-again": {"game": one_server.other_game, "turns": 0},
    }
    path = data.draw(st.sampled_from(POSTS))
    body = bodies[path]
    parts = [part for part in (body, body.get("turn"), body.get("game")) if isinstance(part, dict)]
    part = data.draw(st.sampled_from(parts))
    name = data.draw(st.sampled_from(sorted(part)))
    wrong = {
        "turn": JSON,
        "game_id": TEXTS.filter(lambda text: text != state["game_id"])
        | JSON.filter(lambda value: value != state["game_id"]),
        "turns_played": st.integers().filter(lambda turns: turns != 4) | TEXTS,
        "card": st.integers().filter(lambda card: card not in hand) | TEXTS,
        "players": st.integers(max_value=1) | st.integers(min_value=7) | TEXTS,
        "objectives": st.integers(max_value=-1) | st.integers(min_value=6) | TEXTS,
        "seed": st.integers() | st.text(min_size=1).filter(lambda text: not text.isdecimal()),
        "seat": st.integers(max_value=-1) | st.integers(min_value=4) | TEXTS,
        "opponents": JSON,
        "hints": JSON.filter(lambda value: not isinstance(value, bool)),
        "saved_game": JSON.filter(lambda value: value != one_server.other_game),
        "game": JSON.filter(lambda value: value != one_server.other_game),
        "turns": st.integers(max_value=-1) | st.integers(min_value=100) | TEXTS,
    }
    if data.draw(st.booleans(), "omit"):
        del part[name]
    else:
        part[name] = data.draw(wrong[name], name)
    status, _ = ask(one_server, path, json.dumps(body)[:900])
    assert 400 <= status < 500
    check_unchanged(one_server, one_server.session, before)


@settings(max_examples=15, deadline=None)
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
                body = sent[data.draw(st.integers(0, len(sent) - 1))]
                assert ask(server, "/play", body)[0] == 409
                assert server.session.turns_played == turns and ask(server, "/state")[1] == now
            else:
                hand = server.session.game.hand(0)
                body = {
                    **turn_of(now),
                    "card": data.draw(st.sampled_from(hand)),
                }
                assert ask(server, "/play", body)[0] == 200
                assert server.session.turns_played == turns + 1
                sent.append(body)
        assert server.exceptions == []
