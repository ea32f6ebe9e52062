"""``mindup watch bots``: games of bots, recorded games and training runs; its page and server."""

import argparse
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from mindup_agents.champion_1 import policy_file
from mindup_env import Game, GameConfig, cli
from mindup_play.forecast import Forecasts
from mindup_play.server import Server
from mindup_play.session_manager import StaleRequestError
from mindup_play.watch import bots
from mindup_play.watch.bots import seat_names, seated_specs
from mindup_play.watch.tables import BotsGames, WatchedGame
from tests.play.bots import Slow
from tests.play.page import violations
from tests.play.tables import ask
from tests.review.games import random_turns
from tests.scripted_game import scripted
from tools.browser import DESKTOP, PHONE, Page, Size, serving, tab

CONFIG = GameConfig(num_players=3)
SLOW = "tests.play.bots:Slow"
FAST = ["greedy", "lowest", "planner"]


def started(specs: list[str], seed: int = 7, warn: Callable[[str], None] = print) -> WatchedGame:
    return WatchedGame.of_bots(specs, seat_names(specs), CONFIG, seed, warn)


def games_of(specs: list[str], seed: int) -> BotsGames:
    return BotsGames(partial(started, specs), seed)


def finished(table: WatchedGame | BotsGames) -> dict[str, Any]:
    while not (state := table.table(0))["tables"][-1]["over"] and state["failed"] is None:
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
    later = table.table(5)
    assert later["tables"] == whole["tables"][5:]
    assert later["evaluations"] == whole["evaluations"][4:], "those of the turn before each table"
    assert finished(started(["greedy", "lowest", "greedy"]))["tables"] == whole["tables"]


def test_a_bot_that_fails_is_named_and_the_reason_stays_at_the_terminal() -> None:
    warnings: list[str] = []
    state = finished(started(["lowest", "tests.play.bots:Failing", "greedy"], warn=warnings.append))
    assert state["failed"] == "Failing" and len(state["tables"]) == 2
    assert "out of ideas" in warnings[0] and "out of ideas" not in str(state)


def test_the_next_game_has_the_next_seed_and_its_own_forecast() -> None:
    games = games_of(FAST, 7)
    first = games.game
    assert finished(first)["seed"] == "7"
    assert games.forecast("7", 9) == first.forecast("7", 9)
    assert games.deal("7") == games.deal("7") == {"seed": "8"}, "two clicks deal one game"
    with pytest.raises(StaleRequestError, match="has continued"):
        games.forecast("7", 9)
    assert finished(games.game)["tables"] == finished(started(FAST, seed=8))["tables"]
    assert finished(first)["tables"] != games.table(0)["tables"]
    assert games.forecast("8", 9)


def test_a_game_that_is_left_ends_after_its_turn() -> None:
    games = games_of(["lowest", SLOW, "greedy"], 2**64 - 1)
    left = games.game
    assert games.deal(str(2**64 - 1)) == {"seed": "0"}
    Slow.go_on.set()
    assert finished(games.game)["tables"][-1]["over"]
    assert len(left.table(0)["tables"]) <= 2


def test_the_forecast_of_a_turn_remembers_the_turns_before() -> None:
    games = random_turns(Game(CONFIG, 7), 21)
    forecast, in_order = Forecasts(CONFIG), Forecasts(CONFIG)
    turns = [in_order.at(games, turn) for turn in range(22)]
    assert [forecast.at(games, turn) for turn in (20, 3)] == [turns[20], turns[3]]
    for before, seats in zip(games, turns, strict=True):
        for seat, (cards, plays) in enumerate(seats):
            assert not plays[seat]
            for player, likely in enumerate(plays):
                assert {*map(int, likely)} <= {*before.known(player)}
                assert all(0.15 <= each <= 1 for each in likely.values())
            assert list(cards) == [str(card) for card in before.hand(seat)]
            for places in cards.values():
                assert len(places) == 3 and min(places) >= 0
                assert sum(places) == pytest.approx(1, abs=1e-5)
            means = [sum(at * each for at, each in enumerate(places)) for places in cards.values()]
            assert means == sorted(means), "a higher card takes a higher prize"
    recorded = WatchedGame.of_record(games[-1].record())
    assert recorded.forecast("", 9) == [seat._asdict() for seat in turns[9]]
    with pytest.raises(StaleRequestError):
        recorded.forecast("7", 9)
    with pytest.raises(ValueError, match="turn must be 0 to 21, not 22"):
        recorded.forecast("", 22)
    assert any(likely for seat in turns[14] for likely in seat.plays)


