"""Whatever is sent to the server of the page: an answer, no change by a refusal, and no secret."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from numpy.random import Generator

import mindup_env
import mindup_play
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.hostile.strategies import attack, damaged, damaged_plain, in_json, randoms
from tests.play.page import answers_about_the_game, check_sent
from tests.play.tables import (
    PATHS,
    POSTS,
    ROUTES,
    WatchedServer,
    ask,
    http_bytes,
    new_game,
    send,
    served,
)

REQUESTS = 20
ROUTES_WITH_GAME = {path for (_, path), route in ROUTES.items() if [*route.types] == ["game"]}
FOLDERS = [str(Path(package.__file__ or "").parent) for package in (mindup_env, mindup_play)]


sessions = st.builds(
    lambda seed, objectives, seat: Session(
        PlaySettings(seed, 3, objectives, seat, ("lowest", "greedy"), "greedy", secret_seed=True)
    ),
    seed=st.integers(2**60, 2**63 - 1),  # not a number that an answer has by chance
    objectives=st.integers(0, 2),
    seat=st.integers(0, 2),
)


@attack(session=sessions, random=randoms, data=st.data())
def test_damaged_requests(
    tmp_path: Path, session: Session, random: Generator, data: st.DataObject
) -> None:
    """Some are several in one connection; others are random bytes, or have only a wrong body."""
    with served(session, tmp_path) as server:
        for _ in range(REQUESTS):
            kind = data.draw(st.sampled_from(["one", "several", "body", "bytes"]))
            if kind == "body":
                path = data.draw(st.sampled_from(POSTS))
                body = data.draw(in_json(damaged_plain(right_body(random, server, path))))
                request = http_bytes(path, server.server_port, json.loads(body))
            elif kind == "bytes":
                request = data.draw(st.binary(max_size=400))
            else:
                requests = range(4 if kind == "several" else 1)
                right = b"".join(right_request(random, server) for _ in requests)
                request = data.draw(damaged(right))
            send_and_check(server, request)
        assert ask(server, "/state")[0] == 200


def right_request(random: Generator, server: WatchedServer) -> bytes:
    path = str(random.choice(PATHS))
    if path in POSTS:
        return http_bytes(path, server.server_port, right_body(random, server, path))
    query = f"?game={any_game(random, server)}" if ROUTES_WITH_GAME & {path} else ""
    return http_bytes(path + query, server.server_port)


def right_body(random: Generator, server: WatchedServer, path: str) -> dict[str, Any]:
    """A body that the server accepts, most often."""
    turn = {"turn": server.manager._turn_id()._asdict()}
    if path == "/play":
        session = server.session
        hand = session.game.hand(session.settings.seat)
        return {**turn, "card": int(random.choice(hand)) if hand else 1}
    if path == "/resume":
        return {**turn, "saved_game": any_game(random, server)}
    if path == "/delete":
        return {"saved_game": any_game(random, server)}
    seed = str(random.integers(0, 2**63)) if random.random() < 0.5 else ""
    players = int(random.integers(3, 7))
    changes = {"players": players, "objectives": 1, "seat": int(random.integers(0, players))}
    hints = bool(random.random() < 0.5)
    return new_game(server.manager.state(), seed=seed, hints=hints, **changes)


def any_game(random: Generator, server: WatchedServer) -> str:
    """The id of the current game, or of one on disk."""
    saved = [each.id for each, _ in server.games.newest_first()]
    return str(random.choice([server.manager.state()["game_id"], *saved]))


def send_and_check(server: WatchedServer, request: bytes) -> None:
    before, settings = server.manager.state(), server.session.settings
    server.sent.clear()
    received = send(server, request)
    found = [sent.response.status for sent in server.sent]
    assert all(status == 200 or 400 <= status < 500 for status in found), request
    assert not server.exceptions and not server.warnings, request
    after = server.manager.state()
    if after != before:
        assert 200 in found and b"POST" in request, request
        assert after["game_id"] != before["game_id"] or (
            after["turns_played"] > before["turns_played"]
        ), request
    check_secrets(server, settings, received, over=after["table"]["over"])


def check_secrets(
    server: WatchedServer, settings: PlaySettings, received: bytes, *, over: bool
) -> None:
    assert b"Traceback" not in received
    assert not any(folder.encode() in received for folder in FOLDERS)
    for kept in (settings, server.session.settings):
        if kept.secret_seed and not over:
            assert str(kept.seed).encode() not in received
    for sent in answers_about_the_game(server):
        if not sent.game.over:
            check_sent(sent)
