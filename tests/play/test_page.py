"""The playable page in a real browser: accessibility, controls, messages."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_play.page_state import TurnId
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.bots import Slow
from tests.play.browser import DESKTOP, roles, tab
from tests.play.hidden import check_no_hidden_card_was_sent
from tests.play.page import (
    READY,
    at,
    count,
    fits,
    keys,
    open_new_game,
    open_page,
    open_table,
    skip_reveal,
    until,
)
from tests.play.tables import WatchedServer, served
from tests.play.test_session import hint_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_everything_has_a_role_and_a_name(chromium: "Chrome", table: WatchedServer) -> None:
    for _ in range(8):
        table.session.play(table.session.game.hand(0)[0])
    with tab(chromium, DESKTOP) as chrome:
        open_table(chrome, table)
        found = roles(chrome)
        named = {role for role, name in found if name}
        assert {"main", "group", "status", "alert"} <= {role for role, _ in found}
        assert ("radiogroup", "Choose a card of your hand") in found
        assert {"button", "image", "list", "listitem", "region", "heading"} <= named
        for role, name in found:
            assert name or role not in {"button", "image", "radio", "dialog", "radiogroup"}
        cards = [name for role, name in found if role == "radio"]
        hand = table.session.game.hand(0)
        assert [int(name.split()[0]) for name in cards] == list(hand)
        assert any(name.endswith(", the others know it") for name in cards)
        assert ("region", "Tableau of greedy 1") in found and ("region", "Your tableau") in found
        open_new_game(chrome)
        assert ("dialog", "New game") in roles(chrome)


def test_known_hands_and_hints_can_be_switched(chromium: "Chrome", table: WatchedServer) -> None:
    for _ in range(7):
        table.session.play(table.session.game.hand(0)[0])
    game = table.session.game
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        known = sum(len(game.known(player)) for player in (1, 2, 3))
        assert known and count(chrome, ".hand-cards [data-card]") == known
        keys(chrome, "k")
        assert count(chrome, ".hand-cards [data-card]") == 0
        assert at(chrome, "#known-hands").get_attribute("aria-pressed") == "false"
        keys(chrome, "h")
        until(chrome, "document.querySelector('.hinted')")
        card = hint_of(table.session).card
        assert at(chrome, ".hinted").get_attribute("data-card") == str(card)
        assert count(chrome, "#cards .hint-value") == len(game.hand(0))
        hint = f"planner would play {card} (expected points)"
        assert at(chrome, "#hint-text").text == hint
        assert at(chrome, "#announcement").get_attribute("textContent") == hint
        check_no_hidden_card_was_sent(table, chrome)


def test_while_bots_choose_no_card_can_be_chosen_or_skipped(
    chromium: "Chrome", tmp_path: Path
) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    Slow.go_on.clear()
    slow = Session(
        PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")
    )
    with served(slow, tmp_path) as server, tab(chromium, DESKTOP) as chrome:
        open_table(chrome, server)
        keys(chrome, "h")
        assert at(chrome, "#hint-text").text == "Slow is choosing\u2026"
        keys(chrome, "1", Keys.ENTER)
        until(chrome, "document.body.classList.contains('busy')")
        assert at(chrome, "#play").text == "The others are choosing\u2026"
        keys(chrome, Keys.ENTER, "2", Keys.TAB)
        focus = chrome.switch_to.active_element
        assert focus.get_attribute("data-card") is None, "Tab leaves the hand"
        at(chrome, "#cards button:last-child").click()
        assert count(chrome, "#cards [aria-checked=true]") == 1
        assert at(chrome, "#cards button").get_attribute("aria-checked") == "true"
        until(chrome, "document.querySelector('#announcement').textContent")
        announcement = at(chrome, "#announcement").get_attribute("textContent")
        assert announcement == "The others are choosing."
        card = server.session.game.hand(0)[0]
        Slow.go_on.set()
        until(chrome, "document.querySelectorAll('.played [data-card]').length === 4")
        assert server.session.game.plays[0][0] == card


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("players", [3, 6])
def test_scores_fit_onto_a_narrow_phone(
    chromium: "Chrome", players: int, width: int, tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, players, 5, 0, ("lowest",)))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server, tab(chromium, (width, 640), calm=True) as chrome:
        open_page(chrome, server)
        assert fits(chrome)
        keys(chrome, "s")
        assert count(chrome, "#scores-dialog[open] table") == 2
        assert fits(chrome)
        assert at(chrome, "#scores-title").location_once_scrolled_into_view["y"] >= 0


def test_the_focus_stays_in_the_hand(chromium: "Chrome", table: WatchedServer) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        assert chrome.execute_script("return document.hasFocus()")
        for left in (6, 5):
            keys(chrome, Keys.ARROW_RIGHT, Keys.ENTER)
            skip_reveal(chrome, lambda: keys(chrome, Keys.ENTER))
            until(
                chrome, f"document.querySelectorAll('#cards button').length === {left} && {READY}"
            )
            focus = chrome.switch_to.active_element
            assert focus.get_attribute("role") == "radio"
        at(chrome, "#cards button").click()
        at(chrome, "#play").click()
        until(chrome, READY)
        assert chrome.switch_to.active_element.get_attribute("role") == "radio"
        keys(chrome, Keys.SPACE, Keys.SPACE)
        assert table.session.turns_played == 3, "a space chooses, and does not play"


def test_an_outdated_tab_shows_the_current_turn(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        # A second tab plays a turn.
        state = table.manager.state()
        turn = TurnId(state["game_id"], state["turns_played"])
        table.manager.play(turn, table.session.game.hand(0)[-1])
        keys(chrome, "1", "\ue007")
        until(chrome, f"document.querySelector('#error').textContent && {READY}")
        assert "has continued" in at(chrome, "#error").text
        assert table.session.turns_played == 1 and count(chrome, "#cards button") == 6
        assert "turn 2" in at(chrome, "#progress").text


def test_a_missing_server_is_reported(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        chrome.execute_cdp_cmd("Network.enable", {})
        chrome.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
        )
        keys(chrome, "1", "\ue007")
        until(chrome, "document.querySelector('#error').textContent")
        assert "does not answer" in at(chrome, "#error").text
        assert count(chrome, "#cards button") == 7 and table.session.turns_played == 0
