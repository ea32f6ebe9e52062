"""The new-game screen, saved games and links in a real browser."""

import json
from typing import Any

import pytest

from mindup_env import Game
from mindup_play.offer import default_hint_bot
from mindup_play.settings import PlaySettings, drawn_seed
from tests.play.page import (
    check_no_errors,
)
from tests.play.tables import (
    WatchedServer,
    ask,
    new_game,
    play_body,
    play_to_the_end_by_requests,
    state_of,
)
from tools.browser import DIALOG, IDLE, NEW_GAME, PHONE, READY, Keys, Page

OVER = "document.querySelector('.over')"
SCORES = "document.querySelector('#scores-dialog').open"
KEEP_SAVED = """
URL.createObjectURL = (blob) => {
  blob.text().then((text) => { window.saved = text; });
  return "#";
};
"""
DRAWN = PlaySettings(**drawn_seed(), players=3, opponents=("lowest",))


def choose(page: Page, name: str, value: object) -> None:
    page.click(f"#game-form input[name={name}][value='{value}']")


def select(page: Page, label: str, bot: str) -> None:
    page.click(f"#game-form select[aria-label='{label}'] option[value='{bot}']")


def form(page: Page) -> dict[str, Any]:
    """What the new-game screen shows, as the request to deal has it."""
    checked = "#game-form input[name={}]:checked"
    numbers = {
        name: int(page.at(checked.format(name)).get_attribute("value") or "")
        for name in ("players", "objectives", "seat")
    }
    rows = page.all("#seats .seat")
    after = [
        rows[(numbers["seat"] + 1 + each) % len(rows)].find_element("css selector", "select")
        for each in range(len(rows) - 1)
    ]
    return {
        **numbers,
        "opponents": [bot.get_attribute("value") for bot in after],
        "seed": page.at("#game-form [name=seed]").get_attribute("value"),
        "hints": page.at("#game-form [name=hints]").is_selected(),
    }


def game_of(table: WatchedServer) -> dict[str, Any]:
    state = state_of(table)
    return {
        **{name: state[name] for name in ("objectives", "seat", "opponents", "seed")},
        "players": len(state["names"]),
        "hints": state["hint_bot"] is not None,
    }


def dealt(players: int) -> str:
    """Whether a game of so many players is on the page."""
    return f"document.querySelectorAll('.panel').length === {players} && {IDLE}"


def test_a_game_that_is_left_is_kept(page: Page, table: WatchedServer) -> None:
    ask(table, "/play", play_body(table))
    first = table.session
    page.open_table(table)
    page.open_dialog("g")
    assert page.fits()
    page.keys(Keys.ENTER)
    assert table.session is first, "two keys deal nothing"
    assert form(page) == {
        **game_of(table),
        "opponents": ["greedy", "lowest", "greedy"],
        "seed": "",
    }
    page.click("#more-choices summary")
    labels = page.texts("#seats li:nth-child(2) option")
    assert "champion \u00b7 very hard" in labels and "lowest" in labels
    choose(page, "players", 6)
    choose(page, "objectives", 5)
    choose(page, "seat", 2)
    choose(page, "strength", "medium")
    assert form(page)["opponents"] == ["planner", "predictor"] * 2 + ["planner"]
    select(page, "Bot at seat 2", "random")
    assert page.count("#game-form [name=strength]:checked") == 0, "there are two strengths"
    page.at("#game-form [name=seed]").send_keys("12")
    page.click("#game-form [name=hints]")
    chosen = form(page)
    assert chosen["opponents"] == ["planner", "predictor"] * 2 + ["random"]
    page.click("#game-dialog .main")
    page.until(dealt(6))
    assert game_of(table) == chosen and not page.at("#hint").is_displayed()

    page.open_dialog("g")
    assert "seed 12" in page.text("#seed-text")
    assert "--seed 12 " in page.text("#command")
    assert page.count(".saved-game") == 1
    page.click(".saved-game button")
    page.until(dealt(4))
    assert table.session.game == first.game and table.session.turns_played == 1
    check_no_errors(table, page)


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=("champion",), hints="champion")])
@pytest.mark.parametrize("size", [PHONE])
def test_only_bots_that_can_play_are_offered_and_dealt(page: Page, table: WatchedServer) -> None:
    page.open_dialog("g")
    page.click("#more-choices summary")
    choose(page, "players", 2)
    assert form(page)["opponents"] == ["search"]
    texts = page.texts("#game-form select[aria-label='Bot at seat 2'] option:disabled")
    assert texts == ["champion \u00b7 not with 2 players"]
    choose(page, "players", 3)
    assert form(page)["opponents"] == ["champion"] * 2, "the choice is kept"
    choose(page, "players", 2)
    assert page.fits()
    page.tap("#game-dialog .main")
    page.until(dealt(2))
    assert game_of(table)["opponents"] == ["search"]
    check_no_errors(table, page)


