"""Requests of all kinds, malformed and out of order: no 5xx, no fault, no change."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_play.routes import GETS, POSTS
from mindup_play.served_files import read_served_files
from mindup_play.session import Session
from tests.play.tables import SETTINGS, WatchedServer, ask, send, served, statuses

PATHS = [*read_served_files(), *GETS, *POSTS]
NO_PLAY = settings(max_examples=150, deadline=None)
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
    for _ in range(4):
        session.play(session.game.hand(0)[0])
    with served(session, folder) as server:
        yield server


def check_unmoved(server: WatchedServer, session: Session, before: Any) -> None:
    assert server.session is session and session.clock == 4
    assert ask(server, "/state") == before
    assert server.faults == [] and server.notices == []


def http(method: bytes, path: bytes, headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    lines = [b"%s %s HTTP/1.1" % (method, path), *(b"%s: %s" % pair for pair in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


@NO_PLAY
@given(request_=st.binary(max_size=300))
def test_bytes(one_server: WatchedServer, request_: bytes) -> None:
    before = ask(one_server, "/state")
    assert all(400 <= status < 500 for status in statuses(send(one_server, request_ + b"\r\n\r\n")))
    check_unmoved(one_server, one_server.session, before)


LINE = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=30).map(
    lambda text: text.encode("latin-1")
)


@NO_PLAY
@given(
    st.sampled_from([b"GET", b"POST", b"HEAD", b"PUT", b"PATCH", b"OPTIONS", b"TRACE"]),
    st.sampled_from([path.encode() for path in PATHS]) | LINE.map(lambda line: b"/" + line),
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
    manager = (b"Host", b"127.0.0.1:%d" % one_server.server_port)
    for given_headers in (headers, [manager, *headers]):
        found = statuses(send(one_server, http(method, path, given_headers, body)))
        assert all(status == 200 or 400 <= status < 500 for status in found)
        if method == b"POST":
            assert 200 not in found
    check_unmoved(one_server, one_server.session, before)


@NO_PLAY
@given(st.sampled_from(sorted(POSTS)), JSON)
def test_any_json(one_server: WatchedServer, path: str, body: Any) -> None:
    before = ask(one_server, "/state")
    status, told = ask(one_server, path, json.dumps(body))
    assert 400 <= status < 500 and isinstance(told["error"], str)
    check_unmoved(one_server, one_server.session, before)


@NO_PLAY
@given(st.data())
def test_requests_that_are_nearly_right(one_server: WatchedServer, data: st.DataObject) -> None:
    before = ask(one_server, "/state")
    state = before[1]
    hand = one_server.session.game.hand(0)
    path = data.draw(st.sampled_from(sorted(POSTS)))
    place = {"game": state["game"], "clock": state["clock"]}
    wish = {"players": 4, "objectives": 0, "seed": ""}
    body = {**place, **({"card": hand[0]} if path == "/play" else wish)}
    name = data.draw(st.sampled_from(sorted(body)))
    wrong = {
        "game": TEXTS.filter(lambda text: text != state["game"])
        | JSON.filter(lambda value: value != state["game"]),
        "clock": st.integers().filter(lambda clock: clock != 4) | TEXTS,
        "card": st.integers().filter(lambda card: card not in hand) | TEXTS,
        "players": st.integers(max_value=1) | st.integers(min_value=7) | TEXTS,
        "objectives": st.integers(max_value=-1) | st.integers(min_value=6) | TEXTS,
        "seed": st.integers() | st.text(min_size=1).filter(lambda text: not text.isdecimal()),
    }
    if data.draw(st.booleans(), "leave it out"):
        del body[name]
    else:
        body[name] = data.draw(wrong[name], name)
    status, _ = ask(one_server, path, json.dumps(body)[:900])
    assert 400 <= status < 500
    check_unmoved(one_server, one_server.session, before)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_requests_out_of_order(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Those that were right once, sent again at any time, beside those that are right now."""
    with served(Session(SETTINGS), tmp_path_factory.mktemp("saved")) as server:
        sent: list[dict[str, Any]] = []
        for _ in range(data.draw(st.integers(1, 12), "requests")):
            clock, now = server.session.clock, ask(server, "/state")[1]
            old = data.draw(st.booleans(), "an old one")
            if sent and old:
                body = sent[data.draw(st.integers(0, len(sent) - 1))]
                assert ask(server, "/play", body)[0] == 409
                assert server.session.clock == clock and ask(server, "/state")[1] == now
            else:
                hand = server.session.game.hand(0)
                body = {
                    "game": now["game"],
                    "clock": clock,
                    "card": data.draw(st.sampled_from(hand)),
                }
                assert ask(server, "/play", body)[0] == 200
                assert server.session.clock == clock + 1
                sent.append(body)
        assert server.faults == []
