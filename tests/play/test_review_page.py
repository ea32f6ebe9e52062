"""``mindup watch review`` with its page, and the review of a finished game in the running page."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import mindup_cli
from mindup_agents.review import WORLDS, GameReview
from mindup_env import Game
from tests.play.tables import WatchedServer, ask, by_requests, served, state_of, turn_of
from tests.review.games import finished_session


@pytest.fixture
def computed_once(reviewed: GameReview, monkeypatch: pytest.MonkeyPatch) -> None:
    """The review of the game of ``finished_session`` is there at once."""

    def review(games: list[Game], **options: Any) -> GameReview:
        assert games[-1] == finished_session().game
        assert (options.get("seed", 0), options.get("worlds", WORLDS)) == (0, WORLDS)
        return reviewed

    for user in ("session_manager", "watch"):
        monkeypatch.setattr(f"mindup_play.{user}.review_game", review)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(finished_session().record()))
    return path


def run(*words: object) -> int:
    return mindup_cli.main(["watch", "review", *map(str, words)])


@pytest.mark.usefixtures("computed_once")
def test_the_command_says_what_was_expensive_and_what_was_luck(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    json_file = record.with_name("review.json")
    assert run(record, "--json", json_file) == 0
    text = capsys.readouterr().out
    review = json.loads(json_file.read_text())
    mistakes = [each for each in review["choices"] if each["mistake"]]
    worst = max(mistakes, key=lambda each: each["cost"])
    assert f"{-worst['cost']:+.1%}" in text and f"(turn {worst['turn']} of the game)" in text
    assert "an equal share is 33.3%" in text
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line}
    for name, share in zip(("You", "greedy", "planner"), review["deal"], strict=True):
        assert float(lines[name][-1].rstrip("%")) == pytest.approx(100 * share, abs=0.06)
    for refused, message in (
        ((record.with_name("none.json"),), "none.json"),
        ((record, "--json", record.parent), "cannot write"),
    ):
        assert run(*refused) == 2
        assert message in capsys.readouterr().err


# In the running page


@pytest.fixture
def live(tmp_path: Path, computed_once: None) -> Iterator[WatchedServer]:
    """A server with a finished game."""
    with served(finished_session(), tmp_path) as server:
        assert computed_once is None
        yield server


def body_of(server: WatchedServer) -> dict[str, Any]:
    return turn_of(state_of(server))


def reviewed_by_requests(server: WatchedServer) -> Any:
    while not (answer := ask(server, "/review", body_of(server))[1])["review"]:
        pass
    return answer


def test_another_try_begins_at_a_turn_of_the_game(tmp_path: Path) -> None:
    with by_requests(finished_session(), tmp_path) as table:
        body = {**body_of(table), "saved_game": body_of(table)["game"]}
        for turns, expected in ((-1, 422), (21, 422), ("1", 422), (20, 200)):
            status, state = ask(table, "/try-again", {**body, "turns": turns})
            assert status == expected
    assert state["turns_played"] == 20 and state["game_id"] != body["game"]


def test_the_server_answers_while_it_reviews(
    live: WatchedServer, monkeypatch: pytest.MonkeyPatch, reviewed: GameReview
) -> None:
    go_on, body = Event(), body_of(live)

    def review(_: Any, *, on_progress: Callable[[float], None], **__: Any) -> GameReview:
        on_progress(0.25)
        go_on.wait()
        on_progress(1.0)
        return reviewed

    monkeypatch.setattr("mindup_play.session_manager.review_game", review)
    while (answer := ask(live, "/review", body)) != (200, {"progress": 0.25, "review": None}):
        assert answer == (200, {"progress": 0.0, "review": None})
    assert ask(live, "/state")[0] == 200
    go_on.set()
    done = reviewed_by_requests(live)
    assert done == {"progress": 1.0, "review": json.loads(json.dumps(reviewed.to_dict()))}
    # It is kept: no other is begun.
    monkeypatch.setattr("mindup_play.session_manager.review_game", None)
    assert ask(live, "/review", body) == (200, done)


def test_a_review_that_fails_is_reported_and_can_be_tried_again(
    live: WatchedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no networks")

    with monkeypatch.context() as failing:
        failing.setattr("mindup_play.session_manager.review_game", fail)
        while (answer := ask(live, "/review", body_of(live)))[0] == 200:
            assert answer[1]["review"] is None
        assert answer == (500, {"error": "RuntimeError: no networks"})
    assert reviewed_by_requests(live)
