"""``mindup watch``: games of bots alone, recorded games and training runs in the page."""

import argparse
import json
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from mindup_agents.champion_1 import policy_file
from mindup_env import Game, GameConfig
from mindup_play.routes import BOTS_ROUTES, WATCH_ROUTES, Routes, WatchedTable
from mindup_play.server import Server
from mindup_play.watch import command
from mindup_play.watch.forecast import PrizeForecast
from mindup_play.watch.games import BotsGames
from mindup_play.watch.recorded import RecordedTable
from mindup_play.watch.seats import seat_names, seated_specs
from mindup_play.watch.table import BotsTable
from tests.play.axe import violations
from tests.play.bots import Slow
from tests.play.browser import DESKTOP, PHONE, browser_errors, requested, tab
from tests.play.page import at, count, fits, until
from tests.play.replaying import written
from tests.play.tables import ask
from tests.processes import at_work
from tests.scripted_game import scripted

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CONFIG = GameConfig(num_players=3)
SLOW = "tests.play.bots:Slow"


@contextmanager
def watched(table: WatchedTable, routes: Routes = WATCH_ROUTES) -> Iterator[Server]:
    with Server(table, routes=routes) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def started(specs: list[str], warnings: list[str] | None = None) -> BotsTable:
    warn = print if warnings is None else warnings.append
    table = BotsTable(specs, seat_names(specs), CONFIG, 7, warn)
    table.start()
    return table


def finished(table: BotsTable) -> dict[str, Any]:
    while not (state := table.state(0))["tables"][-1]["over"] and state["failed"] is None:
        pass
    return state


# The table


def test_bots_play_a_whole_game_and_say_what_they_make_of_it() -> None:
    state = finished(started(["planner", "champion-1", "lowest"]))
    assert len(state["tables"]) == 22 and state["num_turns"] == 21
    assert state["names"] == ["planner", "champion-1", "lowest"]
    assert len(state["evaluations"]) == len(state["details"]) == 21
    for turn in range(21):
        points, policy, nothing = state["evaluations"][turn]
        hand = state["tables"][turn]["players"][0]
        assert set(points["values"]) == {str(card) for card in hand["known"] + hand["hidden"]}
        assert sum(policy["values"].values()) == pytest.approx(1, abs=0.01) and nothing is None
        features = [each["features"] for each in state["details"][turn]]
        assert [len(each) for each in features] == [0, 5, 0]
        moved = [each["moved"] for each in features[1]]
        assert moved == sorted(moved, reverse=True) and 0 <= moved[0] <= 1


def test_a_game_is_asked_for_turn_by_turn() -> None:
    table = started(["greedy", "lowest", "greedy"])
    whole = finished(table)
    assert whole["names"] == ["greedy 1", "lowest", "greedy 2"]
    later = table.state(5)
    assert later["tables"] == whole["tables"][5:]
    assert later["evaluations"] == whole["evaluations"][4:], "those of the turn before each table"
    assert finished(started(["greedy", "lowest", "greedy"]))["tables"] == whole["tables"]


def test_a_slow_bot_is_named_while_it_chooses() -> None:
    Slow.go_on.clear()
    table = started(["lowest", SLOW, "greedy"])
    try:
        while (thinking := table.state(0)["thinking"]) is None or thinking["seat"] != 1:
            pass
        assert thinking["seconds"] >= 0 and len(table.state(0)["tables"]) == 1
    finally:
        Slow.go_on.set()
    assert finished(table)["thinking"] is None


def test_a_bot_that_fails_is_named_and_the_reason_stays_at_the_terminal() -> None:
    warnings: list[str] = []
    state = finished(started(["lowest", "tests.play.bots:Failing", "greedy"], warnings))
    assert state["failed"] == "Failing" and len(state["tables"]) == 2
    assert "out of ideas" in warnings[0] and "out of ideas" not in str(state)


# The next game


def test_the_next_game_has_the_next_seed() -> None:
    specs = ["greedy", "lowest", "greedy"]
    games = BotsGames(specs, seat_names(specs), CONFIG, 7, print)
    first = games._table
    assert finished(first)["seed"] == "7"
    assert games.deal("7") == games.deal("7") == {"seed": "8"}, "two clicks deal one game"
    other = BotsTable(specs, seat_names(specs), CONFIG, 8, print)
    other.start()
    assert finished(games._table)["tables"] == finished(other)["tables"]
    assert finished(first)["tables"] != games.state(0)["tables"]


