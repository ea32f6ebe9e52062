"""Turns in a real browser: whole games, the reveal, the points, the tips, the log and the end.

After every turn of a game, no answer of the server held a hidden card.
"""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page

from mindup_env.cards import OBJECTIVES, card_of
from mindup_play.settings import PlaySettings
from tests.play.hidden import check_no_hidden_card_was_sent, hidden_cards, numbers
from tests.play.page import (
    DIALOG,
    HOLDING,
    cards,
    close_dialog,
    fits,
    open_dialog,
    press,
    texts,
    until,
)
from tests.play.tables import PAGE_SETTINGS, WatchedServer
from tools.browser import IDLE, PHONE, READY

NUM_TURNS = PAGE_SETTINGS.config.num_turns
SETTLED = f"{IDLE}, {DIALOG}"
WATCH = """
window.seen = [];
const all = (selector) => [...document.querySelectorAll(selector)];
const numbers = (selector) => all(selector).map((each) => Number(each.dataset.card));
new MutationObserver(() => seen.push({
  chosen: numbers(".chosen .card"),
  backs: all(".chosen .back").length,
  played: numbers(".played .card"),
  landed: all(".landed").map((each) => [
    Number(each.dataset.card), each.querySelector(".gain").textContent]),
  places: all(".taken > .gain").map((each) => each.textContent),
  said: document.querySelector("#narration").textContent,
})).observe(document.querySelector("#table"), { childList: true });
"""


def test_the_search_for_hidden_cards_can_find_one(table: WatchedServer) -> None:
    plain = {"table": {"players": [{"hidden": [None, 12]}], "turn": 13}, "last": {"new": 14}}
    assert set(numbers(plain)) == {12, 14}
    game = table.session.game
    assert set(game.hand(1)) <= hidden_cards(game, 0)
    assert not set(game.hand(0) + game.row) & hidden_cards(game, 0)


# Whole games


def check_turn(page: Page, table: WatchedServer) -> None:
    """Neither an answer nor the page holds a card that is hidden from the person."""
    check_no_hidden_card_was_sent(table)
    session = table.session
    shown = {card for card in cards(page, "[data-card]") if card}
    assert shown and not shown & hidden_cards(session.game, session.settings.seat)


def test_a_whole_game_by_clicks_with_tips_in_the_first_round(
    page: Page, table: WatchedServer
) -> None:
    tips, session = [], table.session
    for turn in range(NUM_TURNS):
        tips.append(page.text_content("#narration"))
        assert texts(page, ".empty-slot")[0] == ("lowest card" if turn < 6 else "")
        hand = cards(page, "#cards button")
        number = hand[turn % len(hand)]
        page.click(f"#cards [data-card='{number}']")
        assert texts(page, "#play") == [f"Play {number}"]
        page.click("#play")
        until(page, SETTLED)
        assert session.game.plays[-1][0] == number and session.turns_played == turn + 1
        if page.locator(DIALOG).count():
            check_scores(page, table)
            page.click("#scores-close")
        until(page, IDLE)
        check_turn(page, table)
    assert session.game.over and texts(page, "#progress") == ["The game is over"]
    assert page.locator(".panel.winner").count() == len(session.game.winners)
    assert texts(page, ".middle .met-by") == players_who_met(page, table)
    assert len(set(tips[:6])) == 6 and "" not in tips[:6] and "your hand" in (tips[6] or "")
    assert not any(tips[7:]), "the guide ends with the first round"


def check_scores(page: Page, server: WatchedServer) -> None:
    """The dialog shows the scores of the round, by parts."""
    table = server.session.table_state()
    columns, scores = table["round_columns"][-1], table["round_scores"][-1]
    lines = page.locator("#scores-tables .round-scores tbody tr").all()
    for line, own, score in zip(lines, columns["players"], scores, strict=True):
        shown = line.locator("td").all_inner_texts()
        *products, bonus, objectives, total = (text.replace("\u2212", "-") for text in shown)
        assert total == str(score["total"])
        assert products == [
            f"{each['points']}\n{len(each['cards'])}\u00d7{value}" if each["cards"] else "\u2013"
            for each, value in zip(own, columns["score_cards"], strict=True)
        ]
        for part, name in ((bonus, "bonus_points"), (objectives, "objective_points")):
            points, *terms = part.split("\n")  # a sum, perhaps above its terms
            assert points == str(score[name])
            assert not terms or sum(map(term_value, terms)) == score[name]
    assert texts(page, "#scores-tables .met-by") == players_who_met(page, server)
    assert (page.text_content("#scores-title") or "").startswith("Round") != table["over"]


