"""The new-game screen, saved games and links in a real browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mindup_env import Game
from mindup_play.settings import PlaySettings, settings_of
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


def opponents(page: Page) -> list[str]:
    page.locator("#more-choices").evaluate("each => { each.open = true; }")
    values: list[str] = page.locator("#opponents select").evaluate_all(
        "all => all.map(s => s.value)"
    )
    return values


def test_a_game_is_dealt_as_it_is_chosen(page: Page, table: Table) -> None:
    open_dialog(page, "g")
    expect(page.locator("#command")).to_contain_text("--seed 7 ")
    assert opponents(page) == ["greedy", "lowest", "greedy"], "those of the current game"
    page.select_option(field("players"), "6")
    page.select_option(field("objectives"), "5")
    page.select_option(field("strength"), "medium")
    assert {*opponents(page)} == {"planner", "predictor"}
    page.select_option("#opponents [aria-label='Opponent 2']", "random")
    expect(page.locator(field("strength"))).to_have_value("")
    page.fill(field("seed"), str(2**64 - 1))
    page.uncheck(field("hints"))
    chosen = tuple(opponents(page))
    assert chosen[1] == "random"
    deal(page, 6)
    assert table.session.settings == PlaySettings(2**64 - 1, 6, 5, 0, chosen)


@pytest.mark.parametrize("settings", [PlaySettings(7, opponents=("champion",), hints="champion")])
def test_only_bots_that_can_play_are_offered(page: Page) -> None:
    open_dialog(page, "g")
    page.select_option(field("players"), "2")
    assert opponents(page) == ["search"]
    disabled = page.locator("#opponents option:disabled")
    notes = ["champion \u00b7 not in this game", "distilled \u00b7 not in this game"]
    expect(disabled).to_have_text(notes)
    page.select_option(field("players"), "4")
    page.select_option(field("strength"), "medium")
    assert "distilled" in opponents(page)
    page.select_option(field("objectives"), "1")
    assert opponents(page) == ["planner", "predictor", "planner"]


@pytest.mark.parametrize(("objectives", "bot"), [(0, "distilled"), (1, "champion")])
def test_hints_are_those_of_a_bot_that_can_play(objectives: int, bot: str) -> None:
    current = PlaySettings(7, opponents=("greedy",), hints="distilled")
    new = {"seed": "", "players": 4, "objectives": objectives, "seat": 0, "hints": True}
    assert settings_of({**new, "opponents": ["greedy"]}, current, ["greedy"]).hints == bot


@pytest.mark.parametrize("size", [PHONE])
def test_a_refused_deal_leaves_the_entries(page: Page) -> None:
    open_dialog(page, "g")
    page.select_option(field("players"), "5")
    opponents(page)
    page.fill(field("seed"), str(2**64))
    page.click("#game-dialog .main")
    message = f"The seed must be a number from 0 to {2**64 - 1}."
    expect(page.locator("#game-error")).to_have_text(message)
    page.fill(field("seed"), "")
    deal(page, 5)


# Saved games and finished ones


def test_a_saved_game_goes_on_or_is_deleted_after_a_question(page: Page, table: Table) -> None:
    for _ in range(8):
        state = table.play()[1]
    left = table.session
    table.deal(players=3)
    table.play()
    page.reload()
    open_dialog(page, "g")
    total = state["table"]["players"][0]["total"]
    expect(page.locator(".saved-game b")).to_have_text(f"Round 2, turn 3 \u00b7 {total} points")
    page.click(".saved-game button:text-is('Continue')")
    expect(page.locator("#table")).to_have_attribute("data-players", "4")
    assert table.session.game == left.game and table.session.turns_played == 8
    open_dialog(page, "g")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.click(".delete")
    expect(page.locator(".saved-game")).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.accept())
    page.click(".delete")
    expect(page.locator(".saved-game")).to_have_count(0)


@pytest.mark.parametrize("settings", [DRAWN])
@pytest.mark.parametrize("turns", [20])
def test_a_finished_game_stays_and_is_recorded_counted_and_reviewed(
    page: Page, table: Table, tmp_path: Path
) -> None:
    press(page, "1", "Enter")
    page.click("#scores-close:text-is('Look at the table')")
    page.reload()
    there(page, OVER)
    with page.expect_download() as download:
        page.click("#save-record")
    download.value.save_as(tmp_path / "game.json")
    assert Game.replay(json.loads((tmp_path / "game.json").read_text())) == table.session.game
    share = f"{table.session.win_share:.0%}"
    table.deal()
    page.reload()
    open_dialog(page, "g")
    expect(page.locator("#results td").nth(1)).to_contain_text(share)
    page.click(".saved-game a")
    expect(page.locator("#turn")).to_have_attribute("max", "21")
    page.click("#to-table")
    there(page, READY)
