"""The new-game screen, saved games and links in a real browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mindup_env import Game
from mindup_play.settings import PlaySettings
from tests.play.page import open_dialog, press, there
from tests.play.tables import DRAWN, Table
from tools.browser import PHONE, READY

OVER = "body.over:not(.busy):not(:has(dialog[open]))"


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


def test_a_game_is_dealt_as_it_is_chosen(page: Page, table: Table) -> None:
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
    page.fill(field("seed"), str(2**64 - 1))
    page.uncheck(field("hints"))
    chosen = seats(page)
    assert chosen == [before[2], "random", "", *before[3:]], "two change places"
    deal(page, 6)
    opponents = tuple(chosen[3:] + chosen[:2])
    assert table.session.settings == PlaySettings(2**64 - 1, 6, 5, 2, opponents)


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=("champion",), hints="champion")])
def test_only_bots_that_can_play_are_offered(page: Page) -> None:
    open_dialog(page, "g")
    page.select_option(field("players"), "2")
    assert seats(page) == ["", "search"]
    disabled = page.locator("#seats option:disabled")
    expect(disabled).to_have_text(["champion \u00b7 not with 2 players"])


@pytest.mark.parametrize("size", [PHONE])
def test_a_refused_deal_leaves_the_entries(page: Page) -> None:
    open_dialog(page, "g")
    page.select_option(field("players"), "5")
    seats(page)
    page.fill(field("seed"), str(2**64))
    page.click("#game-dialog .main")
    message = f"The seed must be a number from 0 to {2**64 - 1}."
    expect(page.locator("#game-error")).to_have_text(message)
    page.fill(field("seed"), "")
    deal(page, 5)


# Saved games and finished ones


def test_a_saved_game_goes_on_or_is_deleted_after_a_question(page: Page, table: Table) -> None:
    table.play()
    left = table.session
    table.deal(players=3)
    table.play()
    page.reload()
    open_dialog(page, "g")
    page.click(".saved-game button:text-is('Continue')")
    expect(page.locator("#table")).to_have_attribute("data-players", "4")
    assert table.session.game == left.game and table.session.turns_played == 1
    open_dialog(page, "g")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.click(".delete")
    expect(page.locator(".saved-game")).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.accept())
    page.click(".delete")
    expect(page.locator(".saved-game")).to_have_count(0)


@pytest.mark.parametrize("turns", [20])
def test_a_finished_game_is_looked_at_beside_the_current_one(page: Page, table: Table) -> None:
    game_id = table.play()[1]["game_id"]
    played = table.deal()[1]
    page.goto(table.url)
    open_dialog(page, "g")
    page.click(".saved-game a")
    there(page, OVER)
    assert page.url.endswith(f"?game={game_id}")
    page.click("#end-return")
    there(page, READY)
    assert page.url == table.url and table.get("/state") == played


def test_a_link_to_no_finished_game_says_so(page: Page, table: Table) -> None:
    current = table.play()[1]["game_id"]
    for link, text in ((current, "All hands"), ("0" * 16, "not among the saved games")):
        page.goto(f"{table.url}?game={link}")
        expect(page.locator("#error")).to_contain_text(text)
        there(page, READY)
        assert page.url == table.url


@pytest.mark.parametrize("settings", [DRAWN])
@pytest.mark.parametrize("turns", [20])
def test_a_finished_game_has_an_address_and_a_record(
    page: Page, table: Table, tmp_path: Path
) -> None:
    press(page, "1", "Enter")
    page.click("#scores-close:text-is('Look at the table')")
    there(page, OVER)
    page.reload()
    there(page, OVER)
    with page.expect_download() as download:
        page.click("#save-record")
    download.value.save_as(tmp_path / "game.json")
    assert Game.replay(json.loads((tmp_path / "game.json").read_text())) == table.session.game