def test_a_game_that_is_left_ends_after_its_turn() -> None:
    Slow.go_on.clear()
    specs = ["lowest", SLOW, "greedy"]
    games = BotsGames(specs, seat_names(specs), CONFIG, 2**64 - 1, print)
    left = games._table
    assert games.deal(str(2**64 - 1)) == {"seed": "0"}
    Slow.go_on.set()
    assert finished(games._table)["tables"][-1]["over"]
    assert len(left.state(0)["tables"]) <= 2


# The forecast


def test_the_forecast_of_a_turn_remembers_the_turns_before() -> None:
    game = Game(CONFIG, 7)
    games = [game.copy()]
    while not game.over:
        game.play([game.hand(seat)[0] for seat in range(3)])
        games.append(game.copy())
    forecast, in_order = PrizeForecast(CONFIG), PrizeForecast(CONFIG)
    turns = [in_order.at(games, turn) for turn in range(22)]
    assert [forecast.at(games, turn) for turn in (20, 3)] == [turns[20], turns[3]]
    for before, seats in zip(games, turns, strict=True):
        for seat, cards in enumerate(seats):
            assert list(cards) == [str(card) for card in before.hand(seat)]
            for places in cards.values():
                assert len(places) == 3 and min(places) >= 0
                assert sum(places) == pytest.approx(1, abs=1e-5)
            means = [sum(at * each for at, each in enumerate(places)) for places in cards.values()]
            assert means == sorted(means), "a higher card takes a higher prize"
    recorded = RecordedTable(game.record(), None)
    assert recorded.forecast(9) == turns[9]