def term_value(text: str) -> int:
    count, _, points = text.rpartition("\u00d7")
    return int(count or 1) * int(points.strip(" ()"))


def players_who_met(page: Page, server: WatchedServer) -> list[str]:
    """A text for each objective of the last round."""
    names, found = server.session.settings.table_names, []
    for objective in server.session.table_state()["round_objectives"][-1]:
        met_by = [names[player] for player in objective["met_by"]]
        listed = page.evaluate("names => new Intl.ListFormat('en').format(names)", met_by)
        found.append("all players" if len(met_by) == len(names) else listed or "no player")
    return found


@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("look", [{"dark": True, "touch": True, "speed": None}])
def test_a_whole_game_by_keys_and_touch_on_a_phone(page: Page, table: WatchedServer) -> None:
    session, first = table.session, table.session.table_state()
    for turn in range(NUM_TURNS):
        hand = session.game.hand(0)
        place = 1 if turn == 0 else turn % len(hand)
        if turn % 3 == 0:
            press(page, *["ArrowRight"] * (place + 1), "Enter")
        elif turn % 3 == 1:
            press(page, str(place + 1), "Enter")
        else:
            page.tap(f"#cards [data-card='{hand[place]}']")
            assert texts(page, "#play") == [f"Play {hand[place]}"]
            page.tap("#play")
        until(page, HOLDING)  # without motion, the result stays until it is dismissed
        if turn < 2:
            assert page.locator(".played [data-card]").count() == 4
            assert page.locator(".landed .gain").count() == 4
            assert page.is_visible("#continue") and page.is_hidden("#play")
        if turn % 2:
            page.tap("#continue")
        else:
            press(page, "Enter")
        until(page, SETTLED)
        assert session.game.plays[-1][0] == hand[place]
        if not session.game.over:
            if page.locator(DIALOG).count():
                press(page, "Enter")
            until(page, READY)
            assert page.locator(".landed").count() == 0 and page.is_visible("#play")
        check_turn(page, table)
    press(page, "Enter")
    assert session.game.over and page.locator(DIALOG).count(), "one Enter too many deals no game"
    for text in ("Review this game", "New game", "Same deal again"):
        press(page, "Tab")
        assert page.evaluate("document.activeElement.textContent") == text
    press(page, "Enter")
    until(page, READY)
    assert table.session.turns_played == 0 and table.session.table_state() == first


# The reveal


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
    until(page, DIALOG)
    seen: list[dict[str, Any]] = page.evaluate("seen")
    turn, columns = table.session.log()[5], table.session.table_state()["round_columns"][0]
    plays, last_cards = turn["plays"], turn["last_cards"]
    in_order = [play["card"] for play in plays]
    assert all(step["played"] in ([], in_order) for step in seen), (
        "no card lies under a prize that it does not take"
    )
    assert seen[0]["backs"] == 3 and len(seen[0]["chosen"]) == 4
    assert sorted(seen[1]["chosen"]) == in_order and seen[2]["played"] == in_order
    landings = [step for step in seen if step["landed"]]
    counts = [len(step["landed"]) for step in landings]
    assert sorted({*counts}) == [1, 2, 3, 4, 5, 6, 7, 8] and counts == sorted(counts)
    gains = {play["prize"]: points_text(play) for play in plays}
    prizes = landings[3]
    assert dict(map(tuple, prizes["landed"])) == gains
    assert prizes["places"] == list(gains.values())
    for place, word in ((0, "lowest"), (3, "highest")):
        said, play = landings[place]["said"], plays[place]
        assert f"{play['card']} is the {word} card and takes {play['prize']}" in said
        assert said.endswith(points_text(play))
    last = {placed["card"]: points_text(placed) for placed in last_cards}
    assert dict(map(tuple, landings[-1]["landed"])) == gains | last
    (own,) = (placed["card"] for placed in last_cards if placed["player"] == 0)
    assert f"You: last card {own}, {last[own]}" in [step["said"] for step in landings]
    announced = page.text_content("#announcement") or ""
    assert "You: last card" in announced and "Round 2 of 3 begins." in announced
    products = zip(columns["score_cards"], columns["players"][0], strict=True)
    assert page.locator(".own .column-points").all_text_contents() == [
        f"{len(column['cards'])} \u00d7 {value} = {column['points']}"
        for value, column in products
        if column["cards"]
    ]
    press(page, "Enter")
    until(page, READY)
    assert page.locator(".last-turn .last-cards li").count() == 4
    lines = page.locator(".last-turn .turn-plays:not(.last-cards) .gain").all_text_contents()
    assert lines == list(gains.values()), "the points stay"


