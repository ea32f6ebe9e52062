"""``mindup watch review`` with its page, and the review of a finished game in the running page."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import mindup_cli
from mindup_agents.review import WORLDS, GameReview
from mindup_env import Game
from tests.play.bots import PATIENCE
from tests.play.tables import Table
from tests.review.games import finished_session


def test_the_command_writes_the_numbers_of_a_review(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    reviewed: GameReview,
) -> None:
    def review(games: list[Game], **options: Any) -> GameReview:
        assert games[-1] == finished_session().game
        assert options["worlds"] == WORLDS
        return reviewed

    monkeypatch.setattr("mindup_play.watch.review_game", review)
    record, review_file = tmp_path / "game.json", tmp_path / "review.json"
    record.write_text(json.dumps(finished_session().record()))
    words = ["watch", "review", str(record), "--json"]
    assert mindup_cli.main([*words, str(review_file)]) == 0
    plain = json.loads(review_file.read_text())
    assert plain == json.loads(json.dumps(reviewed.to_dict()))
    assert mindup_cli.main([*words, str(tmp_path)]) == 2
    assert "cannot write" in capsys.readouterr().err


# In the running page


def asked(table: Table) -> tuple[int, Any]:
    return table.ask("/review", {"game": table.turn()["game"]})


@pytest.mark.parametrize("turns", [21])
def test_the_server_answers_while_it_reviews_and_a_failure_is_reported_once(
    table: Table, monkeypatch: pytest.MonkeyPatch, reviewed: GameReview
) -> None:
    monkeypatch.setattr("mindup_play.finished.review_game", lambda *_, **__: 1 / 0)
    while (answer := asked(table))[0] == 200:
        assert answer[1]["review"] is None
    assert answer == (500, {"error": "ZeroDivisionError: division by zero"})
    go_on, begun = Event(), Event()

    def review(_: Any, *, on_progress: Callable[[float], None], **__: Any) -> GameReview:
        on_progress(0.25)
        begun.set()
        go_on.wait(PATIENCE)
        on_progress(1.0)
        return reviewed

    monkeypatch.setattr("mindup_play.finished.review_game", review)
    asked(table)
    begun.wait(PATIENCE)
    assert asked(table) == (200, {"progress": 0.25, "review": None})
    go_on.set()
    while not (done := asked(table)[1])["review"]:
        pass
    assert done == {"progress": 1.0, "review": json.loads(json.dumps(reviewed.to_dict()))}
    monkeypatch.setattr("mindup_play.finished.review_game", None)
    assert asked(table) == (200, done), "it is kept, and no other is begun"
