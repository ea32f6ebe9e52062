"""``mindup watch bots``: its games, page and server."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import mindup_cli
from mindup_env import GameConfig
from mindup_play import watch
from mindup_play.server import Server, make_app
from mindup_play.watched import BotsGames, WatchedGame
from tests.play.bots import Slow
from tests.play.tables import URL, ask, at_once
from tests.scripted_game import scripted

SLOW = "tests.play.bots:Slow"
FAST = ["greedy", "lowest", "planner"]


def started(specs: list[str], seed: int = 7) -> WatchedGame:
    return WatchedGame(specs, GameConfig(num_players=3), seed)


def games_of(specs: list[str], seed: int) -> BotsGames:
    return BotsGames(specs, GameConfig(num_players=3), seed)


def finished(game: WatchedGame) -> dict[str, Any]:
    game.played.result()
    return game.table(0)


def test_bots_play_a_whole_game_and_say_what_they_make_of_it() -> None:
    game = started(["greedy", "lowest", "greedy"])
    state = finished(game)
    assert state["names"] == ["greedy 1", "lowest", "greedy 2"]
    assert len(state["tables"]) == 22 and state["num_turns"] == len(state["evaluations"]) == 21
    assert state["thinking"] is state["failed"] is None
    for table, (one, nothing, other) in zip(state["tables"], state["evaluations"], strict=False):
        for player, evaluation in ((0, one), (2, other)):
            hand = table["players"][player]
            assert {*evaluation["values"]} == {*map(str, hand["known"] + hand["hidden"])}
        assert nothing is None
    later = game.table(5)
    assert later["tables"] == state["tables"][5:]
    assert later["evaluations"] == state["evaluations"][4:], "those of the turn before each table"


def test_a_bot_that_fails_is_named_with_the_reason() -> None:
    state = finished(started(["lowest", "tests.play.bots:Failing", "greedy"]))
    assert "Failing at seat 1 failed: RuntimeError: out of ideas" in state["failed"]
    assert len(state["tables"]) == 2 and state["thinking"] is None


def test_the_next_game_has_the_next_seed() -> None:
    games = games_of(FAST, 7)
    first = games.game
    assert finished(first)["seed"] == "7"
    dealt = at_once(games.deal("7"), games.deal("7"))
    assert dealt == [{"seed": "8"}] * 2, "two clicks deal one game"
    assert finished(games.game)["tables"] == finished(started(FAST, seed=8))["tables"]
    assert finished(first)["tables"] != finished(games.game)["tables"]


def test_a_game_that_is_left_ends_after_its_turn() -> None:
    games = games_of(["lowest", SLOW, "greedy"], 2**64 - 1)
    left = games.game
    assert at_once(games.deal(str(2**64 - 1))) == [{"seed": "0"}]
    Slow.go_on.set()
    assert finished(games.game)["tables"][-1]["over"]
    assert len(finished(left)["tables"]) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greedy", "--players", "7"], "num_players must be 2 to 6, not 7"),
        (["greedy", "lowest", "random", "planner", "--players", "3"], "3 players cannot be 4 bots"),
        (["greedy", "--seed", "-1"], "seed must be 0 to"),
        (["nobody"], "unknown agent 'nobody'"),
    ],
)
def test_what_cannot_be_watched_is_refused(words: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        watch.main(["bots", *words, "--no-browser"])


def test_the_server_of_a_watched_game_has_no_other_routes() -> None:
    with TestClient(make_app(games_of(["lowest"] * 3, 7)), URL) as client:
        assert ask(client, "/table?first=0")[1]["names"] == ["lowest 1", "lowest 2", "lowest 3"]
        assert ask(client, "/table?first=x")[0] == ask(client, "/table")[0] == 422
        assert ask(client, "/state")[0] == 404 and ask(client, "/play", {})[0] == 405
        assert ask(client, "/deal", {"seed": "7"}) == (200, {"seed": "8"})


def test_the_command_serves_a_game_until_ctrl_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[Server] = []

    def interrupt(server: Server) -> None:
        served.append(server)
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve_forever", interrupt)
    record = tmp_path / "game.json"
    record.write_text(json.dumps(scripted(5).record()))
    for words, said in (
        ("bots greedy lowest --players 3 --seed 7", "Seed 7\n"),
        (f"replay {record}", ""),
    ):
        assert mindup_cli.main(["watch", *words.split(), "--no-browser"]) == 0
        assert capsys.readouterr().out == f"{said}Watch at {served[-1].url} (Ctrl-C ends)\n\n"
