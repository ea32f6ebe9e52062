"""Whatever is sent to the server of the page: an answer, no change by a refusal, and no secret."""

from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

import mindup_env
import mindup_play
from mindup_play.routes import ROUTES
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import ODD_VALUES, mutated, mutated_plain
from tests.play.hidden import answers_about_the_game, check_sent
from tests.play.tables import (
    PATHS,
    POSTS,
    WatchedServer,
    ask,
    get,
    new_game,
    post,
    send,
    served,
)

pytestmark = pytest.mark.hostile

REQUESTS = 200
ROUTES_WITH_GAME = {path for (_, path), route in ROUTES.items() if [*route.types] == ["game"]}
FOLDERS = [str(Path(package.__file__ or "").parent) for package in (mindup_env, mindup_play)]


def test_damaged_requests(attempts: Attempts, tmp_path: Path) -> None:
    for random in attempts:
        with served(new_session(random), tmp_path) as server:
            for _ in range(REQUESTS):
                attempts.inputs += 1
                send_and_check(server, mutated(random, right_request(random, server)))
            check_alive(server)


def test_several_damaged_requests_in_one_connection(attempts: Attempts, tmp_path: Path) -> None:
    for random in attempts:
        with served(new_session(random), tmp_path) as server:
            for _ in range(REQUESTS // 4):
                attempts.inputs += 4
                several = b"".join(right_request(random, server) for _ in range(4))
                send_and_check(server, mutated(random, several))
            check_alive(server)


def test_random_bytes(attempts: Attempts, tmp_path: Path) -> None:
    for random in attempts:
        with served(new_session(random), tmp_path) as server:
            before = server.manager.state()
            for _ in range(REQUESTS):
                attempts.inputs += 1
                send_and_check(server, random.bytes(int(random.integers(0, 400))))
            assert server.manager.state() == before
            check_alive(server)


def test_damaged_bodies(attempts: Attempts, tmp_path: Path) -> None:
    """With right headers: what the routes themselves must refuse."""
    for random in attempts:
        with served(new_session(random), tmp_path) as server:
            for _ in range(REQUESTS):
                attempts.inputs += 1
                path = str(random.choice(POSTS))
                body = without_bytes(mutated_plain(random, right_body(random, server, path)))
                send_and_check(server, post(path, body, server.server_port))
            check_alive(server)


def new_session(random: Generator) -> Session:
    seat, objectives = (int(random.integers(0, n)) for n in (3, 3))
    seed = int(random.integers(2**60, 2**63))  # not a number that an answer has by chance
    return Session(
        PlaySettings(seed, 3, objectives, seat, ("lowest", "greedy"), "greedy", secret_seed=True)
    )


def right_request(random: Generator, server: WatchedServer) -> bytes:
    path = str(random.choice(PATHS))
    if path in POSTS:
        return post(path, right_body(random, server, path), server.server_port)
    query = f"?game={any_game(random, server)}" if ROUTES_WITH_GAME & {path} else ""
    return get(path + query, server.server_port)


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


def without_bytes(plain: Any) -> Any:
    """Bytes cannot be written as JSON."""
    if isinstance(plain, dict):
        return {name: without_bytes(value) for name, value in plain.items()}
    if isinstance(plain, list):
        return [without_bytes(value) for value in plain]
    return ODD_VALUES[0] if isinstance(plain, bytes) else plain


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


def check_alive(server: WatchedServer) -> None:
    assert ask(server, "/state")[0] == 200
