"""Turns in a real browser: whole games, the reveal, the points, the tips, the log and the end.

After every turn of a game, no answer of the server held a hidden card.
"""

from importlib.resources import files
from typing import Any

import pytest

from mindup_env.cards import card_of
from mindup_env.objectives import OBJECTIVES
from mindup_play.settings import PlaySettings
from tests.play.page import (
    check_no_errors,
    check_no_hidden_card_was_sent,
    hidden_cards,
    numbers,
    violations,
)
from tests.play.tables import PAGE_SETTINGS, WatchedServer, play_to
from tools.browser import DIALOG, HOLDING, IDLE, PHONE, READY, REVEALED, REVEALING, Keys, Page

NUM_TURNS = PAGE_SETTINGS.config.num_turns
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


def test_a_whole_game_by_clicks_with_tips_in_the_first_round(
    page: Page, table: WatchedServer
) -> None:
    tips, game = [], table.session
    for turn in range(NUM_TURNS):
        tips.append(page.text("#narration"))
        labels = page.texts(".empty-slot")
        assert labels[0] == ("lowest card" if turn < 6 else "")
        cards = page.all("#cards button")
        card = cards[turn % len(cards)]
        number = int(card.get_attribute("data-card") or 0)
        card.click()
        assert page.text("#play") == f"Play {number}"
        page.click("#play")
        page.until(REVEALED)
        assert game.game.plays[-1][0] == number and game.turns_played == turn + 1
        if page.count("dialog[open]"):
            check_scores(page, table)
            page.click("#scores-close")
        page.until(IDLE)
        check_no_hidden_card_was_sent(table, page)
    assert game.game.over and page.text("#progress") == "The game is over"
    assert page.count(".panel.winner") == len(game.game.winners)
    assert page.texts(".middle .met-by") == players_who_met(page, table)
    check_no_errors(table, page)
    assert len(set(tips[:6])) == 6 and "" not in tips[:6] and "your hand" in tips[6]
    assert not any(tips[7:]), "the guide ends with the first round"


def check_scores(page: Page, server: WatchedServer) -> None:
    """The dialog shows the scores of the round, by parts."""
    table = server.session.table_state()
    columns, scores = table["round_columns"][-1], table["round_scores"][-1]
    lines = page.all("#scores-tables .round-scores tbody tr")
    for line, own, score in zip(lines, columns["players"], scores, strict=True):
        cells = line.find_elements("css selector", "td")
        *products, bonus, objectives, total = (cell.text.replace("\u2212", "-") for cell in cells)
        assert total == str(score["total"])
        assert products == [
            f"{each['points']}\n{len(each['cards'])}\u00d7{value}" if each["cards"] else "\u2013"
            for each, value in zip(own, columns["score_cards"], strict=True)
        ]
        for part, name in ((bonus, "bonus_points"), (objectives, "objective_points")):
            points, *terms = part.split("\n")  # a sum, perhaps above its terms
            assert points == str(score[name])
            assert not terms or sum(map(term_value, terms)) == score[name]
    assert page.texts("#scores-tables .met-by") == players_who_met(page, server)
    assert page.text("#scores-title").startswith("Round") != table["over"]


def term_value(text: str) -> int:
    count, _, points = text.rpartition("\u00d7")
    return int(count or 1) * int(points.strip(" ()"))


def players_who_met(page: Page, server: WatchedServer) -> list[str]:
    """A text for each objective of the last round."""
    names, texts = server.session.settings.table_names, []
    for objective in server.session.table_state()["round_objectives"][-1]:
        met_by = [names[player] for player in objective["met_by"]]
        listed = page.script("return new Intl.ListFormat('en').format(arguments[0])", met_by)
        texts.append("all players" if len(met_by) == len(names) else listed or "no player")
    return texts