# The seats


def test_a_training_run_is_its_latest_policy_and_an_earlier_one(tmp_path: Path) -> None:
    run = tmp_path / "my-run"
    (run / "policies").mkdir(parents=True)
    shutil.copy(policy_file(3), run / "policy.safetensors")
    for timesteps in (1_000_000, 2_000_000, 3_000_000):
        shutil.copy(policy_file(3), run / "policies" / f"{timesteps:012d}.safetensors")
    latest, earlier = (
        f"policy:{run / name}"
        for name in ("policy.safetensors", "policies/000002000000.safetensors")
    )
    assert seated_specs([str(run), "greedy"], 3, with_earlier=False) == [latest, "greedy", latest]
    specs = seated_specs([str(run)], 4, with_earlier=True)
    assert specs == [latest, earlier] * 2
    assert seat_names(specs) == ["my-run 1", "my-run at 2M 1", "my-run 2", "my-run at 2M 2"]
    assert started(specs[:3]).table(0)["tables"]
    with pytest.raises(ValueError, match="needs folders of training runs, not 'greedy'"):
        seated_specs(["greedy"], 3, with_earlier=True)
    shutil.rmtree(run / "policies")
    with pytest.raises(ValueError, match="keeps no policy of an earlier checkpoint"):
        seated_specs([str(run)], 3, with_earlier=True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greedy", "--players", "7"], "players must be 2 to 6, not 7"),
        (["greedy", "lowest", "random", "planner", "--players", "3"], "3 players cannot be 4 bots"),
        (["nobody"], "unknown agent 'nobody'"),
    ],
)
def test_what_cannot_be_watched_is_refused(words: list[str], message: str) -> None:
    parser = argparse.ArgumentParser()
    bots.configure(parser)
    arguments = parser.parse_args([*words, "--no-browser"])
    with pytest.raises(ValueError, match=message):
        arguments.run(arguments)


# The server and the page


@contextmanager
def watched(table: WatchedGame | BotsGames) -> Iterator[Server]:
    with Server(table) as server, serving(server):
        yield server


def test_the_server_of_a_watched_game_has_no_other_routes() -> None:
    with watched(started(["lowest"] * 3)) as server:
        assert ask(server, "/table?first=0")[0] == 200
        for query in ("table?first=-1", "table?first=x", "table", "forecast?seed=7&turn=x"):
            assert ask(server, f"/{query}")[0] == 400
        for query in ("forecast?turn=0", "forecast"):
            assert ask(server, f"/{query}")[0] == 400
        assert ask(server, "/forecast?seed=7&turn=99")[0] == 422
        assert ask(server, "/forecast?seed=8&turn=0")[0] == 409
        assert ask(server, "/state")[0] == ask(server, "/record?game=1")[0] == 404
        assert ask(server, "/deal", {"seed": "7"})[0] == 404


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_game_is_watched_while_it_is_played(chromium: Chrome, size: Size) -> None:
    table = started(["champion-1", SLOW, "planner"])
    with watched(table) as server, tab(chromium, size, calm=True) as page:
        page.open(f"{server.url}watch.html")
        status = "document.querySelector('#watch-status')?.textContent"
        page.until(f"{status}?.startsWith('Slow is choosing')")
        thinking = table.table(0)["thinking"]
        assert thinking["seat"] == 1 and thinking["seconds"] >= 0
        assert "turn 1 of 21" in page.text("#watch-status")
        # The page stays usable: cards can be hidden while the bot chooses.
        shown = page.count(".hand-cards [data-card]")
        page.select("viewer", "1")
        assert (shown, page.count(".hand-cards [data-card]")) == (21, 7)
        Slow.go_on.set()
        page.until("document.getElementById('turn').max === '21'")
        page.until("location.hash !== ''")  # it plays on by itself
        page.script("document.getElementById('play').click(); location.hash = '#3'")
        page.select("viewer", "all")
        page.until("document.querySelectorAll('.bot').length === 3")
        assert page.count(".bars meter") == 5
        evaluations = [each for each in table.table(0)["evaluations"][3] if each]
        assert page.count(".card-value") == sum(len(each["values"]) for each in evaluations) > 0
        assert page.count(".mark-played") >= 3 and page.fits()
        assert violations(page) == []
        assert page.errors() == []
        assert all(url.startswith(server.url) for url in page.requested())


