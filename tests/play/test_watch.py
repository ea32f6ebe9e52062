"""``mindup watch``: its games, page and server, and what it refuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import mindup_cli
from mindup_env import GameConfig
from mindup_play import watch
from mindup_play.watched import WatchedGame
from tests.agents.policies import write_policy
from tests.play import bots
from tests.play.tables import Client, address_of

CONFIG = GameConfig(num_players=3)


def finished(game: WatchedGame) -> dict[str, Any]:
    game.played.result()
    with address_of(game) as url:
        found: dict[str, Any] = Client(url).get("/table?first=0")
    return found


def test_bots_play_a_whole_game_and_say_what_they_make_of_it() -> None:
    game = WatchedGame(["greedy", "lowest", "greedy"], CONFIG, 7)
    state = finished(game)
    assert state["names"] == ["greedy 1", "lowest", "greedy 2"]
    assert len(state["tables"]) == 22 and state["num_turns"] == len(game.shown.own or []) == 21
    assert state["thinking"] is state["failed"] is None
    with address_of(game) as url:
        assert Client(url).get("/table?first=5")["tables"] == state["tables"][5:]
        assert Client(url).ask("/table?first=x")[0] == 422


def asked(url: str, bot: str, turn: object) -> Any:
    return Client(url).ask(f"/ask?game=7&bot={bot}&turn={turn}")


def test_any_bot_says_what_it_would_play_in_any_turn() -> None:
    """As if it had played at each seat: one with a memory has seen all turns."""
    game = WatchedGame(["predictor", "lowest", "greedy"], CONFIG, 7)
    finished(game)
    with address_of(game) as url:
        own = [asked(url, "own", turn)[1]["choices"] for turn in (9, 20)]
        for bot, seat in (("predictor", 0), ("greedy", 2)):
            for turn, choices in ((20, own[1]), (9, own[0])):
                found = asked(url, bot, turn)[1]["choices"]
                assert found[seat] == choices[seat] and len(found) == 3
                hand = game.shown.games[turn].hand(seat)
                assert {*map(int, found[seat]["evaluation"]["values"])} == {*hand}
        assert own[0][1]["evaluation"] is own[0][2]["predictions"] is None
        seen, _ = own[0][0]["predictions"]
        assert sum(seen.values()) == pytest.approx(1, abs=0.01)
        for words in (("os:system", 0), ("greedy", 21), ("own", 21), ("greedy", "x")):
            status, answer = asked(url, *words)
            assert status == 422 and answer["error"]


def test_a_bot_that_fails_is_named_with_the_reason() -> None:
    state = finished(WatchedGame(["lowest", bots.FAILING, "greedy"], CONFIG, 7))
    assert "Failing at seat 1 failed: RuntimeError: out of ideas" in state["failed"]
    assert len(state["tables"]) == 2 and state["thinking"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("greedy lowest random planner --players 3", "3 players cannot be 4 bots: name at most 3"),
        ("", "a bot is missing: mindup watch bots BOT..."),
        ("greedy --seed -1", "seed must be 0 to"),
        ("runs/none", "unknown agent 'runs/none'; there is no such folder"),
    ],
)
def test_what_cannot_be_watched_is_refused(words: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        watch.main(["bots", *words.split(), "--no-browser"])


def test_a_policy_and_an_option_bring_their_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last line of mindup train is a command that works after every training."""
    served: list[Any] = []
    monkeypatch.setattr(watch, "serve", lambda game, *_: served.append(game))
    write_policy(tmp_path / "policy.onnx", CONFIG)
    for words in ([str(tmp_path)], ["lowest", "--game", "2p-2t"], ["lowest", "--game", "3p-1t"]):
        watch.main(["bots", *words])
    for game, players, turns in zip(served, (3, 2, 3), (21, 2, 1), strict=True):
        state = finished(game)
        assert ("champion" in state["ask"]) == (turns == 21) and state["reviewed"] == (turns > 1)
        assert len(state["names"]) == players and state["num_turns"] == turns
        assert state["failed"] is None and state["tables"][-1]["over"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"bots": \\[', '"bots": ["A", ', "bots must be a list of 4 texts"),
        ('"You"', "3", "names must be a list of 4 texts"),
        ('"scores": \\[', '"scores": [1, ', "the record has the result {"),
    ],
)
def test_a_record_that_does_not_fit_its_game_is_refused_with_its_file(
    old: str,
    new: str,
    message: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (file := tmp_path / "game.json").write_text(re.sub(old, new, json.dumps(record)))
    assert mindup_cli.main(["watch", "replay", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"mindup: {file}: ") and message in error and error.count("\n") == 1


def test_a_review_is_made_at_once_and_a_replay_has_none(
    record: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(watch, "serve", lambda games, *_: served.append(games))
    (file := tmp_path / "game.json").write_text(json.dumps(record))
    reviewed = []
    for view in "replay", "review":
        watch.main([view, str(file)])
        with address_of(served.pop()) as url:
            reviewed.append(Client(url).get("/replay?game=0")["reviewed"])
    assert reviewed == [False, True]