@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("look", [{"calm": True, "dark": True, "holds": True}])
def test_turns_by_keys_and_touch_on_a_phone(page: Page, table: WatchedServer) -> None:
    page.command("Emulation.setTouchEmulationEnabled", enabled=True)
    session, first = table.session, table.session.table_state()
    for turn in (*range(7), 20):
        if turn == 20:
            play_to(session, turn)
            page.open_table(table)
        hand = session.game.hand(0)
        place = 1 if turn == 0 else turn % len(hand)
        if turn % 3 == 0:
            page.keys(*[Keys.ARROW_RIGHT] * (place + 1), Keys.ENTER)
        elif turn % 3 == 1:
            page.keys(str(place + 1), Keys.ENTER)
        else:
            page.tap(f"#cards [data-card='{hand[place]}']")
            assert page.text("#play") == f"Play {hand[place]}"
            page.tap("#play")
        if turn < 2:  # without motion, the result stays until it is dismissed
            page.until(HOLDING)
            assert page.count(".played [data-card]") == page.count(".landed .gain") == 4
            assert page.at("#continue").is_displayed() and not page.at("#play").is_displayed()
            page.select("speed", "wait" if turn == 0 else "none")  # the others do not wait
            if turn == 0:
                page.keys(Keys.ENTER)
            else:
                page.tap("#continue")
        page.until(REVEALED)
        assert session.game.plays[-1][0] == hand[place]
        if not session.game.over:
            if page.count("dialog[open]"):
                page.keys(Keys.ENTER)
            page.until(READY)
            assert page.count(".landed") == 0 and page.at("#play").is_displayed()
        check_no_hidden_card_was_sent(table, page)
    page.keys(Keys.ENTER)
    assert session.game.over and page.count("dialog[open]"), "one Enter too many deals no game"
    for text in ("Review this game", "New game", "Same deal again"):
        page.keys(Keys.TAB)
        assert page.chrome.switch_to.active_element.text == text
    page.keys(Keys.ENTER)
    page.until(READY)
    assert table.session.turns_played == 0 and table.session.table_state() == first
    check_no_errors(table, page)


# The reveal


def points_text(placed: dict[str, Any]) -> str:
    """As in "+6 = 5 + 1"; a card without bonus brings "+5"."""
    bonus = (
        f" = {placed['score_card']} {'+' if placed['bonus'] > 0 else '-'} {abs(placed['bonus'])}"
    )
    return f"{placed['points']:+d}{bonus if placed['bonus'] else ''}".replace("-", "\u2212")


@pytest.mark.parametrize("turns", [5])
@pytest.mark.parametrize("look", [{}])
def test_prizes_and_last_cards_land_one_after_the_other_with_their_points(
    page: Page, table: WatchedServer
) -> None:
    """Face down before the players, face up, under the prizes; then in the tableaux."""
    page.select("speed", "fast")
    page.script(WATCH)
    page.keys("2", Keys.ENTER)
    page.until(DIALOG)
    seen: list[dict[str, Any]] = page.script("return seen")
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
    announced = page.content("#announcement")
    assert "You: last card" in announced and "Round 2 of 3 begins." in announced
    products = zip(columns["score_cards"], columns["players"][0], strict=True)
    shown = [each.get_attribute("textContent") for each in page.all(".own .column-points")]
    assert shown == [
        f"{len(column['cards'])} \u00d7 {value} = {column['points']}"
        for value, column in products
        if column["cards"]
    ]
    page.keys(Keys.ENTER)
    page.until(READY)
    assert page.count(".last-turn .last-cards li") == 4
    lines = page.texts(".last-turn .turn-plays:not(.last-cards) .gain")
    assert lines == list(gains.values()), "the points stay"
    check_no_errors(table, page)


@pytest.mark.parametrize("look", [{}])
def test_a_click_anywhere_at_the_table_skips_to_the_end(page: Page, table: WatchedServer) -> None:
    endless = "import('/animations.js').then((each) => each.setFactor(1000))"
    page.script(f"return {endless}")  # a reveal that does not end by itself
    for turn, place in enumerate(("#own-tableau", ".objectives", "#table .panel h2"), 1):
        page.keys("2", Keys.ENTER)
        page.until(REVEALING)
        page.click(place)
        page.until(READY)
        assert table.session.turns_played == turn
    check_no_errors(table, page)