def open_at_turn_9(page: Page, server: Server) -> None:
    page.open(f"{server.url}watch.html#9", "document.querySelector('#forecast .note')")


def test_the_page_shows_which_prize_a_card_takes_and_deals_again(chromium: Chrome) -> None:
    games = games_of(FAST, 7)
    state = finished(games.game)
    with watched(games) as server, tab(chromium, PHONE, calm=True) as page:
        open_at_turn_9(page, server)
        assert "Choose the view of a player" in page.text("#forecast")
        page.select("viewer", "1")
        page.until("document.querySelector('#forecast table')")
        cards = games.forecast("7", 9)[1]["prizes"]
        rows = page.texts("#forecast tbody tr")
        for row, (card, places) in zip(rows, cards.items(), strict=True):
            assert row.split() == [card, *(f"{100 * each:.0f}%" for each in places)]
        row_of_turn = [str(each["prize"]) for each in state["tables"][9]["row"]]
        assert page.texts("#forecast th .number") == [*row_of_turn, *cards]
        assert violations(page) == [] and page.fits()
        page.script("document.getElementById('new-game').click()")
        page.until("document.querySelector('.next-game')?.textContent.startsWith('Seed 8')")
        assert games.table(0)["seed"] == "8" and page.errors() == []
        # A deal in another tab: the page of a finished game follows it.
        finished(games.game)
        open_at_turn_9(page, server)
        assert ask(server, "/deal", {"seed": "8"})[1] == {"seed": "9"}
        finished(games.game)
        page.select("viewer", "1")
        page.until("document.querySelector('.next-game')?.textContent.startsWith('Seed 9')")
        assert page.text("#error") == ""


def test_a_recorded_game_is_watched(chromium: Chrome) -> None:
    record = scripted(5).record()
    names = [f"a-long-name-of-a-run at {timesteps}M" for timesteps in (1, 2)]
    game = WatchedGame.of_record(record, names)
    with watched(game) as server, tab(chromium, DESKTOP) as page:
        page.open(f"{server.url}watch.html#5", "document.querySelector('.winner')")
        assert page.text(".winner h2") == names[Game.replay(record).winners[0]]
        labels = page.texts("#graph .name")
        assert [label[-6:] for label in labels] == [" at 1M", " at 2M"], "they stay apart"
        assert all("\u2026" in label for label in labels)
        assert page.errors() == []


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
    for words, said, names in (
        ("bots greedy lowest --players 3 --seed 7", "Seed 7\n", ["greedy 1", "lowest", "greedy 2"]),
        (f"replay {record} --names A,B", "", ["A", "B"]),
    ):
        assert cli.main(["watch", *words.split(), "--no-browser"]) == 0
        address = served[-1].url
        assert capsys.readouterr().out == f"{said}Watch at {address} (Ctrl-C ends)\n\n"
        assert served[-1].manager.table(0)["names"] == names
        files = served[-1].files["en"]
        assert files["/"] == files["/watch.html"], "the root leads to the game"
