"""The new-game screen, saved games and links in a real browser."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from mindup_env import Game
from mindup_play.offer import default_hint_bot
from mindup_play.settings import PlaySettings, drawn_seed
from tests.play.page import (
    DIALOG,
    cards,
    close_dialog,
    fits,
    open_dialog,
    press,
    reload,
    texts,
    until,
)
from tests.play.tables import (
    WatchedServer,
    ask,
    new_game,
    play_body,
    play_to_the_end_by_requests,
    state_of,
)
from tools.browser import PHONE, READY

OVER = "body.over:not(.busy)"
SEED = "#game-form [name=seed]"
DRAWN = PlaySettings(**drawn_seed(), players=3, opponents=("lowest",))


def choose(page: Page, name: str, value: object) -> None:
    page.check(f"#game-form input[name={name}][value='{value}']", force=True)  # its label is seen


def deal(page: Page, players: int) -> None:
    """Until a game of so many players is on the page."""
    page.click("#game-dialog .main")
    until(page, f"#table[data-players='{players}']")
    until(page, READY)


def form(page: Page) -> dict[str, Any]:
    """What the new-game screen shows, as the request to deal has it."""
    numbers = {
        name: int(page.input_value(f"#game-form input[name={name}]:checked"))
        for name in ("players", "objectives", "seat")
    }
    players, seat = numbers["players"], numbers["seat"]
    after = [(seat + 1 + each) % players for each in range(players - 1)]
    return {
        **numbers,
        "opponents": [page.input_value(f"#seats li:nth-child({at + 1}) select") for at in after],
        "seed": page.input_value(SEED),
        "hints": page.is_checked("#game-form [name=hints]"),
    }


def game_of(table: WatchedServer) -> dict[str, Any]:
    state = state_of(table)
    return {
        **{name: state[name] for name in ("objectives", "seat", "opponents", "seed")},
        "players": len(state["names"]),
        "hints": state["hint_bot"] is not None,
    }


def test_a_game_that_is_left_is_kept(page: Page, table: WatchedServer) -> None:
    ask(table, "/play", play_body(table))
    first = table.session
    reload(page)
    open_dialog(page, "g")
    assert fits(page)
    press(page, "Enter")
    assert table.session is first, "two keys deal nothing"
    bots = ["greedy", "lowest", "greedy"]
    assert form(page) == {**game_of(table), "opponents": bots, "seed": ""}
    page.click("#more-choices summary")
    labels = page.locator("#seats li:nth-child(2) option").all_text_contents()
    assert "champion \u00b7 very hard" in labels and "lowest" in labels
    choose(page, "players", 6)
    choose(page, "objectives", 5)
    choose(page, "seat", 2)
    choose(page, "strength", "medium")
    assert form(page)["opponents"] == ["planner", "predictor"] * 2 + ["planner"]
    page.select_option("select[aria-label='Bot at seat 2']", "random")
    strengths = page.locator("#game-form [name=strength]:checked")
    assert strengths.count() == 0, "there are two strengths"
    page.fill(SEED, "12")
    page.uncheck("#game-form [name=hints]")
    chosen = form(page)
    assert chosen["opponents"] == ["planner", "predictor"] * 2 + ["random"]
    deal(page, 6)
    assert game_of(table) == chosen and page.is_hidden("#hint")

    open_dialog(page, "g")
    assert "seed 12" in texts(page, "#seed-text")[0]
    assert "--seed 12 " in texts(page, "#command")[0]
    assert page.locator(".saved-game").count() == 1
    page.click(".saved-game button")
    until(page, "#table[data-players='4']")
    until(page, READY)
    assert table.session.game == first.game and table.session.turns_played == 1


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=("champion",), hints="champion")])
@pytest.mark.parametrize("size", [PHONE])
def test_only_bots_that_can_play_are_offered_and_dealt(page: Page, table: WatchedServer) -> None:
    open_dialog(page, "g")
    page.click("#more-choices summary")
    choose(page, "players", 2)
    assert form(page)["opponents"] == ["search"]
    disabled = page.locator("select[aria-label='Bot at seat 2'] option:disabled")
    assert disabled.all_text_contents() == ["champion \u00b7 not with 2 players"]
    choose(page, "players", 3)
    assert form(page)["opponents"] == ["champion"] * 2, "the choice is kept"
    choose(page, "players", 2)
    assert fits(page)
    deal(page, 2)
    assert game_of(table)["opponents"] == ["search"]


@pytest.mark.parametrize("size", [PHONE])
def test_a_refused_deal_leaves_the_entries(page: Page, table: WatchedServer) -> None:
    before = state_of(table)
    open_dialog(page, "g")
    choose(page, "players", 5)
    page.click("#more-choices summary")
    page.fill(SEED, str(2**64))
    entries = form(page)
    page.click("#game-dialog .main")
    until(page, "#game-error:not(:empty)")
    assert texts(page, "#game-error") == [f"The seed must be a number from 0 to {2**64 - 1}."]
    assert form(page) == entries and fits(page)
    assert state_of(table) == before
    page.fill(SEED, "")
    deal(page, 5)
    assert table.session.settings.players == 5


@pytest.mark.parametrize("settings", [DRAWN])
@pytest.mark.parametrize("turns", [20])
def test_after_the_end_there_is_a_way_on_and_a_link(
    page: Page, table: WatchedServer, tmp_path: Path
) -> None:
    press(page, "1", "Enter")
    until(page, DIALOG)
    assert texts(page, "#scores-close") == ["Look at the table"]
    reload(page, DIALOG)
    page.click("#scores-close")
    until(page, OVER)
    link, over = page.url, state_of(table)
    assert link.endswith(f"?game={over['game_id']}")
    won = 0 in over["table"]["winners"]
    assert texts(page, "#end-title")[0].startswith("You") == won
    reload(page, OVER)
    assert page.is_hidden("#scores-dialog"), "closed, it stays closed"
    assert page.is_visible("#review-game")
    with page.expect_download() as download:
        page.click("#save-record")
    download.value.save_as(tmp_path / "game.json")
    record = json.loads((tmp_path / "game.json").read_text())
    assert Game.replay(record) == table.session.game

    page.click("#end-game")
    until(page, DIALOG)
    deal(page, 3)
    assert page.url == table.url and page.is_hidden("#game-end")
    ask(table, "/play", play_body(table))
    played = state_of(table)
    page.goto(link)
    until(page, OVER)
    assert texts(page, ".panel.own .score b") == [str(over["table"]["players"][0]["total"])]
    assert state_of(table) == played, "a look at a finished game leaves none"
    page.click("#end-return")
    until(page, READY)
    assert state_of(table) == played


@pytest.mark.parametrize("size", [PHONE])
def test_saved_games_are_looked_at_and_deleted(page: Page, table: WatchedServer) -> None:
    play_to_the_end_by_requests(table)
    end = ask(table, "/deal", new_game(state_of(table), seat=1, hints=True))[1]
    assert end["hint_bot"] == "planner" != default_hint_bot(4)
    ask(table, "/play", play_body(table))
    ask(table, "/deal", new_game(state_of(table)))
    reload(page)
    open_dialog(page, "g")
    assert texts(page, ".saved-game b")[0].startswith("Round 1, turn 2") and fits(page)
    assert texts(page, ".saved-game button:first-of-type")[0] == "Continue"
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.locator(".delete").first.click()
    assert len(table.games.newest_first()) == 2
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator(".delete").first.click()
    until(page, "#saved-games:not(:has(> :nth-child(2)))")
    assert page.locator(".saved-game").count() == 1 == len(table.games.newest_first())
    (entry,) = [each for each in ask(table, "/games")[1]["games"] if each["over"]]
    place = ("1st", "2nd", "3rd", "4th")[entry["place"] - 1]
    assert texts(page, ".saved-game b") == [f"{place} of 4, {entry['points']} points"]
    page.click(".saved-game a")
    until(page, OVER)
    assert "game=" in page.url
    # A link to a game that is gone, or not over, says so.
    ask(table, "/play", play_body(table))
    current = state_of(table)["game_id"]
    for link, text in ((current, "All hands"), ("0" * 16, "not among the saved games")):
        page.goto(f"{table.url}?game={link}")
        until(page, READY)
        assert text in texts(page, "#error")[0]
        assert page.url == table.url and len(cards(page, "#cards button")) == 6


def test_back_closes_a_dialog_and_stays_on_the_page(page: Page, table: WatchedServer) -> None:
    before = page.evaluate("history.length")
    for key in ("g", "o", "?"):
        open_dialog(page, key)
        page.evaluate("history.back()")
        until(page, READY)
        open_dialog(page, key)
        close_dialog(page)
        assert page.url == table.url
    assert page.evaluate("history.length") <= before + 1, "no dialog leaves an entry behind"
    page.go_back()
    assert page.url == "about:blank"
