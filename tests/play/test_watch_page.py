"""The page, the server and the command of ``mindup watch``."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mindup_env import Game
from mindup_play.routes import Routes
from mindup_play.server import Server
from mindup_play.watch.tables import BOTS_ROUTES, WATCH_ROUTES, BotsGames, WatchedGame
from tests.play.axe import violations
from tests.play.bots import Slow
from tests.play.replaying import written
from tests.play.tables import ask
from tests.play.test_watch import SLOW, finished, games_of, started
from tests.processes import at_work
from tests.scripted_game import scripted
from tools.browser import DESKTOP, PHONE, serving, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@contextmanager
def watched(table: WatchedGame | BotsGames, routes: Routes = WATCH_ROUTES) -> Iterator[Server]:
    with Server(table, routes=routes) as server, serving(server):
        yield server


def test_the_server_of_a_watched_game_has_no_other_routes() -> None:
    with watched(started(["lowest"] * 3)) as server:
        assert ask(server, "/table?first=0")[1]["first"] == 0
        for path in ("/table?first=-1", "/table?first=x", "/table"):
            assert ask(server, path)[0] == 400
        for path in ("/forecast?seed=7&turn=x", "/forecast?turn=0", "/forecast"):
            assert ask(server, path)[0] == 400
        assert ask(server, "/forecast?seed=7&turn=99")[0] == 422
        assert ask(server, "/forecast?seed=8&turn=0")[0] == 409
        assert ask(server, "/state")[0] == ask(server, "/record?game=1")[0] == 404
        assert ask(server, "/deal", {"seed": "7"})[0] == 404


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_game_is_watched_while_it_is_played(chromium: "Chrome", size: tuple[int, int]) -> None:
    Slow.go_on.clear()
    table = started(["champion-1", SLOW, "planner"])
    try:
        with watched(table) as server, tab(chromium, size, calm=True) as page:
            page.open(f"{server.url}watch.html")
            status = "document.querySelector('#watch-status')?.textContent"
            page.until(f"{status}?.startsWith('Slow is choosing')")
            assert "turn 1 of 21" in page.text("#watch-status")
            # The page stays usable: cards can be hidden while the bot chooses.
            shown = page.count(".hand-cards [data-card]")
            select = "const viewer = document.getElementById('viewer'); viewer.value = '1';"
            page.script(f"{select} viewer.dispatchEvent(new Event('change'))")
            assert (shown, page.count(".hand-cards [data-card]")) == (21, 7)
            Slow.go_on.set()
            page.until("document.getElementById('turn').max === '21'")
            page.until("location.hash !== ''")  # it plays on by itself
            page.script("document.getElementById('play').click()")
            page.script("location.hash = '#3'")
            select = "const viewer = document.getElementById('viewer'); viewer.value = 'all';"
            page.script(f"{select} viewer.dispatchEvent(new Event('change'))")
            page.until("document.querySelectorAll('.bot').length === 3")
            assert page.count(".feature-bars meter") == 5
            assert page.count(".card-bars meter") == 2 * 4
            assert page.count(".mark-played") >= 3 and page.fits()
            assert violations(page) == []
            assert page.errors() == []
            assert all(url.startswith(server.url) for url in page.requested())
    finally:
        Slow.go_on.set()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_shows_which_prize_a_card_takes_and_deals_again(
    chromium: "Chrome", size: tuple[int, int]
) -> None:
    specs = ["greedy", "lowest", "planner"]
    games = games_of(specs, 7)
    state = finished(games._table)
    with watched(games, BOTS_ROUTES) as server, tab(chromium, size, calm=True) as page:
        page.open(f"{server.url}watch.html#9", "document.querySelector('#forecast .note')")
        assert "Choose the view of a player" in page.text("#forecast")
        select = "const viewer = document.getElementById('viewer'); viewer.value = '1';"
        page.script(f"{select} viewer.dispatchEvent(new Event('change'))")
        page.until("document.querySelector('#forecast table')")
        rows = page.all("#forecast tbody tr")
        cards = games.forecast("7", 9)[1]
        for row, (card, places) in zip(rows, cards.items(), strict=True):
            assert row.text.split() == [card, *(f"{100 * each:.0f}%" for each in places)]
        heads = [each.text for each in page.all("#forecast th .number")]
        row_of_turn = [str(each["prize"]) for each in state["tables"][9]["row"]]
        assert heads == [*row_of_turn, *cards]
        assert violations(page) == [] and page.fits()
        scroll = "document.getElementById('new-game').scrollIntoView({block: 'nearest'})"
        page.script(scroll)
        page.click("#new-game")
        page.until("document.querySelector('.next-game')?.textContent.startsWith('Seed 8')")
        assert games.table(0)["seed"] == "8" and page.errors() == []


def test_a_page_of_a_finished_game_follows_a_deal_in_another_tab(chromium: "Chrome") -> None:
    games = games_of(["greedy", "lowest", "planner"], 7)
    finished(games._table)
    with watched(games, BOTS_ROUTES) as server, tab(chromium, DESKTOP, calm=True) as page:
        page.open(f"{server.url}watch.html#9", "document.querySelector('#forecast .note')")
        assert ask(server, "/deal", {"seed": "7"})[1] == {"seed": "8"}
        finished(games._table)
        select = "const viewer = document.getElementById('viewer'); viewer.value = '1';"
        page.script(f"{select} viewer.dispatchEvent(new Event('change'))")
        page.until("document.querySelector('.next-game')?.textContent.startsWith('Seed 8')")
        assert page.text("#error") == ""


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
    game = WatchedGame.of_record(record, ["A", "B"])
    with watched(game) as server, tab(chromium, DESKTOP) as page:
        page.open(f"{server.url}watch.html#5", "document.querySelector('.winner')")
        winner = Game.replay(record).winners[0]
        assert page.text(".winner h2") == "AB"[winner]
        assert page.errors() == []