# The seats


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a training run with policies of three checkpoints."""
    folder = tmp_path / "my-run"
    (folder / "policies").mkdir(parents=True)
    shutil.copy(policy_file(3), folder / "policy.safetensors")
    for timesteps in (100, 200, 300):
        shutil.copy(policy_file(3), folder / "policies" / f"{timesteps:012d}.safetensors")
    return folder


def test_a_training_run_is_its_latest_policy_and_an_earlier_one(run: Path) -> None:
    latest, earlier = (
        f"policy:{run / name}"
        for name in ("policy.safetensors", "policies/000000000200.safetensors")
    )
    assert seated_specs([str(run), "greedy"], 3, with_earlier=False) == [latest, "greedy", latest]
    specs = seated_specs([str(run)], 4, with_earlier=True)
    assert specs == [latest, earlier] * 2
    assert seat_names(specs) == ["my-run 1", "my-run at 200 1", "my-run 2", "my-run at 200 2"]
    assert finished(started(specs[:3]))["failed"] is None
    with pytest.raises(ValueError, match="needs folders of training runs, not 'greedy'"):
        seated_specs(["greedy"], 3, with_earlier=True)
    shutil.rmtree(run / "policies")
    with pytest.raises(ValueError, match="keeps no policy of an earlier checkpoint"):
        seated_specs([str(run)], 3, with_earlier=True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greedy", "--players", "7"], "--players must be 2 to 6, not 7"),
        (["greedy", "lowest", "random", "planner", "--players", "3"], "3 players cannot be 4 bots"),
        (["nobody"], "unknown agent 'nobody'"),
        (["none.json"], "none.json"),
    ],
)
def test_what_cannot_be_watched_is_refused(words: list[str], message: str) -> None:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    arguments = parser.parse_args([*words, "--no-browser"])
    with pytest.raises(ValueError, match=message):
        arguments.run(arguments)


# The server and the page


def test_the_server_of_a_watched_game_has_no_other_routes() -> None:
    with watched(started(["lowest"] * 3)) as server:
        assert ask(server, "/table?first=0")[1]["first"] == 0
        for path in ("/table?first=-1", "/table?first=x", "/table"):
            assert ask(server, path)[0] == 400
        for path in ("/forecast?turn=99", "/forecast?turn=x", "/forecast"):
            assert ask(server, path)[0] == 400
        assert ask(server, "/state")[0] == ask(server, "/record?game=1")[0] == 404
        assert ask(server, "/deal", {"seed": "7"})[0] == 404


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_game_is_watched_while_it_is_played(chromium: "Chrome", size: tuple[int, int]) -> None:
    Slow.go_on.clear()
    table = started(["champion-1", SLOW, "planner"])
    try:
        with watched(table) as server, tab(chromium, size, calm=True) as chrome:
            chrome.get(f"{server.url}watch.html")
            status = "document.querySelector('#watch-status')?.textContent"
            until(chrome, f"{status}?.startsWith('Slow is choosing')")
            assert "turn 1 of 21" in at(chrome, "#watch-status").text
            # The page stays usable: cards can be hidden while the bot chooses.
            shown = count(chrome, ".hand-cards [data-card]")
            select = "const viewer = document.getElementById('viewer'); viewer.value = '1';"
            chrome.execute_script(f"{select} viewer.dispatchEvent(new Event('change'))")
            assert (shown, count(chrome, ".hand-cards [data-card]")) == (21, 7)
            Slow.go_on.set()
            until(chrome, "document.getElementById('turn').max === '21'")
            until(chrome, "location.hash !== ''")  # it plays on by itself
            chrome.execute_script("document.getElementById('play').click()")
            chrome.execute_script("location.hash = '#3'")
            select = "const viewer = document.getElementById('viewer'); viewer.value = 'all';"
            chrome.execute_script(f"{select} viewer.dispatchEvent(new Event('change'))")
            until(chrome, "document.querySelectorAll('.bot').length === 3")
            assert count(chrome, ".feature-bars meter") == 5
            assert count(chrome, ".card-bars meter") == 2 * 4
            assert count(chrome, ".mark-played") >= 3 and fits(chrome)
            assert violations(chrome) == []
            assert browser_errors(chrome) == []
            assert all(url.startswith(server.url) for url in requested(chrome))
    finally:
        Slow.go_on.set()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_shows_which_prize_a_card_takes_and_deals_again(
    chromium: "Chrome", size: tuple[int, int]
) -> None:
    specs = ["greedy", "lowest", "planner"]
    games = BotsGames(specs, seat_names(specs), CONFIG, 7, print)
    state = finished(games._table)
    with watched(games, BOTS_ROUTES) as server, tab(chromium, size, calm=True) as chrome:
        chrome.get(f"{server.url}watch.html#9")
        until(chrome, "document.querySelector('#forecast .note')")
        assert "Choose the view of a player" in at(chrome, "#forecast").text
        select = "const viewer = document.getElementById('viewer'); viewer.value = '1';"
        chrome.execute_script(f"{select} viewer.dispatchEvent(new Event('change'))")
        until(chrome, "document.querySelector('#forecast table')")
        rows = chrome.find_elements("css selector", "#forecast tbody tr")
        cards = games.forecast(9)[1]
        for row, (card, places) in zip(rows, cards.items(), strict=True):
            assert row.text.split() == [card, *(f"{100 * each:.0f}%" for each in places)]
        heads = [each.text for each in chrome.find_elements("css selector", "#forecast th .number")]
        row_of_turn = [str(each["prize"]) for each in state["tables"][9]["row"]]
        assert heads == [*row_of_turn, *cards]
        assert violations(chrome) == [] and fits(chrome)
        scroll = "document.getElementById('new-game').scrollIntoView({block: 'nearest'})"
        chrome.execute_script(scroll)
        at(chrome, "#new-game").click()
        until(chrome, "document.querySelector('.next-game')?.textContent.startsWith('Seed 8')")
        assert games.state(0)["seed"] == "8" and browser_errors(chrome) == []


def got(port: int, path: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    finally:
        connection.close()


def test_the_command_serves_a_game_until_ctrl_c() -> None:
    words = ["watch", "greedy", "lowest", "--players", "3", "--seed", "7", "--no-browser"]
    with at_work(*words) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "Seed 7\n"
        address = re.search("http://127.0.0.1:([0-9]+)/watch.html", process.stdout.readline())
        assert address is not None
        assert b"watch.js" in got(int(address[1]), "/watch.html")
        state: dict[str, Any] = {"tables": [{"over": False}]}
        while not state["tables"][-1]["over"]:
            state = json.loads(got(int(address[1]), "/table?first=0"))
        assert len(state["tables"]) == 22 and state["names"] == ["greedy 1", "lowest", "greedy 2"]
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stdout.read() == "\n"


def test_a_recorded_game_is_watched(chromium: "Chrome", tmp_path: Path) -> None:
    record = scripted(5).record()
    assert written(tmp_path, record).exists()
    with watched(RecordedTable(record, ["A", "B"])) as server, tab(chromium, DESKTOP) as chrome:
        chrome.get(f"{server.url}watch.html#5")
        until(chrome, "document.querySelector('.winner')")
        winner = Game.replay(record).winners[0]
        assert at(chrome, ".winner h2").text == "AB"[winner]
        assert browser_errors(chrome) == []
