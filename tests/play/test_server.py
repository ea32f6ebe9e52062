"""The server: its answers. test_refused_requests.py has the others."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from mindup_env import Game
from mindup_play.offer import NewGame, bot_scores, default_hint_bot
from mindup_play.pages import read_served_files
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings
from tests.play.bots import Slow
from tests.play.tables import (
    SETTINGS,
    WatchedServer,
    ask,
    new_game,
    play_body,
    served,
    turn_of,
)


def test_only_the_loopback_address_is_listened_on(server: WatchedServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_game_is_played_by_requests(server: WatchedServer) -> None:
    for turns in range(1, 22):
        status, state = ask(server, "/play", play_body(server))
        assert (status, state["turns_played"]) == (200, turns)
    assert state["table"]["over"]
    status, record = ask(server, f"/record?game={state['game_id']}")
    assert status == 200 and Game.replay(record) == server.session.game


def test_the_files_name_no_other_host() -> None:
    for file in read_served_files().values():
        text = file.content.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"\w+://|url\(|@import|[\"'(]//", text)


# Requests for another game or turn


def test_the_second_of_two_tabs_is_outdated(server: WatchedServer) -> None:
    first, second = (play_body(server, server.session.game.hand(0)[i]) for i in range(2))
    assert ask(server, "/play", first)[0] == 200
    state = ask(server, "/state")
    status, answer = ask(server, "/play", second)
    assert status == 409 and "another tab" in answer["error"]
    assert ask(server, "/play", first)[0] == 409
    assert ask(server, "/state") == state and server.session.turns_played == 1


def test_after_the_end_the_same_deal_can_be_played_again(
    server: WatchedServer,
) -> None:
    first = ask(server, "/state")[1]
    for _ in range(21):
        body = play_body(server)
        ask(server, "/play", body)
    state = ask(server, "/state")[1]
    assert ask(server, "/play", {**turn_of(state), "card": body["card"]})[0] == 409
    same = {name: state[name] for name in ("objectives", "seat", "opponents", "seed")}
    status, again = ask(server, "/deal", new_game(state, **same))
    assert status == 200 and again["table"] == first["table"]
    assert again["game_id"] != first["game_id"]


def test_another_game_can_be_dealt(server: WatchedServer) -> None:
    bots = ["greedy", "lowest", "planner", "random", "predictor"]
    game = {"players": 6, "objectives": 3, "seat": 5, "opponents": bots, "seed": str(2**64 - 1)}
    body = new_game(ask(server, "/state")[1], **game, hints=True)
    status, state = ask(server, "/deal", body)
    assert status == 200 and {name: state[name] for name in ("seat", "opponents", "seed")} == {
        name: game[name] for name in ("seat", "opponents", "seed")
    }
    assert state["names"] == [*bots, "You"] and state["hint_bot"] == default_hint_bot(6)
    assert len(state["table"]["objectives"]) == 3
    state = ask(server, "/deal", new_game(state, players=3))[1]
    assert len(state["names"]) == 3 and state["seed"] is None and state["hint_bot"] is None


def test_the_bots_of_the_command_line_are_offered_beside_the_measured_ones(
    server: WatchedServer,
) -> None:
    offered = {each["bot"]: each for each in ask(server, "/offer")[1]["bots"]}
    assert {*bot_scores(), "lowest"} == offered.keys()
    assert offered["random"]["strength"] == "very_easy" and offered["random"]["score"] < 0
    assert offered["champion-2"]["strength"] == "very_hard"
    assert offered["lowest"]["strength"] is None and offered["lowest"]["score"] is None


def test_every_number_of_players_is_dealt_with_the_bots_that_are_offered_for_it(
    server: WatchedServer,
) -> None:
    state = ask(server, "/state")[1]
    offer = ask(server, "/offer")[1]
    able = {each["bot"]: each["players"] for each in offer["bots"]}
    assert able["champion-1"] == able["champion-2"] == [3, 4, 5, 6]
    assert able["search"] == able["lowest"] == [2, 3, 4, 5, 6]
    for players in (2, 3, 2):  # the hints of two players are not those of more
        bots = [bot for bot, numbers in able.items() if players in numbers][: players - 1]
        body = new_game(state, players=players, opponents=bots, hints=True)
        status, state = ask(server, "/deal", body)
        assert (status, state["opponents"]) == (200, bots)
        assert state["hint_bot"] == offer["hint_bots"][str(players)]
    refused = new_game(state, players=2, opponents=["champion-1"])
    assert ask(server, "/deal", refused)[0] == 422
    assert server.warnings == ["champion-1 plays with 3 to 6 players, not with 2"]


@pytest.mark.parametrize(
    ("hints", "expected"), [("planner", "planner"), ("champion:worlds=8", "search"), ("x:Y", "x:Y")]
)
def test_the_hint_bot_of_the_command_is_kept_where_it_can_play(hints: str, expected: str) -> None:
    game = NewGame(2, 0, 0, ("lowest",), seed="", hints=True)
    assert game.settings(replace(SETTINGS, hints=hints)).hints == expected


# Saved games


def test_an_abandoned_game_is_resumed_from_the_list(server: WatchedServer) -> None:
    for _ in range(8):
        left = ask(server, "/play", play_body(server))[1]
    current = ask(server, "/deal", new_game(left, players=3, hints=True))[1]
    (entry,) = ask(server, "/games")[1]["games"]
    assert (entry["game_id"], entry["names"]) == (left["game_id"], left["names"])
    assert (entry["round"], entry["turn"], entry["over"]) == (2, 3, False)
    assert entry["points"] == left["table"]["players"][0]["total"]
    body = {**turn_of(current), "saved_game": left["game_id"]}
    status, resumed = ask(server, "/resume", body)
    assert status == 200 and resumed == left
    assert ask(server, "/resume", body)[0] == 409, "the first game is not current any more"
    assert ask(server, "/delete", {"saved_game": left["game_id"]})[0] == 409
    assert ask(server, "/play", play_body(server))[1]["turns_played"] == 9


def test_a_finished_game_is_shown_after_another_was_dealt(server: WatchedServer) -> None:
    for _ in range(21):
        end = ask(server, "/play", play_body(server))[1]
    query = f"?game={end['game_id']}"
    record = ask(server, f"/record{query}")[1]
    assert ask(server, f"/finished{query}")[1] == end
    ask(server, "/deal", new_game(end))
    assert ask(server, f"/finished{query}")[1] == end
    assert ask(server, f"/record{query}")[1] == record
    assert Game.replay(record).over and record["weighings"]
    (entry,) = ask(server, "/games")[1]["games"]
    assert entry["over"] and entry["won"] == (0 in end["table"]["winners"])
    status, games = ask(server, "/delete", {"saved_game": end["game_id"]})
    assert (status, games) == (200, {"games": []})
    assert ask(server, f"/finished{query}")[0] == 422


def test_a_damaged_game_is_listed_and_says_nothing_more_to_the_page(
    server: WatchedServer,
) -> None:
    saved = server.games.new()
    saved.path.parent.mkdir(parents=True)
    saved.path.write_text("{}")
    (entry,) = ask(server, "/games")[1]["games"]
    assert entry.keys() == {"game_id", "saved_at", "readable"} and not entry["readable"]
    body = {**turn_of(ask(server, "/state")[1]), "saved_game": saved.id}
    answers = [ask(server, "/resume", body), ask(server, f"/finished?game={saved.id}")]
    assert [status for status, _ in answers] == [422, 422]
    assert not any(str(saved.path.parent) in answer["error"] for _, answer in answers)
    assert all(str(saved.path) in warning for warning in server.warnings)


def test_another_process_keeps_its_game(server: WatchedServer) -> None:
    session, saved = Session(SETTINGS), server.games.new()
    session.play(session.game.hand(0)[0])
    saved.save(session)
    body = {**turn_of(ask(server, "/state")[1]), "saved_game": saved.id}
    assert ask(server, "/resume", body)[0] == 422
    assert ask(server, "/delete", {"saved_game": saved.id})[0] == 422
    assert all("in use by process" in warning for warning in server.warnings)
    saved.close()
    assert ask(server, "/resume", body)[1]["turns_played"] == 1


def test_a_state_reads_no_package_metadata(
    server: WatchedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bots' short names come from there, which takes longer than the rest of a state."""
    before = ask(server, "/state")
    monkeypatch.delattr("mindup_play.settings.list_agents")
    assert ask(server, "/state") == before


