"""``mindup watch replay``: the page of a recorded game."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import mindup_cli
from mindup_env import Game
from mindup_play.records import replay_data
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.watch.tables import RecordedGame
from tests.play.page import cards, fits, press, texts, until
from tests.play.tables import play_to_the_end
from tests.scripted_game import scripted
from tools.browser import DESKTOP, PHONE, Size, serving, tab

NAMES = ["You", "greedy", "lowest", "planner"]
GRAPH = "#graph svg"


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A game of four with the evaluations of greedy and planner."""
    settings = PlaySettings(5, objectives=2, opponents=("greedy", "lowest", "planner"))
    plain: dict[str, Any] = json.loads(json.dumps(play_to_the_end(Session(settings)).record()))
    return plain


def test_the_page_holds_the_table_after_every_turn_with_all_hands(record: dict[str, Any]) -> None:
    data = replay_data(record)
    assert data["names"] == NAMES
    assert len(data["tables"]) == 22 and len(data["deck"]) == 60
    for turns in (0, 6, 7, 21):
        game = Game.replay(record, turns=turns)
        for player, state in enumerate(data["tables"][turns]["players"]):
            assert sorted(state["known"] + state["hidden"]) == list(game.hand(player))
            assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
    assert data["evaluations"] == record["evaluations"]


def test_players_without_names_are_numbered(record: dict[str, Any]) -> None:
    nameless = {name: value for name, value in record.items() if name != "names"}
    assert replay_data(nameless)["names"] == [f"player {player}" for player in range(4)]
    for wrong, message in ((["A"], "must be those of 4 players, not 1"), ([1], "must be texts")):
        with pytest.raises(ValueError, match=message):
            replay_data({**record, "names": wrong})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda all_: all_.pop(), "must hold 21 turns, not 20"),
        (lambda all_: all_[3].pop(), "turn 4 of evaluations must hold 4 players"),
        (lambda all_: all_[3][1].update(unit="<b>"), "the unit must be one of"),
        (lambda all_: all_[3][1]["values"].update({"61": 0}), "unknown: '61'"),
        (lambda all_: all_[3][1].update(values=dict.fromkeys(all_[3][1]["values"], inf)), "finite"),
    ],
)
def test_evaluations_that_do_not_fit_the_game_are_refused(
    spoil: Callable[[Any], Any], message: str, record: dict[str, Any]
) -> None:
    spoilt = json.loads(json.dumps(record))
    spoil(spoilt["evaluations"])
    with pytest.raises(ValueError, match=message):
        replay_data(spoilt)


# The command


def test_the_command_refuses_what_is_no_record_of_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = scripted(5).record()
    wrong["result"]["scores"][0] += 1
    file = tmp_path / "game.json"
    file.write_text(json.dumps(wrong))
    files = {
        file: ": the record has the result {",
        tmp_path / "none.json": ": No such file",
        tmp_path: ": Is a directory",
    }
    for file, message in files.items():
        assert mindup_cli.main(["watch", "replay", str(file)]) == 2
        error = capsys.readouterr().err
        assert error.startswith("mindup: ") and f"{file}{message}" in error


# In a browser


@contextmanager
def recorded(data: dict[str, Any]) -> Iterator[Server]:
    with Server(RecordedGame(data), home="/review.html") as server, serving(server):
        yield server


@pytest.fixture
def address() -> str:
    return ""


@pytest.fixture
def page(chromium: Browser, size: Size, address: str, record: dict[str, Any]) -> Iterator[Page]:
    """The page of the record at an address."""
    with recorded(replay_data(record)) as server, tab(chromium, size) as page:
        page.goto(f"{server.url}{address}")
        until(page, GRAPH)
        yield page


def progress(page: Page) -> str:
    return page.text_content("#progress") or ""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_is_stepped_through_by_keys(page: Page, record: dict[str, Any]) -> None:
    known, values = page.locator(".hand-cards [data-card]"), page.locator(".card-value")
    assert progress(page) == "Round 1 of 3 \u00b7 turn 1 of 6 \u00b7 0 played"
    assert known.count() == 28
    press(page, *["ArrowRight"] * 7, "ArrowLeft")
    assert progress(page) == "Round 2 of 3 \u00b7 turn 1 of 7 \u00b7 6 played"
    assert known.count() == 32 and values.count() == 16
    press(page, "h")  # the cards drawn for the round, and the evaluations, are hidden
    assert known.count() == 28 and values.count() == 0
    assert page.locator(".hand-cards .back").count() == 4
    press(page, "End", "ArrowRight")
    winners = " and ".join(NAMES[player] for player in record["result"]["winners"])
    assert progress(page) == f"The game is over: {winners} won"
    assert texts(page, ".score b") == [str(score) for score in record["result"]["scores"]]
    assert page.locator("#graph polyline").count() == 4 and fits(page)


@pytest.mark.parametrize("address", ["#8"])
def test_rings_mark_cards_and_the_legend_explains_them(page: Page, record: dict[str, Any]) -> None:
    before, game = (Game.replay(record, turns=turns) for turns in (7, 8))
    assert progress(page).endswith("8 played")
    assert {*cards(page, "#table .mark-played")} == set(record["plays"][8])
    assert {*cards(page, "#table .mark-taken")} == set(before.row)
    for player in (1, 3):  # greedy and planner, whose evaluations are in the record
        values = record["evaluations"][8][player]["values"]
        best = max(game.hand(player), key=lambda card: values[str(card)])
        assert best in cards(page, "#table .mark-advised")
    hidden = {card for seat in range(4) for card in game.hand(seat)}
    hidden -= {card for seat in range(4) for card in game.known(seat)}
    assert {*cards(page, "#table .mark-hidden")} == hidden
    assert page.locator("#legend li").count() == 4
    page.evaluate("location.hash = '#0'")
    until(page, "#progress:has-text('0 played')")
    assert page.locator("#legend li").count() == 3
    assert page.locator("#legend .mark-taken").count() == 0


@pytest.mark.parametrize("address", ["#19"])
def test_a_replay_plays_on_by_itself_and_as_one_player_sees_it(
    page: Page, record: dict[str, Any]
) -> None:
    page.select_option("#speed", "900")
    page.click("#play")
    until(page, "#play[aria-pressed='true']")
    until(page, "#play[aria-pressed='false']")
    assert page.url.endswith("#21") and progress(page).startswith("The game is over")
    page.evaluate("location.hash = '#6'")
    until(page, "#progress:has-text('6 played')")
    page.select_option("#viewer", "2")
    game = Game.replay(record, turns=6)
    seen = {card for seat in range(4) for card in game.known(seat)} | set(game.hand(2))
    assert {*cards(page, "#table .hand-cards [data-card]")} == seen


def test_names_are_texts_and_long_ones_stay_apart(chromium: Browser) -> None:
    names = ["<b>a-long-name-of-a-run at 1M", "</script>a-long-name-of-a-run at 2M"]
    game = scripted(5)
    data = replay_data({**game.record(), "names": names})
    with recorded(data) as server, tab(chromium, DESKTOP) as page:
        page.goto(f"{server.url}#5")
        until(page, GRAPH)
        assert texts(page, ".winner h2") == [names[game.winners[0]]]
        labels = page.locator("#graph .name").all_text_contents()
        assert [label[-6:] for label in labels] == [" at 1M", " at 2M"]
        assert all("\u2026" in label for label in labels)
