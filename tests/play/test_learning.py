"""How a newcomer learns the game in the page, and what the page says when it is over."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_env import OFFICIAL_DECK
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.axe import violations
from tests.play.browser import DESKTOP, PHONE, tab
from tests.play.hidden import check_no_hidden_card_was_sent
from tests.play.page import (
    READY,
    at,
    check_no_errors,
    choose_speed,
    count,
    fits,
    keys,
    open_table,
    texts,
    until,
)
from tests.play.tables import WatchedServer, served
from tests.play.test_reveal import points_text

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ENTER, ESCAPE = "\ue007", "\ue00c"
DIALOG = "document.querySelector('dialog[open]')"

POINTS_OF_ROUND_1 = """
const end = document.querySelector("#log-turns .round-scores");
return [...document.querySelectorAll("#log-turns .turn-plays li")]
  .filter((line) => line.compareDocumentPosition(end) & Node.DOCUMENT_POSITION_FOLLOWING)
  .map((line) => [
    line.querySelector(".player-name").textContent,
    parseInt(line.querySelector(".gain").textContent.replace("\u2212", "-"), 10),
  ])
"""


def play_to(session: Session, turns: int) -> None:
    while session.turns_played < turns:
        session.play(session.game.hand(0)[0])


def test_the_first_round_names_what_happens(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        assert texts(chrome, ".empty-slot") == [
            *("lowest card takes this", "next lowest", "next lowest", "highest card takes this")
        ]
        tips = set()
        for _ in range(6):
            tips.add(at(chrome, "#narration").text)
            keys(chrome, "1", ENTER)
            until(chrome, f"({READY}) || {DIALOG}")
        assert len(tips) == 6 and "" not in tips
        keys(chrome, ENTER)
        until(chrome, READY)
        assert texts(chrome, ".empty-slot") == [""] * 4
        assert "your hand" in at(chrome, "#narration").text
        keys(chrome, "1", ENTER)
        until(chrome, f"document.querySelectorAll('#cards button').length === 7 && {READY}")
        assert at(chrome, "#narration").text == ""
        keys(chrome, "o")
        switch = at(chrome, "#guide")
        assert not switch.is_selected(), "the guide ends with the first round"
        switch.click()
        keys(chrome, ESCAPE)
        chrome.refresh()
        until(chrome, READY)
        assert at(chrome, "#guide").get_property("checked")


def test_how_to_play_has_pictures_of_the_page_itself(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, PHONE, calm=True) as chrome:
        open_table(chrome, table)
        at(chrome, "#learn").click()
        titles = []
        for _ in range(6):
            titles.append(at(chrome, "#learn-title").text)
            assert at(chrome, "#learn-text").text and count(chrome, "#learn-picture > *")
            assert fits(chrome) and violations(chrome) == []
            at(chrome, "#learn-next").click()
        assert len(set(titles)) == 6 and not count(chrome, "dialog[open]")
        check_no_errors(table, chrome)
        example = chrome.execute_script("return Learn.example")
    points = [
        len(cards) * value
        for cards, value in zip(example["columns"], example["score_cards"], strict=True)
    ]
    cards = [card for column in example["columns"] for card in column]
    assert example["points"] == points and len(cards) == 7
    assert example["bonus"] == sum(OFFICIAL_DECK[card].points for card in cards)
    assert example["total"] == sum(points) + example["bonus"]
    assert all(
        len({OFFICIAL_DECK[card].colour for card in column}) <= 1 for column in example["columns"]
    )
    landed = example["landed"]
    assert landed["card"] in example["columns"][landed["column"]]
    assert landed["score_card"] == example["score_cards"][landed["column"]]
    assert landed["bonus"] == OFFICIAL_DECK[landed["card"]].points
    assert landed["points"] == landed["score_card"] + landed["bonus"]


def test_an_objective_is_explained_where_it_stands(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        assert count(chrome, ".objective details[open]") == 0
        chrome.find_elements("css selector", ".objective summary")[1].click()
        keys(chrome, "1", ENTER)
        until(chrome, f"document.querySelectorAll('#cards button').length === 6 && {READY}")
        assert len(at(chrome, ".objective:nth-child(2) details[open] p").text) > 30
        names = table.session.settings.names
        state = table.session.table_state()
        for line, objective in zip(texts(chrome, ".met-by"), state["objectives"], strict=True):
            met_by = {name for name in names if name in line}
            expected = {names[player] for player in objective["met_by"]}
            assert line.startswith("now: ")
            assert met_by == expected or (line == "now: all players" and expected == set(names))


def test_the_log_has_the_whole_game(chromium: "Chrome", table: WatchedServer) -> None:
    play_to(table.session, 8)
    with tab(chromium, PHONE, calm=True) as chrome:
        open_table(chrome, table)
        at(chrome, "#log").click()
        until(chrome, DIALOG)
        turns = table.session.log()
        placed = [each for turn in turns for each in [*turn["plays"], *(turn["last_cards"] or [])]]
        assert texts(chrome, "#log-turns ol:not(.by-objectives) .gain") == [
            points_text(each) for each in placed
        ]
        assert texts(chrome, "#log-turns h3") == ["Round 1 of 3", "Round 2 of 3"]
        totals = texts(chrome, "#log-turns .by-parts td:last-child")[1:]  # after the heads
        scores = table.session.game.round_scores[0]
        assert totals == [str(score.total) for score in scores]
        assert any(score.objective_points for score in scores)
        gained = dict.fromkeys(table.session.settings.names, 0)
        for name, points in chrome.execute_script(POINTS_OF_ROUND_1):
            gained[name] += points
        assert list(gained.values()) == [score.total for score in scores]
        assert fits(chrome)
        keys(chrome, ESCAPE)
        check_no_hidden_card_was_sent(table, chrome)


@pytest.mark.parametrize("size", [(1280, 720), PHONE], ids=["desktop", "phone"])
def test_the_end_says_who_won_and_by_how_much(
    chromium: "Chrome", size: tuple[int, int], tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, 6, 5, 0, ("greedy", "lowest")))
    play_to(session, 20)
    with served(session, tmp_path) as server, tab(chromium, size, calm=True) as chrome:
        open_table(chrome, server)
        keys(chrome, "1", ENTER)
        until(chrome, DIALOG)
        ranking = session.table_state()["ranking"]
        names = session.settings.names
        assert texts(chrome, ".ranking .player-name") == [names[each["player"]] for each in ranking]
        assert texts(chrome, ".ranking b") == [str(each["total"]) for each in ranking]
        result = at(chrome, "#scores-text").text
        assert result == "You are number 6 of 6, 25 points behind lowest 2"
        for selector in ("#scores-title", "#scores-text", "#scores-close", "#same-deal"):
            assert in_view(chrome, selector), selector
        assert in_view(chrome, ".ranking .first")


def in_view(chrome: "Chrome", selector: str) -> bool:
    """Whether the whole element is in the window, and not covered."""
    script = f"""
        const found = document.querySelector({selector!r});
        const {{ top, bottom, left, right }} = found.getBoundingClientRect();
        const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && found.contains(shown);
    """
    return bool(chrome.execute_script(script))


def test_a_victory_is_celebrated_unless_motion_is_reduced(
    chromium: "Chrome", tmp_path: Path
) -> None:
    """With the lowest cards, seat 0 wins the deal of this seed."""
    for calm in (True, False):
        session = Session(PlaySettings(3, 3, 0, 0, ("lowest",)))
        play_to(session, 20)
        with (
            served(session, tmp_path / str(calm)) as server,
            tab(chromium, DESKTOP, calm=calm) as chrome,
        ):
            open_table(chrome, server)
            choose_speed(chrome, "none")
            keys(chrome, "1", ENTER)
            until(chrome, DIALOG)
            assert at(chrome, "#scores-title").text == "You won!"
            assert at(chrome, "#scores-text").text == "4 points ahead of lowest 2"
            assert count(chrome, ".celebration .piece") == (0 if calm else 60)
