"""The page of a person, in a real browser: whole games, what it was told, who can use it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mindup_play.session import Session
from mindup_play.session_manager import Turn
from mindup_play.settings import PlaySettings
from tests.play.bots import Slow
from tests.play.browser import DESKTOP, PHONE, complaints, opened, requested, roles
from tests.play.tables import WatchedServer, hidden_cards, served
from tests.play.test_session import hint_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

SETTINGS = PlaySettings(7, 4, 2, 0, ("greedy", "lowest"), "planner")
TURNS = SETTINGS.config.num_turns
PATIENCE = 60
"""Seconds for a turn, on a machine that has much else to do."""

# Numbers that are no cards. All others in what the page is told count as cards here.
NO_CARDS = {
    *("clock", "round", "rounds", "turn", "turns", "seat", "player", "winners", "met"),
    *("score_cards", "objectives", "points", "running", "finished", "total"),
    *("colour_points", "bonus_points", "objective_points"),
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WatchedServer]:
    with served(Session(SETTINGS), tmp_path) as server:
        yield server


def at(chrome: "Chrome", selector: str) -> "WebElement":
    found: WebElement = chrome.find_element("css selector", selector)
    return found


def count(chrome: "Chrome", selector: str) -> int:
    return len(chrome.find_elements("css selector", selector))


def until(chrome: "Chrome", condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415

    WebDriverWait(chrome, PATIENCE, 0.02).until(
        lambda _: chrome.execute_script(f"return {condition}")
    )


def keys(chrome: "Chrome", *pressed: str) -> None:
    """To whatever has the focus."""
    from selenium.webdriver import ActionChains  # noqa: PLC0415

    ActionChains(chrome, 0).send_keys(*pressed).perform()


READY = "!document.body.classList.contains('busy') && document.querySelector('#cards button')"
REVEALED = "!document.body.classList.contains('busy') || document.querySelector('dialog[open]')"


def open_page(chrome: "Chrome", server: WatchedServer) -> None:
    chrome.get(server.url)
    until(chrome, "document.querySelector('.row') && !document.body.classList.contains('busy')")


def open_table(chrome: "Chrome", server: WatchedServer) -> None:
    chrome.get(server.url)
    until(chrome, READY)


def numbers(told: Any, name: str = "") -> Iterator[int]:
    """Every number in what was told that is not known to be something else than a card."""
    if isinstance(told, dict):
        for key, value in told.items():
            yield from numbers(value, key)
    elif isinstance(told, list):
        for value in told:
            yield from numbers(value, name)
    elif isinstance(told, int) and not isinstance(told, bool) and name not in NO_CARDS:
        yield told


def check_nothing_hidden_was_told(server: WatchedServer, chrome: "Chrome") -> None:
    """What came while cards were hidden held none of them, and nor does the page."""
    told = [sent for sent in server.sent if sent.path in ("/state", "/play", "/deal", "/hint")]
    assert told
    for sent in told:
        plain = json.loads(sent.answer.body)
        plain.pop("command", None)
        hint = plain.pop("hint", None)
        found = set(numbers(plain)) | ({hint["card"]} if hint else set())
        found |= {int(card) for card in ((hint or {}).get("weighing") or {}).get("values", {})}
        hidden = hidden_cards(sent.game, SETTINGS.seat)
        assert hidden
        assert not found & hidden, sent.path
    elements = "[...document.querySelectorAll('[data-card]')]"
    shown = chrome.execute_script(f"return {elements}.map(each => Number(each.dataset.card))")
    assert shown and not set(shown) & hidden_cards(server.session.game, SETTINGS.seat)


def check_quiet(server: WatchedServer, chrome: "Chrome") -> None:
    """No complaint, no fault, no other host, and nothing wider than the screen."""
    assert complaints(chrome) == [] and server.faults == []
    asked = requested(chrome)
    assert asked and all(url.startswith(server.url) for url in asked)
    assert fits(chrome)


def fits(chrome: "Chrome") -> bool:
    """Whether nothing is wider than the screen; its own width would grow with what is on it."""
    wide = "each.scrollWidth <= each.clientWidth"
    elements = "[document.documentElement, ...document.querySelectorAll('dialog[open]')]"
    return bool(chrome.execute_script(f"return {elements}.every(each => {wide})"))


def test_the_search_for_hidden_cards_can_find_one(table: WatchedServer) -> None:
    plain = {"moment": {"players": [{"hidden": [None, 12]}], "clock": 13}, "last": {"new": 14}}
    assert set(numbers(plain)) == {12, 14}
    game = table.session.game
    assert set(game.hand(1)) <= hidden_cards(game, 0)
    assert not set(game.hand(0) + game.row) & hidden_cards(game, 0)


def test_a_whole_game_by_clicks(table: WatchedServer) -> None:
    with opened(DESKTOP) as chrome:
        open_table(chrome, table)
        for turn in range(TURNS):
            cards = chrome.find_elements("css selector", "#cards button")
            card = cards[turn % len(cards)]
            number = int(card.get_attribute("data-card") or 0)
            card.click()
            assert at(chrome, "#play").text == f"Play {number}"
            at(chrome, "#play").click()
            if turn == 0:  # seen to its end once: face down, face up, in order
                until(chrome, "document.querySelectorAll('.played .back').length === 3")
                until(chrome, "document.querySelectorAll('.played [data-card]').length === 4")
            else:
                until(chrome, "document.body.classList.contains('revealing')")
                chrome.execute_script("document.querySelector('#table').click()")
            until(chrome, REVEALED)
            assert table.session.game.plays[-1][0] == number
            assert table.session.clock == turn + 1
            if table.session.game.round_scores and chrome.find_elements("css selector", "[open]"):
                check_scores(chrome, table)
                at(chrome, "#scores-close").click()
            until(chrome, "!document.body.classList.contains('busy')")
            check_nothing_hidden_was_told(table, chrome)
        assert table.session.game.over
        assert at(chrome, "#place").text == "The game is over"
        assert count(chrome, ".panel.winner") == len(table.session.game.winners)
        check_quiet(table, chrome)


def check_scores(chrome: "Chrome", server: WatchedServer) -> None:
    """The dialog says what the game says, by parts."""
    game = server.session.game
    lines = [
        [cell.text.replace("\u2212", "-") for cell in line.find_elements("css selector", "td")]
        for line in chrome.find_elements("css selector", "#scores-tables .round-scores tbody tr")
    ]
    assert lines == [
        [str(part) for part in (*score, score.total)] for score in game.round_scores[-1]
    ]
    met = [line.text for line in chrome.find_elements("css selector", "#scores-tables .met")]
    names = server.session.settings.names
    expected = [
        ", ".join(names[player] for player in players) or "nobody"
        for players in game.round_objectives[-1].values()
    ]
    behind = [line.text for line in chrome.find_elements("css selector", ".middle .met")]
    assert met == expected and behind == [f"now: {words}" for words in expected]
    assert at(chrome, "#scores-title").text.startswith("Round") != game.over


def test_a_whole_game_by_keys_at_the_width_of_a_phone(table: WatchedServer) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    with opened(PHONE, calm=True, dark=True) as chrome:
        open_table(chrome, table)
        first = table.session.moment()
        for turn in range(TURNS):
            hand = table.session.game.hand(0)
            if turn % 2:
                place = turn % len(hand)
                keys(chrome, str(place + 1), Keys.ENTER)
            else:
                place = 1
                keys(chrome, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
            until(chrome, REVEALED)
            assert table.session.game.plays[-1][0] == hand[place]
            if not table.session.game.over and count(chrome, "[open]"):
                keys(chrome, Keys.ENTER)
            if not table.session.game.over:
                until(chrome, READY)
            check_nothing_hidden_was_told(table, chrome)
        keys(chrome, Keys.ENTER)
        assert table.session.game.over and count(chrome, "[open]"), "nothing is dealt in haste"
        keys(chrome, Keys.TAB)
        assert chrome.switch_to.active_element.text == "Same deal again"
        keys(chrome, Keys.ENTER)
        until(chrome, READY)
        assert table.session.clock == 0 and table.session.moment() == first
        check_quiet(table, chrome)


def test_everything_has_a_role_and_a_name(table: WatchedServer) -> None:
    for _ in range(8):
        table.session.play(table.session.game.hand(0)[0])
    with opened(DESKTOP) as chrome:
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
        at(chrome, "#game").click()
        assert ("dialog", "Game") in roles(chrome)


def test_known_hands_and_hints_are_switched(table: WatchedServer) -> None:
    for _ in range(7):
        table.session.play(table.session.game.hand(0)[0])
    game = table.session.game
    with opened(DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        known = sum(len(game.known(player)) for player in (1, 2, 3))
        assert known and count(chrome, ".held [data-card]") == known
        keys(chrome, "k")
        assert count(chrome, ".held [data-card]") == 0
        assert at(chrome, "#known").get_attribute("aria-pressed") == "false"
        keys(chrome, "h")
        until(chrome, "document.querySelector('.advised')")
        card = hint_of(table.session).card
        assert at(chrome, ".advised").get_attribute("data-card") == str(card)
        assert count(chrome, "#cards .advice") == len(game.hand(0))
        assert at(chrome, "#advice").text == f"planner would play {card} (expected points)"
        check_nothing_hidden_was_told(table, chrome)


def test_while_the_others_think_nothing_is_skipped_or_chosen(tmp_path: Path) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    Slow.go_on.clear()
    slow = Session(
        PlaySettings(7, opponents=("tests.play.bots:Slow",), hints="tests.play.bots:Slow")
    )
    with served(slow, tmp_path) as server, opened(DESKTOP) as chrome:
        open_table(chrome, server)
        keys(chrome, "h")
        assert at(chrome, "#advice").text == "Slow is thinking\u2026"
        keys(chrome, "1", Keys.ENTER)
        until(chrome, "document.body.classList.contains('busy')")
        assert at(chrome, "#play").text == "The others are thinking\u2026"
        keys(chrome, Keys.ENTER, "2", Keys.TAB)
        focus = chrome.switch_to.active_element
        assert focus.get_attribute("data-card") is None, "Tab leads out of the hand"
        at(chrome, "#cards button:last-child").click()
        assert count(chrome, "#cards [aria-checked=true]") == 1
        assert at(chrome, "#cards button").get_attribute("aria-checked") == "true"
        until(chrome, "document.querySelector('#news').textContent === 'The others are thinking.'")
        card = server.session.game.hand(0)[0]
        Slow.go_on.set()
        until(chrome, "document.querySelectorAll('.played [data-card]').length === 4")
        assert server.session.game.plays[0][0] == card


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("players", [3, 6])
def test_scores_fit_onto_a_narrow_phone(players: int, width: int, tmp_path: Path) -> None:
    session = Session(PlaySettings(7, players, 5, 0, ("lowest",)))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server, opened((width, 640), calm=True) as chrome:
        open_page(chrome, server)
        assert fits(chrome)
        keys(chrome, "s")
        assert count(chrome, "#scores-dialog[open] table") == 2
        assert fits(chrome)
        assert at(chrome, "#scores-title").location_once_scrolled_into_view["y"] >= 0


def test_the_focus_stays_in_the_hand(table: WatchedServer) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    with opened(DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        for left in (6, 5):
            keys(chrome, Keys.ARROW_RIGHT, Keys.ENTER)
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
        assert table.session.clock == 3, "a space chooses, and does not play"


def test_a_tab_is_brought_to_where_the_game_is(table: WatchedServer) -> None:
    with opened(DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        # As a second tab does, unseen by the first.
        state = table.manager.state()
        turn = Turn(state["game"], state["clock"])
        table.manager.play(turn, table.session.game.hand(0)[-1])
        keys(chrome, "1", "\ue007")
        until(chrome, f"document.querySelector('#trouble').textContent && {READY}")
        assert "gone on since" in at(chrome, "#trouble").text
        assert table.session.clock == 1 and count(chrome, "#cards button") == 6
        assert "turn 2" in at(chrome, "#place").text


def test_another_table_and_its_command(table: WatchedServer) -> None:
    with opened(PHONE, calm=True) as chrome:
        open_table(chrome, table)
        keys(chrome, "g")
        assert at(chrome, "#command").text == SETTINGS.command
        for name, value in (("players", "6"), ("objectives", "5"), ("seed", "12")):
            field = at(chrome, f"input[name={name}]")
            field.clear()
            field.send_keys(value)
        at(chrome, "#game-form .main").click()
        until(chrome, "document.querySelectorAll('.panel').length === 6")
        assert count(chrome, ".objective") == 5
        assert table.session.settings.seed == 12
        check_quiet(table, chrome)


def test_a_server_that_is_gone_is_said(table: WatchedServer) -> None:
    with opened(DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        chrome.execute_cdp_cmd("Network.enable", {})
        chrome.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
        )
        keys(chrome, "1", "\ue007")
        until(chrome, "document.querySelector('#trouble').textContent")
        assert "does not answer" in at(chrome, "#trouble").text
        assert count(chrome, "#cards button") == 7 and table.session.clock == 0
