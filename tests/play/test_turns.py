"""Turns in a real browser: whole games, the reveal, the points, the tips, the log and the end."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mindup_env.cards import card_of
from mindup_play.settings import PlaySettings
from tests.play.hidden import check_no_hidden_card_was_sent, hidden_cards, numbers
from tests.play.page import (
    DIALOG,
    HOLDING,
    cards,
    close_dialog,
    fits,
    go_on,
    open_dialog,
    press,
    there,
)
from tests.play.tables import WatchedServer
from tools.browser import DESKTOP, PHONE, READY

WATCH = """
window.seen = [];
const all = (selector) => [...document.querySelectorAll(selector)];
const numbers = (selector) => all(selector).map((each) => Number(each.dataset.card));
new MutationObserver(() => seen.push({
  chosen: numbers(".chosen .card:not(.back)"),
  played: numbers(".played .card"),
  landed: all(".landed").map((each) => [
    Number(each.dataset.card), each.querySelector(".gain").textContent]),
})).observe(document.querySelector("#table"), { childList: true });
"""


def test_the_search_for_hidden_cards_can_find_one(table: WatchedServer) -> None:
    plain = {"table": {"players": [{"hidden": [None, 12]}], "turn": 13}, "last": {"new": 14}}
    assert set(numbers(plain)) == {12, 14}
    game = table.session.game
    assert set(game.hand(1)) <= hidden_cards(game, 0)
    assert not set(game.hand(0) + game.row) & hidden_cards(game, 0)


# Whole games


@pytest.mark.parametrize(
    ("size", "look"),
    [(DESKTOP, {}), (PHONE, {"dark": True, "touch": True, "speed": None})],
    ids=["mouse and keys", "touch and keys"],
)
def test_a_whole_game_shows_no_hidden_card(
    page: Page, table: WatchedServer, look: dict[str, Any]
) -> None:
    """Neither an answer of the server nor the page holds one after any turn."""
    session, hand = table.session, page.locator("#cards input")
    for turn in range(session.settings.config.num_turns):
        place = turn % hand.count()
        number = cards(page, "#cards [data-card]")[place]
        if turn % 3 == 0:
            (hand.nth(place).tap if "touch" in look else hand.nth(place).click)()
            page.click(f"#play:text-is('Play {number}')")
        elif turn % 3 == 1:
            press(page, str(place + 1), "Enter")
        else:
            hand.nth(place - 1).focus()
            press(page, "ArrowRight", "Enter")
        go_on(page)
        assert [each[0] for each in session.game.plays[turn:]] == [number]
        check_no_hidden_card_was_sent(table)
        assert not {*cards(page, "[data-card]")} & hidden_cards(session.game, 0)
    expect(page.locator("#progress")).to_have_text("The game is over")
    expect(page.locator(".panel.winner")).to_have_count(len(session.game.winners))


def test_the_first_round_has_tips(page: Page) -> None:
    tips = []
    for _ in range(8):
        tips.append(page.locator("#narration").inner_text())
        label = "lowest card" if len(tips) < 7 else ""
        expect(page.locator(".empty-slot").first).to_have_text(label)
        press(page, "1", "Enter")
        go_on(page)
    assert len({*tips}) == 8 and "" not in tips[:7] and tips[7] == ""


# The reveal


@pytest.mark.parametrize("look", [{"speed": None}])
def test_without_motion_the_result_is_held(page: Page) -> None:
    press(page, "2", "Enter")
    there(page, HOLDING)
    expect(page.locator("#continue")).to_be_focused()
    expect(page.locator(".played [data-card]")).to_have_count(4)
    expect(page.locator(".landed .gain")).to_have_count(4)
    press(page, "Enter")
    there(page, READY)
    expect(page.locator(".landed")).to_have_count(0)


def points_text(placed: dict[str, Any]) -> str:
    """As in "+6 = 5 + 1"; a card without bonus brings "+5"."""
    value, bonus = placed["score_card"], placed["bonus"]
    parts = f" = {value} {'+' if bonus > 0 else '-'} {abs(bonus)}" if bonus else ""
    return f"{placed['points']:+d}{parts}".replace("-", "\u2212")


@pytest.mark.parametrize("turns", [5])
@pytest.mark.parametrize("look", [{"motion": True, "speed": "fast"}])
def test_prizes_and_last_cards_land_one_after_the_other_with_their_points(
    page: Page, table: WatchedServer
) -> None:
    """Face down before the players, face up, under the prizes; then in the tableaux."""
    page.evaluate(WATCH)
    press(page, "2", "Enter")
    there(page, DIALOG)
    seen: list[dict[str, Any]] = page.evaluate("seen")
    turn = table.session.log()[5]
    in_order = [play["card"] for play in turn["plays"]]
    assert seen[0]["chosen"] == [table.session.game.plays[5][0]]
    assert sorted(seen[1]["chosen"]) == in_order and seen[2]["played"] == in_order
    landings = [step["landed"] for step in seen if step["landed"]]
    assert [*dict.fromkeys(map(len, landings))] == [1, 2, 3, 4, 5, 6, 7, 8]
    landed = {play["prize"]: points_text(play) for play in turn["plays"]}
    landed |= {placed["card"]: points_text(placed) for placed in turn["last_cards"]}
    assert dict(landings[-1]) == landed


def test_a_turn_is_announced(page: Page, table: WatchedServer) -> None:
    press(page, "2", "Enter")
    there(page, READY)
    own = next(each for each in table.session.log()[0]["plays"] if each["player"] == 0)
    said = f"You: {own['card']} takes {own['prize']} {card_of(own['prize']).colour}"
    expect(page.locator("#announcement")).to_contain_text(said)


@pytest.mark.parametrize("look", [{"motion": True, "speed": None}])
@pytest.mark.parametrize("place", ["#own-tableau", ".objectives", "#table .panel"])
def test_a_click_at_the_table_skips_to_the_end(page: Page, place: str) -> None:
    endless = "import('/animations.js').then(({ setFactor }) => setFactor(1000))"
    page.evaluate(endless)  # no reveal ends by itself
    press(page, "2", "Enter")
    there(page, "body.revealing")
    page.locator(place).first.click(position={"x": 5, "y": 5})
    there(page, READY)


# Points and scores


@pytest.mark.parametrize("turns", [5])
def test_the_scores_of_a_round_are_shown_by_parts(page: Page, table: WatchedServer) -> None:
    press(page, "1", "Enter")
    expect(page.locator("#scores-title")).to_have_text("Round 1 is over")
    state = table.session.table_state()
    columns, scores = state["round_columns"][0], state["round_scores"][0]
    for player, score in enumerate(scores):
        expected = [
            f"{each['points']}{len(each['cards'])}\u00d7{value}" if each["cards"] else "\u2013"
            for each, value in zip(columns["players"][player], columns["score_cards"], strict=True)
        ]
        expected += [score[each] for each in ("bonus_points", "objective_points", "total")]
        cells = page.locator("#scores-tables tbody tr").nth(player).locator("td")
        assert cells.all_text_contents() == [str(each).replace("-", "\u2212") for each in expected]


@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("turns", [8])
def test_the_log_has_the_whole_game(page: Page, table: WatchedServer) -> None:
    open_dialog(page, "l")
    turns = table.session.log()
    placed = [each for turn in turns for each in [*turn["plays"], *(turn["last_cards"] or [])]]
    expect(page.locator("#log-turns .gain")).to_have_text([points_text(each) for each in placed])
    expect(page.locator("#log-turns h3")).to_have_text(["Round 1 of 3", "Round 2 of 3"])
    assert fits(page)
    close_dialog(page)
    check_no_hidden_card_was_sent(table)


def test_the_example_of_how_to_play_follows_the_rules(page: Page) -> None:
    example = page.evaluate("import('/learn.js').then(({ EXAMPLE }) => EXAMPLE)")
    columns, values, landed = (example[name] for name in ("columns", "score_cards", "landed"))
    points = [len(column) * value for column, value in zip(columns, values, strict=True)]
    bonus = sum(card_of(card).points for column in columns for card in column)
    assert (example["points"], example["bonus"]) == (points, bonus)
    assert example["total"] == sum(points) + bonus
    assert landed["points"] == values[landed["column"]] + card_of(landed["card"]).points


# The end


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy", "lowest"))])
@pytest.mark.parametrize("turns", [20])
def test_the_end_says_who_won(page: Page, table: WatchedServer) -> None:
    press(page, "1", "Enter")
    there(page, DIALOG)
    ranking, names = table.session.table_state()["ranking"], table.session.settings.table_names
    rows = page.locator("#scores-tables table").first.locator("tbody tr")
    expect(rows.locator("th")).to_have_text(
        [f"{each['place']}. {names[each['player']]}" for each in ranking]
    )
    expect(rows.locator("td:last-child")).to_have_text([str(each["total"]) for each in ranking])
    expect(page.locator("#scores-title")).to_have_text(f"{names[ranking[0]['player']]} won")


@pytest.mark.parametrize("turns", [20])
def test_at_the_end_a_key_too_many_deals_no_game(page: Page, table: WatchedServer) -> None:
    press(page, "1", "Enter")
    there(page, DIALOG)
    press(page, "Enter")
    there(page, DIALOG)
    deal = table.session.game.deal
    page.click("#same-deal")
    there(page, READY)
    assert table.session.turns_played == 0 and table.session.game.deal == deal


@pytest.mark.parametrize("settings", [PlaySettings(7, 2, 0, 0, ("lowest",))])
@pytest.mark.parametrize("turns", [21])
def test_a_game_of_two_cannot_be_reviewed(page: Page) -> None:
    expect(page.locator("#game-end")).to_be_visible()
    expect(page.locator("#review-game")).to_be_hidden()
