"""How a newcomer learns the game in the page, and what the page says when it is over."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_env import OFFICIAL_DECK
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.axe import violations
from tests.play.hidden import check_no_hidden_card_was_sent
from tests.play.page import check_no_errors, play_to
from tests.play.tables import WatchedServer, served
from tests.play.test_reveal import points_text
from tools.browser import DESKTOP, DIALOG, PHONE, READY, Keys, Page, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


POINTS_OF_ROUND_1 = """
const end = document.querySelector("#log-turns .round-scores");
return [...document.querySelectorAll("#log-turns .turn-plays li")]
  .filter((line) => line.compareDocumentPosition(end) & Node.DOCUMENT_POSITION_FOLLOWING)
  .map((line) => [
    line.querySelector(".player-name").textContent,
    parseInt(line.querySelector(".gain").textContent.replace("\u2212", "-"), 10),
  ])
"""


def test_the_first_round_names_what_happens(page: Page) -> None:
    assert page.texts(".empty-slot") == [
        *("lowest card takes this", "next lowest", "next lowest", "highest card takes this")
    ]
    tips = set()
    for _ in range(6):
        tips.add(page.text("#narration"))
        page.keys("1", Keys.ENTER)
        page.until(f"({READY}) || {DIALOG}")
    assert len(tips) == 6 and "" not in tips
    page.keys(Keys.ENTER)
    page.until(READY)
    assert page.texts(".empty-slot") == [""] * 4
    assert "your hand" in page.text("#narration")
    page.keys("1", Keys.ENTER)
    page.until(f"document.querySelectorAll('#cards button').length === 7 && {READY}")
    assert page.text("#narration") == ""
    page.keys("o")
    switch = page.at("#guide")
    assert not switch.is_selected(), "the guide ends with the first round"
    switch.click()
    page.keys(Keys.ESCAPE)
    page.reload()
    assert page.at("#guide").get_property("checked")


def test_how_to_play_has_pictures_of_the_page_itself(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, PHONE, calm=True) as page:
        page.open_table(table)
        page.click("#learn")
        titles = []
        for _ in range(6):
            titles.append(page.text("#learn-title"))
            assert page.text("#learn-text") and page.count("#learn-picture > *")
            assert page.fits() and violations(page) == []
            page.click("#learn-next")
        assert len(set(titles)) == 6 and not page.count("dialog[open]")
        check_no_errors(table, page)
        example = page.script("return Learn.example")
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


def test_an_objective_is_explained_where_it_stands(page: Page, table: WatchedServer) -> None:
    assert page.count(".objective details[open]") == 0
    page.all(".objective summary")[1].click()
    page.keys("1", Keys.ENTER)
    page.until(f"document.querySelectorAll('#cards button').length === 6 && {READY}")
    assert len(page.text(".objective:nth-child(2) details[open] p")) > 30
    names = table.session.settings.names
    state = table.session.table_state()
    for line, objective in zip(page.texts(".met-by"), state["objectives"], strict=True):
        met_by = {name for name in names if name in line}
        expected = {names[player] for player in objective["met_by"]}
        assert line.startswith("now: ")
        assert met_by == expected or (line == "now: all players" and expected == set(names))


@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("turns", [8])
def test_the_log_has_the_whole_game(page: Page, table: WatchedServer) -> None:
    page.click("#log")
    page.until(DIALOG)
    turns = table.session.log()
    placed = [each for turn in turns for each in [*turn["plays"], *(turn["last_cards"] or [])]]
    assert page.texts("#log-turns ol:not(.by-objectives) .gain") == [
        points_text(each) for each in placed
    ]
    assert page.texts("#log-turns h3") == ["Round 1 of 3", "Round 2 of 3"]
    totals = page.texts("#log-turns .by-parts td:last-child")[1:]  # after the heads
    scores = table.session.game.round_scores[0]
    assert totals == [str(score.total) for score in scores]
    assert any(score.objective_points for score in scores)
    gained = dict.fromkeys(table.session.settings.names, 0)
    for name, points in page.script(POINTS_OF_ROUND_1):
        gained[name] += points
    assert list(gained.values()) == [score.total for score in scores]
    assert page.fits()
    page.keys(Keys.ESCAPE)
    check_no_hidden_card_was_sent(table, page)


@pytest.mark.parametrize("size", [(1280, 720), PHONE], ids=["desktop", "phone"])
def test_the_end_says_who_won_and_by_how_much(
    chromium: "Chrome", size: tuple[int, int], tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, 6, 5, 0, ("greedy", "lowest")))
    play_to(session, 20)
    with served(session, tmp_path) as server, tab(chromium, size, calm=True) as page:
        page.open_table(server)
        page.keys("1", Keys.ENTER)
        page.until(DIALOG)
        ranking = session.table_state()["ranking"]
        names = session.settings.names
        assert page.texts(".ranking .player-name") == [names[each["player"]] for each in ranking]
        assert page.texts(".ranking b") == [str(each["total"]) for each in ranking]
        result = page.text("#scores-text")
        assert result == "You are number 6 of 6, 25 points behind lowest 2"
        for selector in ("#scores-title", "#scores-text", "#scores-close", "#same-deal"):
            assert in_view(page, selector), selector
        assert in_view(page, ".ranking .first")


def in_view(page: Page, selector: str) -> bool:
    """Whether the whole element is in the window, and not covered."""
    script = f"""
        const found = document.querySelector({selector!r});
        const {{ top, bottom, left, right }} = found.getBoundingClientRect();
        const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && found.contains(shown);
    """
    return bool(page.script(script))


def test_a_victory_is_celebrated_unless_motion_is_reduced(
    chromium: "Chrome", tmp_path: Path
) -> None:
    """With the lowest cards, seat 0 wins the deal of this seed."""
    for calm in (True, False):
        session = Session(PlaySettings(3, 3, 0, 0, ("lowest",)))
        play_to(session, 20)
        with (
            served(session, tmp_path / str(calm)) as server,
            tab(chromium, DESKTOP, calm=calm) as page,
        ):
            page.open_table(server)
            page.select("speed", "none")
            page.keys("1", Keys.ENTER)
            page.until(DIALOG)
            assert page.text("#scores-title") == "You won!"
            assert page.text("#scores-text") == "4 points ahead of lowest 2"
            assert page.count(".celebration .piece") == (0 if calm else 60)