@pytest.mark.parametrize("size", [PHONE])
def test_a_refused_deal_leaves_the_entries(page: Page, table: WatchedServer) -> None:
    before = state_of(table)
    page.open_dialog("g")
    choose(page, "players", 5)
    page.click("#more-choices summary")
    page.at("#game-form [name=seed]").send_keys(str(2**64))
    entries = form(page)
    page.tap("#game-dialog .main")
    page.until("document.querySelector('#game-error').textContent")
    assert page.text("#game-error") == f"The seed must be a number from 0 to {2**64 - 1}."
    assert form(page) == entries and page.fits()
    assert state_of(table) == before
    page.at("#game-form [name=seed]").clear()
    page.tap("#game-dialog .main")
    page.until(dealt(5))
    assert table.session.settings.players == 5


@pytest.mark.parametrize("settings", [DRAWN])
@pytest.mark.parametrize("turns", [20])
def test_after_the_end_there_is_a_way_on_and_a_link(page: Page, table: WatchedServer) -> None:
    page.keys("1", Keys.ENTER)
    page.until(SCORES)
    assert page.text("#scores-close") == "Look at the table"
    page.reload(SCORES)
    page.click("#scores-close")
    page.until(IDLE)
    link, over = page.chrome.current_url, state_of(table)
    assert link.endswith(f"?game={over['game_id']}")
    won = 0 in over["table"]["winners"]
    assert (page.text("#end-title") == "You won!") == won
    page.reload(f"{OVER} && {IDLE}")
    assert not page.at("#scores-dialog").is_displayed(), "closed, it stays closed"
    assert not page.at("#review-game").get_property("hidden")
    page.script(KEEP_SAVED)
    page.click("#save-record")
    page.until(f"window.saved && {IDLE}")
    assert Game.replay(json.loads(page.value("saved"))) == table.session.game

    page.click("#end-game")
    page.until(NEW_GAME)
    page.click("#game-dialog .main")
    page.until(f"!{OVER} && {IDLE}")
    assert page.chrome.current_url == table.url and not page.at("#game-end").is_displayed()
    ask(table, "/play", play_body(table))
    played = state_of(table)
    page.open(link, f"{OVER} && {IDLE}")
    assert page.text(".panel.own .score b") == str(over["table"]["players"][0]["total"])
    assert state_of(table) == played, "a look at a finished game leaves none"
    page.click("#end-return")
    page.until(f"document.querySelector('#cards button') && {IDLE}")
    assert state_of(table) == played
    check_no_errors(table, page)


@pytest.mark.parametrize("settings", [PlaySettings(7, 2, 0, 0, ("lowest",))])
@pytest.mark.parametrize("turns", [21])
def test_a_game_of_two_cannot_be_reviewed(page: Page) -> None:
    assert not page.at("#game-end").get_property("hidden")
    assert page.at("#review-game").get_property("hidden")


@pytest.mark.parametrize("size", [PHONE])
def test_saved_games_are_looked_at_and_deleted(page: Page, table: WatchedServer) -> None:
    play_to_the_end_by_requests(table)
    end = ask(table, "/deal", new_game(state_of(table), seat=1, hints=True))[1]
    assert end["hint_bot"] == "planner" != default_hint_bot(4)
    ask(table, "/play", play_body(table))
    ask(table, "/deal", new_game(state_of(table)))
    page.open_table(table)
    page.open_dialog("g")
    unfinished, _ = page.all(".saved-game")
    assert unfinished.text.startswith("Round 1, turn 2") and page.fits()
    assert unfinished.find_element("css selector", "button").text == "Continue"
    for answer, left in (("dismiss", 2), ("accept", 1)):
        unfinished.find_element("css selector", ".delete").click()
        getattr(page.chrome.switch_to.alert, answer)()
        page.until(f"document.querySelectorAll('.saved-game').length === {left}")
        assert len(table.games.newest_first()) == left
    (entry,) = [each for each in ask(table, "/games")[1]["games"] if each["over"]]
    place = ("1st", "2nd", "3rd", "4th")[entry["place"] - 1]
    assert page.text(".saved-game b") == f"{place} of 4, {entry['points']} points"
    page.click(".saved-game a")
    page.until(f"{OVER} && {IDLE}")
    assert "game=" in page.chrome.current_url
    check_no_errors(table, page)
    # A link to a game that is gone, or not over, says so.
    ask(table, "/play", play_body(table))
    current = state_of(table)["game_id"]
    for link, text in ((current, "All hands"), ("0" * 16, "not among the saved games")):
        error = "document.querySelector('#error').textContent"
        page.open(f"{table.url}?game={link}", f"{error} && {IDLE}")
        assert text in page.text("#error")
        assert page.chrome.current_url == table.url and page.count("#cards button") == 6


def test_back_closes_a_dialog_and_stays_on_the_page(page: Page, table: WatchedServer) -> None:
    page.open(f"{table.url}icon.svg")
    page.open_table(table)
    before = page.value("history.length")
    for key in ("g", "o", "?"):
        page.open_dialog(key)
        page.chrome.back()
        page.until(f"!{DIALOG} && {READY}")
        page.open_dialog(key)
        page.keys(Keys.ESCAPE)
        page.until(f"!{DIALOG} && {READY}")
        assert page.chrome.current_url == table.url
    assert page.value("history.length") == before + 1, "no dialog leaves an entry behind"
    page.chrome.back()
    page.until("location.pathname === '/icon.svg'")
