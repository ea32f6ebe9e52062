"""Turns in a real browser: whole games, the reveal, the points, the log and the end."""

from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mindup_env import Game
from mindup_env.cards import card_of
from mindup_play.settings import PlaySettings
from tests.play.page import DIALOG, HOLDING, cards, open_dialog, press, there
from tests.play.tables import Table, play_to
from tools.browser import DESKTOP, IDLE, PHONE, READY

WATCH = """
window.seen = [];
const all = (selector) => [...document.querySelectorAll(selector)];
const numbers = (selector) => all(selector).map((each) => Number(each.dataset.card));
new MutationObserver(() => seen.push({
  chosen: numbers(".chosen .card:not(.back)"),
  played: numbers(".played .card"),
  landed: all(".landed.now").map((each) => [
    Number(each.dataset.card), each.parentElement.querySelector(".gain").textContent]),
})).observe(document.querySelector("#table"), { childList: true });
"""


def go_on(page: Page) -> None:
    """Goes on from the result of a turn and from scores, until the table waits."""
    while not page.locator(IDLE).count():
        there(page, f"{HOLDING}, {DIALOG}, {IDLE}")
        if page.locator(f"{HOLDING}, {DIALOG}").count():
            page.click("#scores-close" if page.locator(DIALOG).count() else "#continue")


@pytest.mark.parametrize(
    ("size", "look"),
    [(DESKTOP, {}), (PHONE, {"dark": True, "touch": True, "speed": None})],
    ids=["mouse and keys", "touch and keys"],
)
def test_a_whole_game_is_played_replayed_and_reviewed(
    page: Page, table: Table, look: dict[str, Any]
) -> None:
    table.manager.shown_games.worlds = 8
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
        expect(page.locator("#cards :focus, #end-title:focus")).to_have_count(1)
        assert [each[0] for each in session.game.plays[turn:]] == [number]
    expect(page.locator(".panel.winner")).to_have_count(len(session.game.winners))
    page.click("#review-game")
    there(page, ".jump")
    press(page, "End")
    scores = [str(score) for score in session.game.scores]
    expect(page.locator(".score b")).to_have_text(scores)


# The reveal


@pytest.mark.parametrize("look", [{"speed": None}])
def test_without_motion_the_result_is_held_and_announced(page: Page, table: Table) -> None:
    press(page, "2", "Enter")
    there(page, HOLDING)
    own = next(each for each in table.session.log()[0]["plays"] if each["player"] == 0)
    said = f"You: {own['card']} takes {own['prize']} {card_of(own['prize']).colour}"
    expect(page.locator("#announcement")).to_contain_text(said)
    expect(page.locator("#continue")).to_be_focused()
    expect(page.locator(".column > .gain")).to_have_count(4)
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
    page: Page, table: Table
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
    assert len(landings) >= 8
    landed = {play["prize"]: points_text(play) for play in turn["plays"]}
    landed |= {placed["card"]: points_text(placed) for placed in turn["last_cards"]}
    assert dict(chain(*landings)) == landed


@pytest.mark.parametrize("look", [{"motion": True, "speed": None}])
def test_a_click_at_the_table_skips_to_the_end(page: Page) -> None:
    page.evaluate("import('/animations.js').then(({ setFactor }) => setFactor(1000))")
    press(page, "2", "Enter")
    there(page, "body.revealing")
    page.click("#own-tableau", position={"x": 5, "y": 5})
    there(page, READY)


# Points and scores


@pytest.mark.parametrize("turns", [5])
def test_the_scores_of_a_round_are_shown_by_parts(page: Page, table: Table) -> None:
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


@pytest.mark.parametrize("turns", [8])
def test_the_log_has_the_whole_game(page: Page, table: Table) -> None:
    open_dialog(page, "l")
    turns = table.session.log()
    placed = [each for turn in turns for each in [*turn["plays"], *(turn["last_cards"] or [])]]
    expect(page.locator("#log-turns .gain")).to_have_text([points_text(each) for each in placed])
    expect(page.locator("#log-turns h3")).to_have_text(["Round 1 of 3", "Round 2 of 3"])


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy", "lowest"))])
@pytest.mark.parametrize("turns", [20])
def test_the_end_says_who_won_and_a_key_too_many_deals_no_game(
    page: Page, table: Table, settings: PlaySettings
) -> None:
    press(page, "1", "Enter")
    there(page, DIALOG)
    ranking, names = table.session.table_state()["ranking"], table.session.settings.seats.names
    rows = page.locator("#scores-tables table").first.locator("tbody tr")
    expect(rows.locator("th")).to_have_text(
        [f"{each['place']}. {names[each['player']]}" for each in ranking]
    )
    expect(rows.locator("td:last-child")).to_have_text([str(each["total"]) for each in ranking])
    own = next(each for each in ranking if each["player"] == 0)
    said = f"{names[ranking[0]['player']]} won. You are {own['place']}"
    expect(page.locator("#scores-title")).to_contain_text(said)
    expect(page.locator("#scores-title")).to_contain_text(f"{own['behind']} points behind")
    press(page, "Enter")
    there(page, DIALOG)
    page.click("#scores-close")
    page.click("#end-same-deal")
    there(page, READY)
    assert table.session.game == Game(settings.config, 7)
    play_to(table.session)
    page.reload()
    page.click("#play-again")
    there(page, READY)
    again = table.session.settings
    assert (again.config, again.bots) == (settings.config, settings.bots) and again.seed != 7
