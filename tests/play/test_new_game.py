"""The new-game screen, saved games and links in a real browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mindup_env import Game
from mindup_play.settings import PlaySettings, drawn_seed
from tests.play.page import DIALOG, open_dialog, press, there
from tests.play.tables import (
    WatchedServer,
    ask,
    new_game,
    play_body,
    play_to_the_end_by_requests,
    state_of,
)
from tools.browser import PHONE, READY

OVER = "body.over:not(.busy):not(:has(dialog[open]))"
DRAWN = PlaySettings(**drawn_seed(), players=3, opponents=("lowest",))


def field(name: str) -> str:
    return f"#game-form [name={name}]"


def deal(page: Page, players: int) -> None:
    """Until a game of so many players is on the page."""
    page.click("#game-dialog .main")
    expect(page.locator("#table")).to_have_attribute("data-players", str(players))
    there(page, READY)


def seats(page: Page) -> list[str]:
    """The bots of all seats; the person's is empty."""
    page.locator("#more-choices").evaluate("each => { each.open = true; }")
    values: list[str] = page.locator("#seats select").evaluate_all("all => all.map(s => s.value)")
    return values


def test_a_game_is_dealt_as_it_is_chosen(page: Page, table: WatchedServer) -> None:
    open_dialog(page, "g")
    expect(page.locator("#command")).to_contain_text("--seed 7 ")
    assert seats(page) == ["", "greedy", "lowest", "greedy"], "those of the current game"
    page.select_option(field("players"), "6")
    page.select_option(field("objectives"), "5")
    page.select_option(field("strength"), "medium")
    before = seats(page)
    assert {*before} == {"", "planner", "predictor"}
    page.select_option("#seats [aria-label='Seat 3']", "")
    page.select_option("#seats [aria-label='Seat 2']", "random")
    expect(page.locator(field("strength"))).to_have_value("")
    page.fill(field("seed"), "12")
    page.uncheck(field("hints"))
    chosen = seats(page)
    assert chosen == [before[2], "random", "", *before[3:]], "two change places"
    deal(page, 6)
    opponents = tuple(chosen[3:] + chosen[:2])
    assert table.session.settings == PlaySettings(12, 6, 5, 2, opponents)


def test_a_key_too_many_deals_nothing(page: Page, table: WatchedServer) -> None:
    first = table.session
    open_dialog(page, "g")
    press(page, "Enter")
    expect(page.locator(DIALOG)).to_be_visible()
    assert table.session is first


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=("champion",), hints="champion")])
def test_only_bots_that_can_play_are_offered(page: Page) -> None:
    open_dialog(page, "g")
    page.select_option(field("players"), "2")
    assert seats(page) == ["", "search"]
    disabled = page.locator("#seats option:disabled")
    expect(disabled).to_have_text(["champion \u00b7 not with 2 players"])


@pytest.mark.parametrize("size", [PHONE])
def test_a_refused_deal_leaves_the_entries(page: Page, table: WatchedServer) -> None:
    before = state_of(table)
    open_dialog(page, "g")
    page.select_option(field("players"), "5")
    seats(page)
    page.fill(field("seed"), str(2**64))
    page.click("#game-dialog .main")
    message = f"The seed must be a number from 0 to {2**64 - 1}."
    expect(page.locator("#game-error")).to_have_text(message)
    assert state_of(table) == before
    page.fill(field("seed"), "")
    deal(page, 5)


# Saved games and finished ones


def test_a_game_that_is_left_goes_on(page: Page, table: WatchedServer) -> None:
    ask(table, "/play", play_body(table))
    left = table.session
    ask(table, "/deal", new_game(state_of(table), players=3))
    page.reload()
    open_dialog(page, "g")
    page.click(".saved-game button:text-is('Continue')")
    expect(page.locator("#table")).to_have_attribute("data-players", "4")
    assert table.session.game == left.game and table.session.turns_played == 1


@pytest.mark.parametrize("size", [PHONE])
def test_a_saved_game_is_deleted_after_a_question(page: Page, table: WatchedServer) -> None:
    ask(table, "/play", play_body(table))
    ask(table, "/deal", new_game(state_of(table)))
    page.reload()
    open_dialog(page, "g")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.click(".delete")
    expect(page.locator(".saved-game")).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.accept())
    page.click(".delete")
    expect(page.locator(".saved-game")).to_have_count(0)
    assert table.games.newest_first() == []


def test_a_finished_game_is_looked_at_beside_the_current_one(
    page: Page, table: WatchedServer
) -> None:
    play_to_the_end_by_requests(table)
    ask(table, "/deal", new_game(state_of(table)))
    ask(table, "/play", play_body(table))
    played = state_of(table)
    page.goto(table.url)
    open_dialog(page, "g")
    (entry,) = [each for each in ask(table, "/games")[1]["games"] if each["over"]]
    text = f"Place {entry['place']} of 4 \u00b7 {entry['points']} points"
    expect(page.locator(".saved-game b")).to_have_text(text)
    page.click(".saved-game a")
    there(page, OVER)
    assert page.url.endswith(f"?game={entry['game_id']}")
    page.click("#end-return")
    there(page, READY)
    assert page.url == table.url and state_of(table) == played


def test_a_link_to_no_finished_game_says_so(page: Page, table: WatchedServer) -> None:
    current = state_of(table)["game_id"]
    ask(table, "/play", play_body(table))
    for link, text in ((current, "All hands"), ("0" * 16, "not among the saved games")):
        page.goto(f"{table.url}?game={link}")
        expect(page.locator("#error")).to_contain_text(text)
        there(page, READY)
        assert page.url == table.url


@pytest.mark.parametrize("settings", [DRAWN])
@pytest.mark.parametrize("turns", [20])
def test_a_finished_game_has_an_address_and_a_record(
    page: Page, table: WatchedServer, tmp_path: Path
) -> None:
    press(page, "1", "Enter")
    page.click("#scores-close:text-is('Look at the table')")
    there(page, OVER)
    assert page.url.endswith(f"?game={state_of(table)['game_id']}")
    page.reload()
    there(page, OVER)
    with page.expect_download() as download:
        page.click("#save-record")
    download.value.save_as(tmp_path / "game.json")
    assert Game.replay(json.loads((tmp_path / "game.json").read_text())) == table.session.game