@pytest.mark.parametrize("look", [{"motion": True, "speed": None}])
def test_a_click_anywhere_at_the_table_skips_to_the_end(page: Page, table: WatchedServer) -> None:
    endless = "import('/animations.js').then(({ setFactor }) => setFactor(1000))"
    page.evaluate(endless)  # no reveal ends by itself
    for turn, place in enumerate(("#own-tableau", ".objectives", "#table .panel"), 1):
        press(page, "2", "Enter")
        until(page, "body.revealing")
        page.locator(place).first.click(position={"x": 5, "y": 5})
        until(page, READY)
        assert table.session.turns_played == turn


# The table between turns


@pytest.mark.parametrize("turns", [8])
def test_the_table_shows_points_by_their_parts(page: Page, table: WatchedServer) -> None:
    """The score of this round is that as it stands, with objectives."""
    for player, state in enumerate(table.session.table_state()["players"]):
        score = state["round_score"]
        panel = f".panel[data-player='{player}'] .score"
        parts = (
            f"columns {score['colour_points']}, bonus {score['bonus_points']:+d}, "
            f"objectives {score['objective_points']:+d}"
        )
        label = page.get_attribute(panel, "aria-label") or ""
        assert label.endswith(parts.replace("-", "\u2212"))
        assert texts(page, f"{panel} b") == [str(state["total"])]


def test_an_objective_is_explained_where_it_stands(page: Page, table: WatchedServer) -> None:
    assert page.locator(".objective details[open]").count() == 0
    page.locator(".objective summary").nth(1).click()
    press(page, "1", "Enter")
    until(page, READY)
    assert len(texts(page, ".objective:nth-child(2) details[open] p")[0]) > 30
    objectives = table.session.table_state()["objectives"]
    assert texts(page, ".objective summary") == [each["condition"] for each in objectives]
    script = (files("mindup_play") / "web/objectives.js").read_text(encoding="utf-8")
    assert all(f" {objective.id}: " in script for objective in OBJECTIVES)


@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("turns", [8])
def test_the_log_has_the_whole_game(page: Page, table: WatchedServer) -> None:
    open_dialog(page, "l")
    turns = table.session.log()
    placed = [each for turn in turns for each in [*turn["plays"], *(turn["last_cards"] or [])]]
    assert texts(page, "#log-turns .gain") == [points_text(each) for each in placed]
    assert texts(page, "#log-turns h3") == ["Round 1 of 3", "Round 2 of 3"]
    assert fits(page)
    close_dialog(page)
    check_no_hidden_card_was_sent(table)


@pytest.mark.parametrize("size", [PHONE])
def test_how_to_play_has_pictures_and_an_example_by_the_rules(page: Page) -> None:
    titles = []
    open_dialog(page, "?")
    for _ in range(6):
        titles += texts(page, "#learn-title")
        assert texts(page, "#learn-text") != [""] and page.locator("#learn-picture > *").count()
        assert fits(page)
        page.click("#learn-next")
    until(page, READY)
    assert len(set(titles)) == 6
    example = page.evaluate("import('/learn.js').then(({ EXAMPLE }) => EXAMPLE)")
    columns, values, landed = (example[name] for name in ("columns", "score_cards", "landed"))
    points = [len(column) * value for column, value in zip(columns, values, strict=True)]
    bonus = sum(card_of(card).points for column in columns for card in column)
    assert (example["points"], example["bonus"]) == (points, bonus)
    assert example["total"] == sum(points) + bonus
    assert landed["card"] in columns[landed["column"]]
    assert landed["points"] == values[landed["column"]] + card_of(landed["card"]).points


# The end


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy", "lowest"))])
@pytest.mark.parametrize("turns", [20])
def test_the_end_says_who_won_and_by_how_much(page: Page, table: WatchedServer) -> None:
    press(page, "1", "Enter")
    until(page, DIALOG)
    ranking, names = table.session.table_state()["ranking"], table.session.settings.table_names
    assert texts(page, ".ranking .player-name") == [names[each["player"]] for each in ranking]
    assert texts(page, ".ranking b") == [str(each["total"]) for each in ranking]
    assert texts(page, "#scores-text") == ["You are 6th of 6, 25 points behind Davi"]


@pytest.mark.parametrize("settings", [PlaySettings(7, 2, 0, 0, ("lowest",))])
@pytest.mark.parametrize("turns", [21])
def test_a_game_of_two_cannot_be_reviewed(page: Page) -> None:
    assert page.is_visible("#game-end") and page.is_hidden("#review-game")
