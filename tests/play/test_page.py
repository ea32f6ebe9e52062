"""The playable page in a real browser: accessibility, controls, messages."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_play.session import Session
from mindup_play.session_manager import TurnId
from mindup_play.settings import PlaySettings
from tests.play.bots import Slow
from tests.play.hidden import check_no_hidden_card_was_sent
from tests.play.page import play_to
from tests.play.tables import WatchedServer, served
from tests.play.test_session import hint_of
from tools.browser import DESKTOP, READY, SHOWN, Keys, Page, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_everything_has_a_role_and_a_name(chromium: "Chrome", table: WatchedServer) -> None:
    play_to(table.session, 8)
    with tab(chromium, DESKTOP) as page:
        page.open_table(table)
        found = page.roles()
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
        page.open_dialog("g")
        assert ("dialog", "New game") in page.roles()


@pytest.mark.parametrize("turns", [7])
def test_known_hands_and_hints_can_be_switched(page: Page, table: WatchedServer) -> None:
    game = table.session.game
    known = sum(len(game.known(player)) for player in (1, 2, 3))
    assert known and page.count(".hand-cards [data-card]") == known
    page.keys("k")
    assert page.count(".hand-cards [data-card]") == 0
    assert not page.is_pressed("#known-hands")
    page.keys("h")
    page.until("document.querySelector('.hinted')")
    card = hint_of(table.session).card
    assert page.at(".hinted").get_attribute("data-card") == str(card)
    assert page.count("#cards .hint-value") == len(game.hand(0))
    hint = f"planner would play {card} (expected points)"
    assert page.text("#hint-text") == hint
    assert page.content("#announcement") == hint
    check_no_hidden_card_was_sent(table, page)


def test_while_bots_choose_no_card_can_be_chosen_or_skipped(
    chromium: "Chrome", tmp_path: Path
) -> None:
    Slow.go_on.clear()
    slow = Session(
        PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")
    )
    with served(slow, tmp_path) as server, tab(chromium, DESKTOP) as page:
        page.open_table(server)
        page.keys("h")
        assert page.text("#hint-text") == "Slow is choosing\u2026"
        page.keys("1", Keys.ENTER)
        page.until("document.body.classList.contains('busy')")
        assert page.text("#play") == "The others are choosing\u2026"
        page.keys(Keys.ENTER, "2", Keys.TAB)
        focus = page.chrome.switch_to.active_element
        assert focus.get_attribute("data-card") is None, "Tab leaves the hand"
        page.click("#cards button:last-child")
        assert page.count("#cards [aria-checked=true]") == 1
        assert page.at("#cards button").get_attribute("aria-checked") == "true"
        page.until("document.querySelector('#announcement').textContent")
        announcement = page.content("#announcement")
        assert announcement == "The others are choosing."
        card = server.session.game.hand(0)[0]
        Slow.go_on.set()
        page.until("document.querySelectorAll('.played [data-card]').length === 4")
        assert server.session.game.plays[0][0] == card


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("players", [3, 6])
def test_scores_fit_onto_a_narrow_phone(
    chromium: "Chrome", players: int, width: int, tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, players, 5, 0, ("lowest",)))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server, tab(chromium, (width, 640), calm=True) as page:
        page.open(server.url, SHOWN)
        assert page.fits()
        page.keys("s")
        assert page.count("#scores-dialog[open] table") == 2
        assert page.fits()
        assert page.at("#scores-title").location_once_scrolled_into_view["y"] >= 0


def test_the_focus_stays_in_the_hand(page: Page, table: WatchedServer) -> None:
    assert page.value("document.hasFocus()")
    for left in (6, 5):
        page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
        page.skip_reveal(lambda: page.keys(Keys.ENTER))
        page.until(f"document.querySelectorAll('#cards button').length === {left} && {READY}")
        focus = page.chrome.switch_to.active_element
        assert focus.get_attribute("role") == "radio"
    page.click("#cards button")
    page.click("#play")
    page.until(READY)
    assert page.chrome.switch_to.active_element.get_attribute("role") == "radio"
    page.keys(Keys.SPACE, Keys.SPACE)
    assert table.session.turns_played == 3, "a space chooses, and does not play"


def test_an_outdated_tab_shows_the_current_turn(page: Page, table: WatchedServer) -> None:
    # A second tab plays a turn.
    state = table.manager.state()
    turn = TurnId(state["game_id"], state["turns_played"])
    table.manager.play(turn, table.session.game.hand(0)[-1])
    page.keys("1", Keys.ENTER)
    page.until(f"document.querySelector('#error').textContent && {READY}")
    assert "has continued" in page.text("#error")
    assert table.session.turns_played == 1 and page.count("#cards button") == 6
    assert "turn 2" in page.text("#progress")


def test_a_missing_server_is_reported(page: Page, table: WatchedServer) -> None:
    page.command("Network.enable")
    page.command(
        "Network.emulateNetworkConditions",
        offline=True,
        latency=0,
        downloadThroughput=0,
        uploadThroughput=0,
    )
    page.keys("1", Keys.ENTER)
    page.until("document.querySelector('#error').textContent")
    assert "does not answer" in page.text("#error")
    assert page.count("#cards button") == 7 and table.session.turns_played == 0
