"""The server: its answers, and what it keeps to itself. test_refused_requests.py has the others."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest

from mindup_env import Game, GameConfig, make_agent
from mindup_play.session import Session
from mindup_play.settings import STRENGTHS, PlaySettings, default_hint_bot, drawn_seed, settings_of
from tests.play.bots import Slow, SlowToMake
from tests.play.hidden import check_no_hidden_card_was_sent, numbers
from tests.play.tables import (
    PAGE_SETTINGS,
    SETTINGS,
    WatchedServer,
    ask,
    by_requests,
    new_game,
    play_body,
    play_to_the_end_by_requests,
    state_of,
    turn_of,
)


def deal(server: WatchedServer, **changes: Any) -> tuple[int, Any]:
    return ask(server, "/deal", new_game(state_of(server), **changes))


def change(server: WatchedServer, path: str, saved_game: str, **more: int) -> tuple[int, Any]:
    return ask(server, path, {**turn_of(state_of(server)), "saved_game": saved_game, **more})


def test_a_game_is_played_by_requests_and_its_deal_again(server: WatchedServer) -> None:
    first = state_of(server)
    state = play_to_the_end_by_requests(server)
    assert state["table"]["over"] and state["turns_played"] == 21
    status, record = ask(server, f"/record?game={state['game_id']}")
    assert record["names"] == ["You", "lowest 1", "greedy", "lowest 2"]
    assert status == 200 and Game.replay(record) == server.session.game
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


def test_bots_are_offered_for_the_numbers_of_players_that_they_play_with(
    server: WatchedServer,
) -> None:
    """Those of the project, and those of the command line."""
    offered = {each.pop("bot"): each for each in ask(server, "/offer")[1]["bots"]}
    assert {*STRENGTHS, "lowest"} == offered.keys()
    for bot in STRENGTHS:
        for players in range(2, 7):
            able = players in offered[bot]["players"]
            with nullcontext() if able else pytest.raises(ValueError, match="plays with"):
                make_agent(bot, GameConfig(players))
    assert offered["lowest"] == {"strength": None, "players": [2, 3, 4, 5, 6]}


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        ("planner", "planner"),
        ("champion", "search"),
        ("champion:worlds=8", "search"),
        ("x:Y", "x:Y"),
    ],
)
def test_the_hint_bot_of_the_command_is_kept_where_it_can_play(hints: str, expected: str) -> None:
    new = new_game({"game_id": "", "turns_played": 0}, players=2, hints=True)["settings"]
    assert settings_of(new, replace(SETTINGS, hints=hints), ["lowest"]).hints == expected


# Saved games


def test_an_abandoned_game_is_resumed_from_the_list(server: WatchedServer) -> None:
    for _ in range(8):
        left = ask(server, "/play", play_body(server))[1]
    current = deal(server, players=3)[1]
    (entry,) = ask(server, "/games")[1]["games"]
    assert (entry["game_id"], entry["names"]) == (left["game_id"], left["bots"])
    assert (entry["round"], entry["turn"], entry["over"]) == (2, 3, False)
    assert entry["points"] == left["table"]["players"][0]["total"]
    body = {**turn_of(current), "saved_game": left["game_id"]}
    assert ask(server, "/resume", body) == (200, left), "a tab that is still open goes on"
    assert ask(server, "/resume", body)[0] == 409, "the first game is not current any more"
    assert ask(server, "/play", play_body(server))[1]["turns_played"] == 9


@pytest.mark.parametrize(
    "changes", [{"opponents": ["os:system"]}, {"opponents": ["gredy"]}, {"hints": "policy:x"}]
)
def test_a_file_starts_no_code(server: WatchedServer, changes: dict[str, Any]) -> None:
    game_id = ask(server, "/play", play_body(server))[1]["game_id"]
    path = server.games.path(game_id)
    plain = json.loads(path.read_text())
    path.write_text(json.dumps({**plain, "play": {**plain["play"], **changes}}))
    bot = changes.get("hints") or changes["opponents"][0]
    status, answer = change(server, "/resume", game_id)
    assert status == 422 and f"names the bot {bot!r}, which is code" in answer["error"]


def test_a_finished_game_is_shown_after_another_was_dealt(server: WatchedServer) -> None:
    end = play_to_the_end_by_requests(server)
    paths = [f"/{name}?game={end['game_id']}" for name in ("finished", "record", "log", "replay")]
    answers = [ask(server, path) for path in paths]
    assert answers[0] == (200, end) and answers[1][1]["evaluations"]
    deal(server)
    assert [ask(server, path) for path in paths] == answers
    (entry,) = ask(server, "/games")[1]["games"]
    assert entry["over"] and end["table"]["ranking"][entry["place"] - 1]["player"] == 0
    assert change(server, "/delete", end["game_id"]) == (200, {"games": []})
    assert ask(server, paths[0])[0] == 422


def test_games_that_cannot_be_read_or_saved(
    server: WatchedServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server.games.save(damaged := server.games.new_id(), Session(SETTINGS))
    path = server.games.path(damaged)
    path.write_text("{}")
    (entry,) = ask(server, "/games")[1]["games"]
    assert entry.keys() == {"game_id", "saved_at", "readable"} and not entry["readable"]
    for status, answer in change(server, "/resume", damaged), ask(server, f"/log?game={damaged}"):
        assert status == 422 and str(path) in answer["error"]
    (tmp_path / "file").write_text("not a folder")
    with by_requests(Session(SETTINGS), tmp_path / "file") as other:
        assert ask(other, "/play", play_body(other))[0] == 200, "the game continues"
    assert "mindup: cannot save the game: " in capfd.readouterr().err


def test_another_try_replaces_no_game_of_another_tab(server: WatchedServer) -> None:
    end = play_to_the_end_by_requests(server)
    dealt = deal(server)[1]
    again = {**turn_of(end), "saved_game": end["game_id"], "turns": 3}
    assert ask(server, "/try-again", again)[0] == 409
    assert state_of(server) == dealt
    status, state = change(server, "/try-again", end["game_id"], turns=3)
    assert status == 200 and state["turns_played"] == 3
    assert state["game_id"] not in (end["game_id"], dealt["game_id"])


# Slow and failing bots

SLOW = PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")


def test_while_a_bot_chooses_other_requests_are_answered(tmp_path: Path) -> None:
    with by_requests(Session(SLOW), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        played = clients.submit(ask, server, "/play", play_body(server))
        hinted = clients.submit(ask, server, "/hint")
        for _ in range(2):  # an opponent, and the hint bot
            Slow.waiting.acquire()
        state = state_of(server)
        status, dealt = deal(server, opponents=state["opponents"][:1])
        assert status == 200 and dealt["game_id"] != state["game_id"]
        assert not played.done() and not hinted.done()
        Slow.go_on.set()
        assert played.result()[0] == 409, "another game is dealt"
        status, hint = hinted.result()
        assert status == 200 and hint["game_id"] == state["game_id"]


def test_while_bots_are_made_other_requests_are_answered(tmp_path: Path) -> None:
    SlowToMake.go_on.set()
    settings = PlaySettings(7, 2, opponents=("tests.play.bots:SlowToMake",))
    with by_requests(Session(settings), tmp_path) as server, ThreadPoolExecutor(1) as clients:
        SlowToMake.go_on.clear()
        SlowToMake.waiting = Semaphore(0)
        request = new_game(state_of(server), players=2, opponents=settings.opponents)
        dealt = clients.submit(ask, server, "/deal", request)
        SlowToMake.waiting.acquire()
        state = ask(server, "/play", play_body(server))[1]
        assert state["turns_played"] == 1 and not dealt.done()
        SlowToMake.go_on.set()
        assert dealt.result()[0] == 409, "the game has continued"
        assert state_of(server) == state


def test_a_turn_requested_twice_is_played_once(tmp_path: Path) -> None:
    with by_requests(Session(SLOW), tmp_path) as server, ThreadPoolExecutor(2) as clients:
        twice = [clients.submit(ask, server, "/play", play_body(server)) for _ in range(2)]
        Slow.go_on.set()
        assert sorted(each.result()[0] for each in twice) == [200, 409]
        assert server.session.turns_played == 1


def test_a_bot_that_fails_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bot = "tests.play.bots:Failing"
    with by_requests(Session(PlaySettings(1, opponents=(bot,), hints=bot)), tmp_path) as server:
        ask(server, "/play", play_body(server))
        for status, answer in (ask(server, "/play", play_body(server)), ask(server, "/hint")):
            assert status == 500 and "Failing at seat" in answer["error"]
            assert answer["error"].endswith("failed: RuntimeError: out of ideas")
        assert server.session.turns_played == 1
        assert capfd.readouterr().err.count("raise RuntimeError") == 2, "the terminal says where"


# Secrets: hidden cards, and the seed, from which all hands follow


def drawn() -> PlaySettings:
    return PlaySettings(**drawn_seed(), players=3, opponents=("lowest",))


def test_no_answer_holds_a_hidden_card(tmp_path: Path) -> None:
    with by_requests(Session(PAGE_SETTINGS), tmp_path) as server:
        while server.session.turns_played < 20:
            ask(server, "/hint")
            game_id = ask(server, "/play", play_body(server))[1]["game_id"]
            ask(server, f"/log?game={game_id}")
            check_no_hidden_card_was_sent(server)


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
        assert deal(server, seed="")[1]["seed"] is None


def test_saved_games_keep_their_secrets(tmp_path: Path) -> None:
    """Neither the list nor the page of a finished game shows an unfinished game's seed or hands."""
    with by_requests(Session(drawn()), tmp_path) as server:
        unfinished = ask(server, "/play", play_body(server))[1]["game_id"]
        first = server.session
        deal(server)
        (entry,) = ask(server, "/games")[1]["games"]
        assert not list(numbers(entry)) and str(first.settings.seed) not in json.dumps(entry)
        refused = [
            *(ask(server, f"/{path}?game={unfinished}") for path in ("finished", "record")),
            *(ask(server, f"/{path}?game={unfinished}") for path in ("replay", "log")),
            ask(server, "/review", {"game": unfinished, "turn": 1}),
            change(server, "/try-again", unfinished, turns=0),
        ]
        for status, answer in refused:
            assert status == 409 and answer.keys() == {"error"} and "All hands" in answer["error"]
        again = change(server, "/resume", unfinished)[1]
        assert (again["seed"], again["turns_played"]) == (None, 1)
        assert server.session.settings == first.settings
