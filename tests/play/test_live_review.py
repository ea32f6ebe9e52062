"""The review of a finished game in the running page."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from mindup_agents.review import GameReview
from mindup_env import Game
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.tables import WatchedServer, ask, served
from tests.review.games import finished_session
from tools.browser import DESKTOP, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture
def live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reviewed: GameReview
) -> Iterator[WatchedServer]:
    """A server with a finished game, whose review is there at once."""

    def review(games: list[Game], **_: Any) -> GameReview:
        assert games[-1] == finished_session().game
        return reviewed

    monkeypatch.setattr("mindup_play.review.jobs.review_game", review)
    with served(finished_session(), tmp_path) as server:
        server.manager.save()
        yield server


def test_a_finished_game_is_reviewed_and_tried_again(
    chromium: "Chrome", live: WatchedServer
) -> None:
    state = ask(live, "/state")[1]
    game = live.session.game
    with tab(chromium, DESKTOP, calm=True) as page:
        page.open(
            f"{live.url}review.html?game={state['game_id']}", "document.querySelector('#luck')"
        )
        assert page.count("#luck tbody tr") == 3
        page.script("document.querySelector('.jump').click()")
        turn = int(page.chrome.current_url.partition("#")[2])
        page.script("document.querySelector('#again button').click()")
        page.until("document.querySelector('#cards button')")
        assert page.errors() == [] and live.exceptions == []
        assert all(url.startswith(live.url) for url in page.requested())
    again = live.session
    assert again.game == Game.replay(game.record(), turns=turn)
    assert again.turns_played == turn and again.settings == PlaySettings(
        5, players=3, opponents=("greedy", "planner")
    )


def test_the_server_answers_while_it_reviews(
    live: WatchedServer, monkeypatch: pytest.MonkeyPatch, reviewed: GameReview
) -> None:
    go_on = Event()

    def review(_: Any, *, on_progress: Callable[[float], None], **__: Any) -> GameReview:
        on_progress(0.25)
        go_on.wait()
        on_progress(1.0)
        return reviewed

    monkeypatch.setattr("mindup_play.review.jobs.review_game", review)
    game = ask(live, "/state")[1]["game_id"]
    while (answer := ask(live, "/review", {"game": game})) != (
        *(200, {"progress": 0.25, "review": None}),
    ):
        assert answer == (200, {"progress": 0.0, "review": None})
    assert ask(live, "/state")[0] == 200
    go_on.set()
    done = _until_reviewed(live, game)
    assert done == {"progress": 1.0, "review": json.loads(json.dumps(reviewed.to_dict()))}
    # It is kept: no other is begun.
    monkeypatch.setattr("mindup_play.review.jobs.review_game", None)
    assert ask(live, "/review", {"game": game}) == (200, done)


def _until_reviewed(server: WatchedServer, game: str) -> Any:
    while not (answer := ask(server, "/review", {"game": game})[1])["review"]:
        pass
    return answer


def test_a_review_that_fails_is_reported_and_can_be_tried_again(
    live: WatchedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no networks")

    game = ask(live, "/state")[1]["game_id"]
    with monkeypatch.context() as failing:
        failing.setattr("mindup_play.review.jobs.review_game", fail)
        while (answer := ask(live, "/review", {"game": game}))[0] == 200:
            assert answer[1]["review"] is None
        assert answer[0] == 422 and answer[1]["key"] == "error.review_failed"
        assert live.warnings == ["the review failed: RuntimeError: no networks"]
    assert _until_reviewed(live, game)


def test_a_game_that_is_played_is_neither_shown_nor_reviewed(tmp_path: Path) -> None:
    session = Session(PlaySettings(5, players=3, opponents=("greedy",)))
    session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server:
        server.manager.save()
        game = ask(server, "/state")[1]["game_id"]
        for status, answer in (
            ask(server, f"/replay?game={game}"),
            ask(server, "/review", {"game": game}),
            ask(server, "/try-again", {"game": game, "turns": 0}),
        ):
            assert status == 409 and answer["key"] == "error.record_hidden"


def test_another_try_begins_at_a_turn_of_the_game(live: WatchedServer) -> None:
    game = ask(live, "/state")[1]["game_id"]
    for turns in (-1, 21, "1", None):
        status, _ = ask(live, "/try-again", {"game": game, "turns": turns})
        assert status in (400, 422)
    status, state = ask(live, "/try-again", {"game": game, "turns": 20})
    assert status == 200 and state["turns_played"] == 20 and state["game_id"] != game