# Failing bots and disks


def test_a_failing_bot_is_named_and_the_turn_is_not_played(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    session = Session(PlaySettings(1, opponents=("tests.play.bots:Failing",)))
    with served(session, tmp_path) as server:
        assert ask(server, "/play", play_body(server))[0] == 200
        status, answer = ask(server, "/play", play_body(server))
        assert status == 500 and "Failing at seat 1 failed" in answer["error"]
        assert server.session.turns_played == 1
    assert "out of ideas" in capfd.readouterr().err


def test_a_game_that_cannot_be_saved_continues(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("not a folder")
    with served(Session(SETTINGS), folder) as server:
        assert ask(server, "/play", play_body(server))[0] == 200
        assert len(server.warnings) == 1 and server.warnings[0].startswith(
            "cannot save the game in"
        )


def test_after_a_restart_the_game_continues(server: WatchedServer, tmp_path: Path) -> None:
    for _ in range(8):
        state = ask(server, "/play", play_body(server))[1]
    server.manager.close()
    games = SavedGames(tmp_path)
    ((saved, _),) = games.newest_first()
    later = SessionManager(saved.load(), saved, games, print).state()
    assert later == state, "a tab that is still open goes on"


# Slow bots


def test_while_a_bot_chooses_other_requests_are_answered(tmp_path: Path) -> None:
    Slow.go_on.clear()
    slow = PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")
    with served(Session(slow), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        played = clients.submit(ask, server, "/play", play_body(server))
        hinted = clients.submit(ask, server, "/hint")
        status, state = ask(server, "/state")
        assert (status, state["turns_played"]) == (200, 0)
        status, dealt = ask(server, "/deal", new_game(state, opponents=state["opponents"][:1]))
        assert status == 200 and dealt["game_id"] != state["game_id"]
        assert not played.done() and not hinted.done()
        Slow.go_on.set()
        assert played.result()[0] == 409, "another game is dealt"
        status, hint = hinted.result()
        assert status == 200 and hint["game_id"] == state["game_id"]


def test_a_turn_requested_twice_is_played_once(tmp_path: Path) -> None:
    Slow.go_on.clear()
    slow = PlaySettings(7, opponents=("tests.play.bots:Slow",))
    with served(Session(slow), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        twice = [clients.submit(ask, server, "/play", play_body(server)) for _ in range(2)]
        Slow.go_on.set()
        assert sorted(each.result()[0] for each in twice) == [200, 409]
        assert server.session.turns_played == 1
