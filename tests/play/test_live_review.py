"""The review of a finished game in the running page."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mindup_agents.review import review_game
from mindup_env import Game
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.tables import WatchedServer, ask, served
from tests.review.games import finished_session
from tools.browser import DESKTOP, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

FEW_WORLDS = 40


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedServer]:
    """A server with a finished game."""
    quick = partial(review_game, worlds=FEW_WORLDS)
    monkeypatch.setattr("mindup_play.review.jobs.review_game", quick)
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
    live: WatchedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ask(live, "/state")[1]["game_id"]
    status, first = ask(live, "/review", {"game": game})
    assert status == 200 and first["review"] is None
    assert ask(live, "/state")[0] == 200
    reviewed = _until(lambda: ask(live, "/review", {"game": game})[1], "review")
    assert reviewed["progress"] == 1.0 and len(reviewed["review"]["choices"]) == 63
    # It is kept: no other is begun.
    monkeypatch.setattr("mindup_play.review.jobs.review_game", None)
    assert ask(live, "/review", {"game": game}) == (200, reviewed)


def _until(request: Callable[[], Any], entry: str) -> Any:
    while not (answer := request())[entry]:
        pass
    return answer


def test_a_review_that_fails_is_reported_and_can_be_tried_again(
    live: WatchedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no networks")

    game = ask(live, "/state")[1]["game_id"]
    works = partial(review_game, worlds=8)
    monkeypatch.setattr("mindup_play.review.jobs.review_game", fail)
    while (answer := ask(live, "/review", {"game": game}))[0] == 200:
        assert answer[1]["review"] is None
    assert answer[0] == 422 and answer[1]["key"] == "error.review_failed"
    assert live.warnings == ["the review failed: RuntimeError: no networks"]
    monkeypatch.setattr("mindup_play.review.jobs.review_game", works)
    assert _until(lambda: ask(live, "/review", {"game": game})[1], "review")


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
