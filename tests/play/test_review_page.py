"""``mindup review`` with its page, and the review of a finished game in the running page."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from mindup_agents.review import GameReview
from mindup_env import Game, cli
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.axe import violations
from tests.play.tables import WatchedServer, ask, served
from tests.review.games import finished_session
from tools.browser import DESKTOP, PHONE, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(finished_session().record()))
    return plain


@pytest.fixture(scope="module")
def files(record: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the record, and the review of it as JSON, page and text."""
    folder = tmp_path_factory.mktemp("review")
    (folder / "game.json").write_text(json.dumps(record))
    return folder


def run(*words: object) -> int:
    return cli.main(["review", *map(str, words)])


@pytest.fixture(scope="module", autouse=True)
def computed_once(reviewed: GameReview) -> Iterator[None]:
    def review(_: Any, *, seed: int, worlds: int, **__: Any) -> GameReview:
        assert (seed, worlds) == (0, 640)
        return reviewed

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("mindup_play.review.review_game", review)
        yield


@pytest.fixture(scope="module")
def path(files: Path) -> Path:
    made = files / "review.html"
    assert run(files / "game.json", "--html", made, "--json", files / "review.json") == 0
    return made


def test_the_command_says_what_was_expensive_and_what_was_luck(
    files: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert path.exists()
    assert run(files / "game.json", "--top", "2", "--names", "Ann,Bob,Eve") == 0
    text = capsys.readouterr().out
    review = json.loads((files / "review.json").read_text())
    mistakes = sorted((each for each in review["choices"] if each["mistake"]), key=_cost)
    assert f"... and {len(mistakes) - 2} more" in text
    worst = mistakes[-1]
    assert f"{-worst['cost']:+.1%}" in text and f"(turn {worst['turn']} of the game)" in text
    assert text.count("Ann") >= 1 and "an equal share is 33.3%" in text
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line}
    winner = ["Ann", "Bob", "Eve"][review["win_shares"].index(max(review["win_shares"]))]
    assert lines[winner][-1] == "100.0%"


def _cost(choice: Any) -> float:
    return float(choice["cost"])


def test_what_cannot_be_reviewed_is_reported(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "none.json") == 2
    assert "none.json" in capsys.readouterr().err
    assert run(files / "game.json", "--names", "A") == 2
    assert "a game of 3 players needs 3 names, not 1" in capsys.readouterr().err
    assert run(files / "game.json", "--html", tmp_path / "no" / "page.html") == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_leads_to_mistakes_and_to_what_could_be_known(
    chromium: "Chrome", size: tuple[int, int], path: Path, files: Path, record: dict[str, Any]
) -> None:
    review = json.loads((files / "review.json").read_text())
    worst = max(review["choices"], key=lambda each: each["cost"] * each["mistake"])
    with tab(chromium, size, calm=True) as page:
        page.open(path.as_uri(), "document.querySelectorAll('.jump').length === 5")
        assert page.count("#chances-graph polyline") == 3
        assert page.count("#chances-graph circle") == sum(e["mistake"] for e in review["choices"])
        text = page.text(".jump")
        assert f"{worst['played']} instead of {worst['best']}" in text and "\u2212" in text
        page.script("document.querySelector('.jump').click()")
        assert page.chrome.current_url.endswith(f"#{worst['turn']}")
        game = Game.replay(record, turns=worst["turn"])
        seat = worst["seat"]
        # The page shows the view of that player: what it knew, and the values of its own cards.
        known = {card for player in range(3) for card in game.known(player)} | set(game.hand(seat))
        script = "return [...document.querySelectorAll('.hand-cards [data-card]')]"
        shown = page.script(f"{script}.map(each => Number(each.dataset.card))")
        assert set(shown) == known
        assert page.count(".card-value") == len(game.hand(seat))
        assert page.count("#others tbody tr") == 2
        unseen = (
            60
            - len(known)
            - len(game.row)
            - sum(len(column) for player in range(3) for column in game.tableau(player))
        )
        assert page.count("#others details .card") == unseen
        command = page.text("#again code")
        assert command.endswith(f"game.json --turn {worst['turn']} --seat {seat}")
        assert page.count("#luck tbody tr") == 3
        assert violations(page) == [] and page.fits()
        assert page.errors() == []
        assert page.requested() == {path.as_uri()}


@pytest.fixture
def live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reviewed: GameReview
) -> Iterator[WatchedServer]:
    """A server with a finished game, whose review is there at once."""

    def review(games: list[Game], **_: Any) -> GameReview:
        assert games[-1] == finished_session().game
        return reviewed

    monkeypatch.setattr("mindup_play.review.review_game", review)
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

    monkeypatch.setattr("mindup_play.review.review_game", review)
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
    monkeypatch.setattr("mindup_play.review.review_game", None)
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
        failing.setattr("mindup_play.review.review_game", fail)
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
