"""The reveal of a turn in a real browser: who takes what, in which order, for which points."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.play.page import check_no_errors, play_to
from tests.play.tables import WatchedServer
from tools.browser import DESKTOP, HOLDING, PHONE, READY, Keys, Page, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

WATCH = """
window.seen = [];
const all = (selector) => [...document.querySelectorAll(selector)];
const numbers = (selector) => all(selector).map((each) => Number(each.dataset.card));
new MutationObserver(() => seen.push({
  chosen: numbers(".chosen .card"),
  played: numbers(".played .card"),
  landed: all(".landed").map((each) => [
    Number(each.dataset.card), each.querySelector(".gain").textContent]),
  places: all(".taken > .gain").map((each) => each.textContent),
  said: document.querySelector("#narration").textContent,
  announced: document.querySelector("#announcement").textContent,
})).observe(document.querySelector("#table"), { childList: true });
"""


def watched_turn(page: Page, card: str = "2") -> list[dict[str, Any]]:
    """What the page showed in a turn, after each change of the table."""
    page.script(WATCH)
    page.keys(card, Keys.ENTER)
    page.until("document.body.classList.contains('revealing')")
    page.until(f"({READY} || document.querySelector('dialog[open]')) && seen.length")
    seen: list[dict[str, Any]] = page.script("return seen")
    return seen


def points_text(placed: dict[str, Any]) -> str:
    """As in "+6 = 5 + 1"; a card without bonus brings "+5"."""
    bonus = (
        f" = {placed['score_card']} {'+' if placed['bonus'] > 0 else '-'} {abs(placed['bonus'])}"
    )
    return f"{placed['points']:+d}{bonus if placed['bonus'] else ''}".replace("-", "\u2212")


def test_prizes_land_one_after_the_other_with_their_points(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, DESKTOP) as page:
        page.open_table(table)
        page.select("speed", "fast")
        seen = watched_turn(page)
        plays = table.session.log()[0]["plays"]
        in_order = [play["card"] for play in plays]
        for step in seen:
            assert not step["played"] or step["played"] == in_order, (
                "no card lies under a prize that it does not take"
            )
        chosen = [step["chosen"] for step in seen if len(step["chosen"]) == 4]
        assert sorted(chosen[-1]) == in_order
        landings = [step for step in seen if step["landed"]]
        assert [len(step["landed"]) for step in landings] == [1, 2, 3, 4]
        gains = {play["prize"]: points_text(play) for play in plays}
        assert dict(map(tuple, landings[-1]["landed"])) == gains
        assert landings[-1]["places"] == list(gains.values())
        lowest, *_, highest = plays
        for place, play, word in ((0, lowest, "lowest"), (3, highest, "highest")):
            said = landings[place]["said"]
            assert f"{play['card']} is the {word} card and takes {play['prize']}" in said
            assert said.endswith(points_text(play))
        lines = page.all(".last-turn .gain")
        assert [line.text for line in lines] == list(gains.values()), "the points stay"
        check_no_errors(table, page)


def test_last_cards_are_shown_and_named_and_columns_broken_down(
    chromium: "Chrome", table: WatchedServer
) -> None:
    play_to(table.session, 5)
    with tab(chromium, DESKTOP) as page:
        page.open_table(table)
        page.select("speed", "fast")
        seen = watched_turn(page)
        last_cards = table.session.log()[5]["last_cards"]
        landings = [step for step in seen if len(step["landed"]) > 4]
        assert [len(step["landed"]) for step in landings] == [5, 6, 7, 8]
        landed = dict(map(tuple, landings[-1]["landed"]))
        assert {
            placed["card"]: points_text(placed) for placed in last_cards
        }.items() <= landed.items()
        own = next(placed for placed in last_cards if placed["player"] == 0)
        said = [step["said"] for step in landings]
        assert f"Your last card, {own['card']}: {points_text(own)}" in said
        announced = page.content("#announcement")
        assert "You place your last card" in announced and "Round 2 of 3 begins." in announced
        columns = table.session.table_state()["round_columns"][0]
        own_columns = [
            f"{len(column['cards'])} \u00d7 {value} = {column['points']}"
            for value, column in zip(columns["score_cards"], columns["players"][0], strict=True)
            if column["cards"]
        ]
        shown = [each.get_attribute("textContent") for each in page.all(".own .column-points")]
        assert shown == own_columns
        page.keys(Keys.ENTER)
        page.until(READY)
        assert page.count(".last-turn .last-cards li") == 4


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_reduced_motion_holds_the_result_until_it_is_dismissed(
    chromium: "Chrome", size: tuple[int, int], table: WatchedServer
) -> None:
    with tab(chromium, size, calm=True, holds=True) as page:
        page.open_table(table)
        for turn in range(2):
            page.keys("2", Keys.ENTER)
            page.until(HOLDING)
            assert page.count(".landed .gain") == 4 and page.at("#continue").is_displayed()
            assert not page.at("#play").is_displayed()
            if turn == 0:
                page.keys(Keys.ENTER)
            else:
                page.click("#continue")
            page.until(READY)
            assert table.session.turns_played == turn + 1
            assert page.count(".landed") == 0 and page.at("#play").is_displayed()


def test_a_click_anywhere_at_the_table_skips_to_the_end(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, DESKTOP) as page:
        page.open_table(table)
        page.select("speed", "slow")
        for turn, place in enumerate(("#own-tableau", ".objectives", "#table .panel h2"), 1):
            page.keys("2", Keys.ENTER)
            page.until("document.body.classList.contains('revealing')")
            assert not page.script("return Animations.instant()")
            page.click(place)
            skipped = "return Animations.instant() || !document.body.classList.contains('busy')"
            assert page.script(skipped)
            page.until(READY)
            assert table.session.turns_played == turn
        check_no_errors(table, page)


@pytest.mark.parametrize("size", [(1440, 900)])
@pytest.mark.parametrize("turns", [4])
def test_this_round_means_the_score_as_it_stands_with_objectives(
    page: Page, table: WatchedServer
) -> None:
    for player, state in enumerate(table.session.table_state()["players"]):
        score = state["round_score"]
        panel = f".panel[data-player='{player}'] .score"
        text = page.content(f"{panel} small")
        numbers = [int(number) for number in re.findall("[0-9]+", text)]
        assert numbers[0] == score["total"]
        parts = "colour_points", "bonus_points", "objective_points"
        assert numbers[1:] == 2 * [abs(score[part]) for part in parts], "as a sum, and named"
        seen = [page.at(f"{panel} .{each}") for each in ("parts", "named-parts")]
        own_seat = player == table.session.settings.seat
        assert [each.is_displayed() for each in seen] == [not own_seat, own_seat]
        label = page.at(panel).get_attribute("aria-label") or ""
        assert f"objectives {score['objective_points']:+d}".replace("-", "\u2212") in label
        assert page.text(f"{panel} b") == str(state["total"])


@pytest.mark.parametrize("turns", [6])
def test_known_cards_show_their_bonus(page: Page, table: WatchedServer) -> None:
    deck = table.session.game.config.deck
    for size in (DESKTOP, PHONE):
        page.resize(size)
        for card in page.all(".hand-cards [data-card]"):
            bonus = deck[int(card.get_attribute("data-card") or 0)].points
            points = card.find_elements("css selector", ".points")
            shown = [each.text.replace("\u2212", "-") for each in points]
            assert shown == ([f"{bonus:+d}"] if bonus else [])