# The table between turns


@pytest.mark.parametrize("turns", [8])
def test_the_table_shows_points_by_their_parts(page: Page, table: WatchedServer) -> None:
    """The score of this round is that as it stands, with objectives."""
    for player, state in enumerate(table.session.table_state()["players"]):
        score = state["round_score"]
        panel = f".panel[data-player='{player}'] .score"
        label = page.at(panel).get_attribute("aria-label") or ""
        parts = (
            f"columns {score['colour_points']}, bonus {score['bonus_points']:+d}, "
            f"objectives {score['objective_points']:+d}"
        )
        assert label.endswith(parts.replace("-", "\u2212"))
        assert page.text(f"{panel} b") == str(state["total"])


def test_an_objective_is_explained_where_it_stands(page: Page, table: WatchedServer) -> None:
    assert page.count(".objective details[open]") == 0
    page.all(".objective summary")[1].click()
    page.keys("1", Keys.ENTER)
    page.until(READY)
    assert len(page.text(".objective:nth-child(2) details[open] p")) > 30
    objectives = table.session.table_state()["objectives"]
    assert page.texts(".objective summary") == [each["condition"] for each in objectives]


def test_every_objective_has_an_explanation() -> None:
    script = (files("mindup_play") / "web/objectives.js").read_text(encoding="utf-8")
    assert all(f' {objective.id}: "' in script for objective in OBJECTIVES)


@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("turns", [8])
def test_the_log_has_the_whole_game(page: Page, table: WatchedServer) -> None:
    page.click("#log")
    page.until(DIALOG)
    turns = table.session.log()
    placed = [each for turn in turns for each in [*turn["plays"], *(turn["last_cards"] or [])]]
    gains = page.texts("#log-turns .gain")
    assert gains == [points_text(each) for each in placed]
    assert page.texts("#log-turns h3") == ["Round 1 of 3", "Round 2 of 3"]
    assert page.fits()
    page.keys(Keys.ESCAPE)
    check_no_hidden_card_was_sent(table, page)


@pytest.mark.parametrize("size", [PHONE])
def test_how_to_play_has_pictures_and_an_example_by_the_rules(
    page: Page, table: WatchedServer
) -> None:
    page.click("#learn")
    titles = []
    for _ in range(6):
        titles.append(page.text("#learn-title"))
        assert page.text("#learn-text") and page.count("#learn-picture > *")
        assert page.fits() and violations(page) == []
        page.click("#learn-next")
    assert len(set(titles)) == 6 and not page.count("dialog[open]")
    check_no_errors(table, page)
    example = page.script("return import('/learn.js').then((each) => each.EXAMPLE)")
    columns, values, landed = (example[name] for name in ("columns", "score_cards", "landed"))
    points = [len(cards) * value for cards, value in zip(columns, values, strict=True)]
    bonus = sum(card_of(card).points for column in columns for card in column)
    assert (example["points"], example["bonus"]) == (points, bonus)
    assert example["total"] == sum(points) + bonus
    assert landed["card"] in columns[landed["column"]]
    assert landed["points"] == values[landed["column"]] + card_of(landed["card"]).points


# The end


@pytest.mark.parametrize("settings", [PlaySettings(7, 6, 5, 0, ("greedy", "lowest"))])
@pytest.mark.parametrize("turns", [20])
def test_the_end_says_who_won_and_by_how_much(page: Page, table: WatchedServer) -> None:
    page.keys("1", Keys.ENTER)
    page.until(DIALOG)
    ranking, names = table.session.table_state()["ranking"], table.session.settings.table_names
    assert page.texts(".ranking .player-name") == [names[each["player"]] for each in ranking]
    assert page.texts(".ranking b") == [str(each["total"]) for each in ranking]
    assert page.text("#scores-text") == (
        "You are 6th of 6, 25 points behind Davi. The largest part of the lead came in round 2: "
        "Davi 36 (columns 26, bonus +8, objectives +2), "
        "You 24 (columns 23, bonus +3, objectives \u22122)"
    )
