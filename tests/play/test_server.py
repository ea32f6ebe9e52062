"""The server: its answers, and what it keeps to itself. test_refused_requests.py has the others."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mindup_env import Game
from mindup_play.offer import STRENGTHS, default_hint_bot, settings_of
from mindup_play.session import Session
from mindup_play.settings import PlaySettings, drawn_seed
from tests.play.bots import Slow, SlowToMake
from tests.play.hidden import numbers
from tests.play.tables import (
    SETTINGS,
    WatchedServer,
    ask,
    by_requests,
    new_game,
    play_body,
    play_to,
    play_to_the_end_by_requests,
    resumed,
    state_of,
    turn_of,
)


def deal(server: WatchedServer, **changes: Any) -> tuple[int, Any]:
    return ask(server, "/deal", new_game(state_of(server), **changes))


def resume(server: WatchedServer, game_id: str) -> tuple[int, Any]:
    return ask(server, "/resume", {**turn_of(state_of(server)), "saved_game": game_id})


def test_a_game_is_played_by_requests_and_its_deal_again(server: WatchedServer) -> None:
    first = state_of(server)
    state = play_to_the_end_by_requests(server)
    assert state["table"]["over"] and state["turns_played"] == 21
    status, record = ask(server, f"/record?game={state['game_id']}")
    assert record["names"] == ["You", "lowest 1", "greedy", "lowest 2"]
    assert status == 200 and Game.replay(record) == server.session.game
    assert ask(server, "/play", {**turn_of(state), "card": 1})[0] == 409
    same = {name: state[name] for name in ("objectives", "seat", "opponents", "seed")}
    status, again = deal(server, **same)
    assert status == 200 and again["table"] == first["table"]
    assert again["game_id"] != first["game_id"]


def test_another_game_can_be_dealt(server: WatchedServer) -> None:
    bots = ["greedy", "lowest", "planner", "random", "predictor"]
    game = {"seat": 5, "opponents": bots, "seed": str(2**64 - 1)}
    status, state = deal(server, **game, players=6, objectives=3, hints=True)
    assert status == 200 and {name: state[name] for name in game} == game
    assert state["bots"] == [*bots, "You"] and state["hint_bot"] == default_hint_bot(6)
    assert state["names"] == ["Ada", "Ben", "Cleo", "Davi", "Emma", "You"]
    assert len(state["table"]["objectives"]) == 3
    state = deal(server, players=3)[1]
    assert len(state["names"]) == 3 and state["seed"] is None and state["hint_bot"] is None


def test_bots_are_offered_and_dealt_for_the_numbers_of_players_that_they_play_with(
    server: WatchedServer,
) -> None:
    """Those of the project, and those of the command line."""
    offer = ask(server, "/offer")[1]
    offered = {each["bot"]: each for each in offer["bots"]}
    assert {*STRENGTHS, "lowest"} == offered.keys()
    assert offered["random"]["strength"] == "very easy"
    assert offered["champion"]["strength"] == "very hard"
    assert offered["lowest"]["strength"] is None
    able = {bot: each["players"] for bot, each in offered.items()}
    assert able["champion"] == [3, 4, 5, 6]
    assert able["search"] == able["lowest"] == [2, 3, 4, 5, 6]
    for players in (2, 3, 2):  # the hints of two players are not those of more
        bots = [bot for bot, numbers in able.items() if players in numbers][: players - 1]
        status, state = deal(server, players=players, opponents=bots, hints=True)
        assert (status, state["opponents"]) == (200, bots)
        assert state["hint_bot"] == default_hint_bot(players)
    status, answer = deal(server, players=2, opponents=["champion"])
    assert status == 422 and "plays with 3, 4, 5, 6 players, not with 2" in answer["error"]


@pytest.mark.parametrize(
    ("hints", "expected"), [("planner", "planner"), ("champion:worlds=8", "search"), ("x:Y", "x:Y")]
)
def test_the_hint_bot_of_the_command_is_kept_where_it_can_play(hints: str, expected: str) -> None:
    new = new_game({"game_id": "", "turns_played": 0}, players=2, hints=True)["settings"]
    assert settings_of(new, replace(SETTINGS, hints=hints), ["lowest"]).hints == expected


# Saved games


def test_an_abandoned_game_is_resumed_from_the_list(server: WatchedServer) -> None:
    for _ in range(8):
        left = ask(server, "/play", play_body(server))[1]
    current = deal(server, players=3, hints=True)[1]
    (entry,) = ask(server, "/games")[1]["games"]
    assert (entry["game_id"], entry["names"]) == (left["game_id"], left["bots"])
    assert (entry["round"], entry["turn"], entry["over"]) == (2, 3, False)
    assert entry["points"] == left["table"]["players"][0]["total"]
    body = {**turn_of(current), "saved_game": left["game_id"]}
    status, again = ask(server, "/resume", body)
    assert status == 200 and again == left, "a tab that is still open goes on"
    assert ask(server, "/resume", body)[0] == 409, "the first game is not current any more"
    own = {**turn_of(again), "saved_game": left["game_id"]}
    status, answer = ask(server, "/delete", own)
    assert (status, answer["error"]) == (409, "The current game cannot be deleted.")
    assert ask(server, "/play", play_body(server))[1]["turns_played"] == 9


@pytest.mark.parametrize(
    "change", [{"opponents": ["os:system"]}, {"opponents": ["gredy"]}, {"hints": "policy:x"}]
)
def test_a_file_starts_no_code(server: WatchedServer, change: dict[str, Any]) -> None:
    ask(server, "/play", play_body(server))
    game_id = state_of(server)["game_id"]
    path = server.games.path(game_id)
    deal(server)
    plain = json.loads(path.read_text())
    path.write_text(json.dumps({**plain, "play": {**plain["play"], **change}}))
    bot = change.get("hints") or change["opponents"][0]
    status, answer = resume(server, game_id)
    assert status == 422 and f"names the bot {bot!r}, which is code" in answer["error"]


def test_a_finished_game_is_shown_after_another_was_dealt(server: WatchedServer) -> None:
    end = play_to_the_end_by_requests(server)
    query = f"?game={end['game_id']}"
    record = ask(server, f"/record{query}")[1]
    assert ask(server, f"/finished{query}")[1] == end
    deal(server)
    assert ask(server, f"/finished{query}")[1] == end
    assert ask(server, f"/record{query}")[1] == record
    assert Game.replay(record).over and record["evaluations"]
    (entry,) = ask(server, "/games")[1]["games"]
    ranking = end["table"]["ranking"]
    assert entry["over"] and ranking[entry["place"] - 1]["player"] == 0
    body = {**turn_of(state_of(server)), "saved_game": end["game_id"]}
    deleted = ask(server, "/delete", body)
    assert deleted == (200, {"games": []})
    assert ask(server, f"/finished{query}")[0] == 422


def test_games_that_cannot_be_read_or_saved(
    server: WatchedServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server.games.save(damaged := server.games.new_id(), Session(SETTINGS))
    path = server.games.path(damaged)
    path.write_text("{}")
    (entry,) = ask(server, "/games")[1]["games"]
    assert entry.keys() == {"game_id", "saved_at", "readable"} and not entry["readable"]
    for status, answer in resume(server, damaged), ask(server, f"/finished?game={damaged}"):
        assert status == 422 and str(path) in answer["error"]
    (tmp_path / "file").write_text("not a folder")
    with by_requests(Session(SETTINGS), tmp_path / "file") as other:
        assert ask(other, "/play", play_body(other))[0] == 200, "the game continues"
    assert "mindup: cannot save the game: " in capfd.readouterr().err


def test_a_game_that_a_second_server_plays_on_is_not_replaced(server: WatchedServer) -> None:
    ask(server, "/play", play_body(server))
    left = turn_of(state_of(server))
    other = resumed(server.games, left["game"])
    server.games.save(left["game"], play_to(other, 3))
    status, answer = ask(server, "/play", {**left, "card": server.session.game.hand(0)[-1]})
    assert status == 409 and "has continued in the meantime" in answer["error"]
    assert state_of(server)["turns_played"] == 3, "the page goes on from there"
    assert server.session.game == other.game
    assert ask(server, "/play", play_body(server))[1]["turns_played"] == 4


def test_another_try_replaces_no_game_of_another_tab(server: WatchedServer) -> None:
    end = play_to_the_end_by_requests(server)
    again = {**turn_of(end), "saved_game": end["game_id"], "turns": 3}
    dealt = deal(server)[1]
    assert ask(server, "/try-again", again)[0] == 409
    assert state_of(server) == dealt
    status, state = ask(server, "/try-again", {**again, **turn_of(dealt)})
    assert status == 200 and state["turns_played"] == 3
    assert state["game_id"] not in (end["game_id"], dealt["game_id"])


# Slow bots

SLOW = PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")


def test_while_a_bot_chooses_other_requests_are_answered(tmp_path: Path) -> None:
    with by_requests(Session(SLOW), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        played = clients.submit(ask, server, "/play", play_body(server))
        hinted = clients.submit(ask, server, "/hint")
        for _ in range(2):  # an opponent, and the hint bot
            Slow.waiting.acquire()
        status, state = ask(server, "/state")
        assert (status, state["turns_played"]) == (200, 0)
        status, dealt = deal(server, opponents=state["opponents"][:1])
        assert status == 200 and dealt["game_id"] != state["game_id"]
        assert not played.done() and not hinted.done()
        Slow.go_on.set()
        assert played.result()[0] == 409, "another game is dealt"
        status, hint = hinted.result()
        assert status == 200 and hint["game_id"] == state["game_id"]


@pytest.mark.parametrize("path", ["/deal", "/resume"])
def test_while_bots_are_made_other_requests_are_answered(path: str, tmp_path: Path) -> None:
    slow = "tests.play.bots:SlowToMake"
    SlowToMake.go_on.set()
    settings = PlaySettings(7, players=2, opponents=(slow,))
    with by_requests(Session(settings), tmp_path) as server, ThreadPoolExecutor(1) as clients:
        ask(server, "/play", play_body(server))
        saved = {"saved_game": state_of(server)["game_id"]}
        first = deal(server, opponents=["greedy"])[1]
        dealt = new_game(first, players=2, opponents=[slow])
        SlowToMake.waiting.acquire()
        SlowToMake.go_on.clear()
        body = {"/deal": dealt, "/resume": {**turn_of(first), **saved}}[path]
        replaced = clients.submit(ask, server, path, body)
        SlowToMake.waiting.acquire()
        state = ask(server, "/play", play_body(server))[1]
        assert state["turns_played"] == 1 and not replaced.done()
        SlowToMake.go_on.set()
        assert replaced.result()[0] == 409, "the game has continued"
        assert state_of(server) == state


def test_a_turn_requested_twice_is_played_once(tmp_path: Path) -> None:
    with by_requests(Session(SLOW), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        twice = [clients.submit(ask, server, "/play", play_body(server)) for _ in range(2)]
        Slow.go_on.set()
        assert sorted(each.result()[0] for each in twice) == [200, 409]
        assert server.session.turns_played == 1


# Secrets: the seed, from which all hands follow


def drawn() -> PlaySettings:
    return PlaySettings(**drawn_seed(), players=3, opponents=("lowest",))


def test_a_drawn_seed_is_sent_only_when_the_game_is_over(tmp_path: Path) -> None:
    assert max(drawn().seed for _ in range(100)) > 2**56, "too many to try all"
    settings = drawn()
    with by_requests(Session(settings), tmp_path) as server:
        end = play_to_the_end_by_requests(server)
        during = [json.loads(sent.body) for sent in server.sent if not sent.game.over]
        assert {(state["seed"], state["command"]) for state in during} == {(None, None)}
        assert not any(str(settings.seed) in json.dumps(state) for state in during)
        assert (end["seed"], end["command"]) == (str(settings.seed), settings.command)
        assert deal(server, seed="12")[1]["seed"] == "12", "a typed one is sent"
        state = deal(server, seed="")[1]
        assert (state["seed"], state["command"]) == (None, None)


def test_saved_games_keep_their_secrets(tmp_path: Path) -> None:
    """Neither the list nor the page of a finished game shows an unfinished game's seed or hands."""
    with by_requests(Session(drawn()), tmp_path) as server:
        ask(server, "/play", play_body(server))
        first = server.session
        unfinished = state_of(server)["game_id"]
        deal(server)
        text = json.dumps(ask(server, "/games")[1])
        assert unfinished in text and str(first.settings.seed) not in text
        (entry,) = ask(server, "/games")[1]["games"]
        assert not list(numbers(entry))
        for path in ("finished", "record", "replay", "log"):
            status, answer = ask(server, f"/{path}?game={unfinished}")
            assert status == 409 and "All hands" in answer["error"] and "table" not in answer
        now = turn_of(state_of(server))
        again = {**now, "saved_game": unfinished, "turns": 0}
        for path, body in {"review": {"game": unfinished, "turn": 1}, "try-again": again}.items():
            status, answer = ask(server, f"/{path}", body)
            assert status == 409 and "All hands" in answer["error"]
        assert ask(server, f"/record?game={state_of(server)['game_id']}")[0] == 422
        again = resume(server, unfinished)[1]
        assert (again["seed"], again["turns_played"]) == (None, 1)
        assert server.session.settings == first.settings


def test_a_bot_that_fails_or_cannot_be_made_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bot = "tests.play.bots:Failing"
    with by_requests(Session(PlaySettings(1, opponents=(bot,), hints=bot)), tmp_path) as server:
        ask(server, "/play", play_body(server))
        for status, answer in (ask(server, "/play", play_body(server)), ask(server, "/hint")):
            assert status == 500 and "Failing at seat" in answer["error"]
            assert answer["error"].endswith("failed: RuntimeError: out of ideas")
        assert server.session.turns_played == 1
        assert capfd.readouterr().err.count("raise RuntimeError") == 2, "the terminal says where"
