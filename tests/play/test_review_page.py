"""``mindup watch review`` with its page, and the review of a finished game in the running page."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import mindup_cli
from mindup_agents.review import WORLDS, GameReview
from mindup_env import Game
from mindup_play.server import Server
from mindup_play.settings import PlaySettings
from mindup_play.watch.tables import RecordedGame
from tests.play.page import cards, fits, reload, texts, until, violations
from tests.play.tables import WatchedServer, ask, by_requests, served, state_of, turn_of
from tests.review.games import finished_session
from tools.browser import DESKTOP, PHONE, READY, Size, serving, tab


@pytest.fixture
def computed_once(reviewed: GameReview, monkeypatch: pytest.MonkeyPatch) -> None:
    """The review of the game of ``finished_session`` is there at once."""

    def review(games: list[Game], **options: Any) -> GameReview:
        assert games[-1] == finished_session().game
        assert (options.get("seed", 0), options.get("worlds", WORLDS)) == (0, WORLDS)
        return reviewed

    for user in ("review_jobs", "watch.command"):
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


@pytest.fixture
def page_of_record(
    record: Path, computed_once: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """The server that the command starts."""
    started: list[RecordedGame] = []

    def keep(served: RecordedGame, *_: object, **__: object) -> None:
        started.append(served)

    with monkeypatch.context() as patched:
        patched.setattr("mindup_play.watch.command.serve", keep)
        assert run(record, "--no-browser") == 0
    assert computed_once is None
    with Server(started[0], home="/review.html") as server, serving(server):
        yield server


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_leads_to_mistakes_and_to_what_could_be_known(
    chromium: Browser, size: Size, page_of_record: Server, reviewed: GameReview
) -> None:
    record, choices = finished_session().record(), reviewed.to_dict()["choices"]
    worst = max(choices, key=lambda each: each["cost"] * each["mistake"])
    with tab(chromium, size) as page:
        page.goto(page_of_record.url)
        until(page, "#luck")
        assert page.locator(".jump").count() == 5
        assert page.locator("#chances-graph polyline").count() == 3
        dots = page.locator("#chances-graph circle")
        assert dots.count() == sum(each["mistake"] for each in choices)
        assert page.url.endswith(f"#{worst['turn']}"), "it opens at the worst"
        (why,) = texts(page, "#why")
        assert "istake: " in why and str(worst["best"]) in why and str(worst["played"]) in why
        assert page.locator("#this-turn tbody tr").count() == 3
        assert size == DESKTOP or top(page, "#mistakes") < top(page, "#position"), "mistakes first"
        page.click("#next-mistake")
        later = sorted({each["turn"] for each in choices if each["mistake"]})
        following = next((turn for turn in later if turn > worst["turn"]), later[0])
        assert page.url.endswith(f"#{following}")
        text = texts(page, ".jump")[0]
        assert f"{worst['played']} instead of {worst['best']}" in text and "\u2212" in text
        page.locator(".jump").first.click()
        assert page.url.endswith(f"#{worst['turn']}")
        game, seat = Game.replay(record, turns=worst["turn"]), worst["seat"]
        # The page shows the view of that player: what it knew, and the values of its own cards.
        known = {card for player in range(3) for card in game.known(player)} | set(game.hand(seat))
        assert set(cards(page, ".hand-cards [data-card]")) == known
        assert page.locator(".card-value").count() == len(game.hand(seat))
        assert page.locator("#again").count() == 0
        assert page.locator("#luck tbody tr").count() == 3
        assert violations(page) == [] and fits(page)


def top(page: Page, selector: str) -> float:
    found: float = page.locator(selector).evaluate("each => each.getBoundingClientRect().top")
    return found


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


def test_a_finished_game_is_reviewed_and_tried_again(
    chromium: Browser, live: WatchedServer
) -> None:
    body, game = body_of(live), live.session.game
    with tab(chromium, DESKTOP) as page:
        page.goto(f"{live.url}review.html?game={body['game']}")
        until(page, "#luck")
        assert page.locator("#luck tbody tr").count() == 3
        assert page.input_value("#whose") == "0", "the person's own"
        page.set_viewport_size({"width": 640, "height": 400})
        assert top(page, "#why") < top(page, "#position"), "mistakes first"
        reload(page, "#luck")
        assert texts(page, "#why") != [""] and page.input_value("#viewer") == "0"
        page.locator(".jump").first.click()
        turn = int(page.url.partition("#")[2])
        page.click("#again button")
        until(page, READY)
    again = live.session
    assert live.exceptions == [] and again.game == Game.replay(game.record(), turns=turn)
    settings = PlaySettings(5, players=3, opponents=("greedy", "planner"))
    assert again.turns_played == turn and again.settings == settings


def test_another_try_begins_at_a_turn_of_the_game(tmp_path: Path) -> None:
    with by_requests(finished_session(), tmp_path) as table:
        body = {**body_of(table), "saved_game": body_of(table)["game"]}
        for turns, expected in ((-1, 422), (21, 422), ("1", 400), (None, 400), (20, 200)):
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

    monkeypatch.setattr("mindup_play.review_jobs.review_game", review)
    while (answer := ask(live, "/review", body)) != (200, {"progress": 0.25, "review": None}):
        assert answer == (200, {"progress": 0.0, "review": None})
    assert ask(live, "/state")[0] == 200
    go_on.set()
    done = reviewed_by_requests(live)
    assert done == {"progress": 1.0, "review": json.loads(json.dumps(reviewed.to_dict()))}
    # It is kept: no other is begun.
    monkeypatch.setattr("mindup_play.review_jobs.review_game", None)
    assert ask(live, "/review", body) == (200, done)


def test_a_review_that_fails_is_reported_and_can_be_tried_again(
    live: WatchedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no networks")

    with monkeypatch.context() as failing:
        failing.setattr("mindup_play.review_jobs.review_game", fail)
        while (answer := ask(live, "/review", body_of(live)))[0] == 200:
            assert answer[1]["review"] is None
        assert answer == (422, {"error": "The review failed: RuntimeError: no networks"})
    assert reviewed_by_requests(live)
