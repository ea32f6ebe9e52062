"""The new-game screen, saved games and links in a real browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mindup_play.languages import Texts
from mindup_play.offer import bot_scores, default_hint_bot
from mindup_play.session import Session
from mindup_play.settings import PlaySettings, drawn_seed
from tests.play.browser import DESKTOP, PHONE, tab
from tests.play.page import (
    NEW_GAME,
    at,
    check_no_errors,
    count,
    fits,
    keys,
    no_disabled_button_shows,
    open_new_game,
    open_page,
    open_table,
    tap,
    until,
)
from tests.play.tables import PAGE_SETTINGS, WatchedServer, ask, new_game, play_body, served

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ASKING = "document.querySelector('#question-dialog').open"
IDLE = "!document.body.classList.contains('busy')"


def choose(chrome: "Chrome", name: str, value: object) -> None:
    at(chrome, f"#game-form input[name={name}][value='{value}']").click()


def select(chrome: "Chrome", label: str, bot: str) -> None:
    at(chrome, f"#game-form select[aria-label='{label}'] option[value='{bot}']").click()


def form(chrome: "Chrome") -> dict[str, Any]:
    """What the new-game screen shows, as the request to deal has it."""
    checked = "#game-form input[name={}]:checked"
    numbers = {
        name: int(at(chrome, checked.format(name)).get_attribute("value") or "")
        for name in ("players", "objectives", "seat")
    }
    rows = chrome.find_elements("css selector", "#seats .seat")
    after = [
        rows[(numbers["seat"] + 1 + each) % len(rows)].find_element("css selector", "select")
        for each in range(len(rows) - 1)
    ]
    return {
        **numbers,
        "opponents": [bot.get_attribute("value") for bot in after],
        "seed": at(chrome, "#game-form [name=seed]").get_attribute("value"),
        "hints": at(chrome, "#game-form [name=hints]").is_selected(),
    }


def game_of(server: WatchedServer) -> dict[str, Any]:
    state = server.manager.state()
    return {
        **{name: state[name] for name in ("objectives", "seat", "opponents", "seed")},
        "players": len(state["names"]),
        "hints": state["hint_bot"] is not None,
    }


def text_of(chrome: "Chrome", selector: str) -> str:
    return str(at(chrome, selector).text)


def test_a_game_is_left_only_when_the_person_agrees_and_is_kept(
    chromium: "Chrome", table: WatchedServer
) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415

    with tab(chromium, DESKTOP, calm=True) as chrome:
        ask(table, "/play", play_body(table))
        first = table.session
        open_table(chrome, table)
        open_new_game(chrome)
        assert no_disabled_button_shows(chrome) and fits(chrome)
        keys(chrome, Keys.ENTER)
        assert table.session is first, "two keys deal nothing"
        assert form(chrome) == {
            **game_of(table),
            "opponents": ["greedy", "lowest", "greedy"],
            "seed": "",
        }
        labels = [each.text for each in chrome.find_elements("css selector", "#all-bots option")]
        score = round(bot_scores()["champion-2"])
        assert f"champion-2 \u00b7 very hard ({score})" in labels and "lowest" in labels
        choose(chrome, "players", 6)
        choose(chrome, "objectives", 5)
        choose(chrome, "seat", 2)
        select(chrome, "The same bot at all seats\u2026", "planner")
        select(chrome, "Bot at seat 1", "random")
        at(chrome, "#game-form [name=seed]").send_keys("12")
        at(chrome, "#game-form [name=hints]").click()
        chosen = form(chrome)
        assert chosen["opponents"] == ["planner"] * 4 + ["random"]
        keys(chrome, Keys.ENTER)
        until(chrome, ASKING)
        keys(chrome, Keys.ENTER)
        until(chrome, f"!({ASKING})")
        assert table.session is first and chrome.execute_script(f"return {NEW_GAME}")
        at(chrome, "#game-dialog .main").click()
        until(chrome, ASKING)
        at(chrome, "#question-yes").click()
        until(chrome, f"document.querySelectorAll('.panel').length === 6 && {IDLE}")
        assert game_of(table) == chosen and not at(chrome, "#hint").is_displayed()

        open_new_game(chrome)
        assert "seed 12" in text_of(chrome, "#seed-text")
        assert "--seed 12 " in text_of(chrome, "#command")
        link = text_of(chrome, "#deal-link")
        assert count(chrome, ".saved-game") == 1
        at(chrome, ".saved-game button").click()
        until(chrome, f"document.querySelectorAll('.panel').length === 4 && {IDLE}")
        assert table.session.game == first.game and table.session.turns_played == 1

        chrome.get(link)
        until(chrome, NEW_GAME)
        assert form(chrome) == chosen
        assert table.session.turns_played == 1, "a link deals nothing"
        check_no_errors(table, chrome)


def test_a_link_only_fills_in_the_new_game_screen(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, PHONE, calm=True) as chrome:
        chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        same = {**game_of(table), "opponents": ["greedy", "lowest", "greedy"], "seed": ""}
        for query, expected in (
            ("players=3&seed=7&hints=off", {"players": 3, "seed": "7", "hints": False}),
            ("opponents=planner,os:system&seat=1", {"opponents": ["planner"] * 3, "seat": 1}),
            ("players=99&objectives=x&seed=y&seat=-1&other=1", {}),
        ):
            before = table.manager.state()
            chrome.get(f"{table.url}?{query}")
            until(chrome, NEW_GAME)
            shown = {**same, **expected}
            shown["opponents"] = shown["opponents"][: shown["players"] - 1]
            assert form(chrome) == shown, query
            assert fits(chrome) and table.manager.state() == before
            tap(chrome, "#game-close")
            until(chrome, f"location.search === '' && {IDLE}")
            assert table.manager.state() == before
        chrome.get(f"{table.url}?players=5&seed=9")
        until(chrome, NEW_GAME)
        tap(chrome, "#game-dialog .main")
        until(chrome, f"document.querySelectorAll('.panel').length === 5 && {IDLE}")
        assert table.session.settings.seed == 9 and not table.session.settings.secret_seed
        check_no_errors(table, chrome)


def test_only_bots_that_can_play_are_offered_and_dealt(chromium: "Chrome", tmp_path: Path) -> None:
    settings = PlaySettings(7, hints="champion-2")
    with served(Session(settings), tmp_path) as server, tab(chromium, PHONE, calm=True) as chrome:
        open_table(chrome, server)
        open_new_game(chrome)
        assert "champion-2" in text_of(chrome, "#hints-text")
        choose(chrome, "players", 2)
        assert form(chrome)["opponents"] == ["search"]
        assert text_of(chrome, "#hints-text").startswith("Hints: search")
        for label in ("Bot at seat 1", "The same bot at all seats\u2026"):
            disabled = f"#game-form select[aria-label='{label}'] option:disabled"
            texts = [each.text for each in chrome.find_elements("css selector", disabled)]
            assert texts == [f"champion-{each} \u00b7 not with 2 players" for each in (2, 1)]
        choose(chrome, "players", 3)
        assert form(chrome)["opponents"] == ["champion-1"] * 2, "the choice is kept"
        choose(chrome, "players", 2)
        assert fits(chrome)
        tap(chrome, "#game-dialog .main")
        until(chrome, f"document.querySelectorAll('.panel').length === 2 && {IDLE}")
        assert game_of(server)["opponents"] == ["search"]
        check_no_errors(server, chrome)


def test_a_refused_deal_leaves_the_entries(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, PHONE, calm=True) as chrome:
        open_table(chrome, table)
        before = table.manager.state()
        open_new_game(chrome)
        choose(chrome, "players", 5)
        at(chrome, "#game-form [name=seed]").send_keys(str(2**64))
        entries = form(chrome)
        tap(chrome, "#game-dialog .main")
        until(chrome, "document.querySelector('#game-error').textContent")
        assert text_of(chrome, "#game-error") == Texts("en").get("error.seed", highest=2**64 - 1)
        assert form(chrome) == entries and fits(chrome)
        assert table.manager.state() == before
        at(chrome, "#game-form [name=seed]").clear()
        tap(chrome, "#game-dialog .main")
        until(chrome, f"document.querySelectorAll('.panel').length === 5 && {IDLE}")
        assert table.session.settings.players == 5


def test_a_deal_after_one_in_another_tab_shows_that_one(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        open_table(chrome, table)
        open_new_game(chrome)
        ask(table, "/deal", new_game(table.manager.state(), players=3))
        tap(chrome, "#game-dialog .main")
        until(chrome, f"document.querySelectorAll('.panel').length === 3 && {IDLE}")
        assert text_of(chrome, "#error") == Texts("en").get("error.outdated")


def test_after_the_end_there_is_a_way_on_and_a_link(chromium: "Chrome", tmp_path: Path) -> None:
    settings = PlaySettings(**drawn_seed(), players=3, opponents=("lowest",))
    with served(Session(settings), tmp_path) as server, tab(chromium, DESKTOP, calm=True) as chrome:
        for _ in range(20):
            ask(server, "/play", play_body(server))
        open_table(chrome, server)
        keys(chrome, "1", "\ue007")
        until(chrome, "document.querySelector('#scores-dialog').open")
        assert at(chrome, "#scores-close").text == "Look at the table"
        chrome.refresh()
        until(chrome, "document.querySelector('#scores-dialog').open")
        at(chrome, "#scores-close").click()
        until(chrome, IDLE)
        assert f"was {settings.seed}." in text_of(chrome, "#end-text")
        link, over = text_of(chrome, "#game-link"), server.manager.state()
        assert chrome.current_url == link
        won = 0 in over["table"]["winners"]
        assert (text_of(chrome, "#end-title") == "You won!") == won
        chrome.refresh()
        until(chrome, f"document.querySelector('.over') && {IDLE}")
        assert not at(chrome, "#scores-dialog").is_displayed(), "closed, it stays closed"

        at(chrome, "#end-game").click()
        until(chrome, NEW_GAME)
        at(chrome, "#game-dialog .main").click()
        until(chrome, f"!document.querySelector('.over') && {IDLE}")
        assert chrome.current_url == server.url and not at(chrome, "#game-end").is_displayed()
        ask(server, "/play", play_body(server))
        played = server.manager.state()
        chrome.get(link)
        until(chrome, f"document.querySelector('.over') && {IDLE}")
        assert text_of(chrome, ".panel.own .score b") == str(over["table"]["players"][0]["total"])
        assert server.manager.state() == played, "a look at a finished game leaves none"
        at(chrome, "#end-same-deal").click()
        until(chrome, ASKING)
        at(chrome, "#question-dialog [value=no]").click()
        until(chrome, IDLE)
        at(chrome, "#end-return").click()
        until(chrome, f"document.querySelector('#cards button') && {IDLE}")
        assert server.manager.state() == played
        check_no_errors(server, chrome)


def test_saved_games_are_looked_at_and_deleted(chromium: "Chrome", table: WatchedServer) -> None:
    while not table.session.game.over:
        ask(table, "/play", play_body(table))
    end = ask(table, "/deal", new_game(table.manager.state(), seat=1, hints=True))[1]
    assert end["hint_bot"] == "planner" != default_hint_bot(4)
    ask(table, "/play", play_body(table))
    ask(table, "/deal", new_game(table.manager.state()))
    with tab(chromium, PHONE, calm=True) as chrome:
        open_page(chrome, table)
        open_new_game(chrome)
        unfinished, _ = chrome.find_elements("css selector", ".saved-game")
        assert unfinished.text.startswith("Round 1, turn 2") and fits(chrome)
        assert unfinished.find_element("css selector", "button").text == "Continue"
        unfinished.find_element("css selector", ".delete").click()
        until(chrome, ASKING)
        at(chrome, "#question-dialog [value=no]").click()
        until(chrome, f"!({ASKING})")
        assert len(table.games.newest_first()) == 2
        unfinished.find_element("css selector", ".delete").click()
        until(chrome, ASKING)
        at(chrome, "#question-yes").click()
        until(chrome, "document.querySelectorAll('.saved-game').length === 1")
        assert len(table.games.newest_first()) == 1
        at(chrome, ".saved-game a").click()
        until(chrome, f"document.querySelector('.over') && {IDLE}")
        assert "game=" in chrome.current_url
        check_no_errors(table, chrome)


def test_a_link_to_a_game_that_is_gone_or_not_over_says_so(
    chromium: "Chrome", table: WatchedServer
) -> None:
    ask(table, "/play", play_body(table))
    game_id = table.manager.state()["game_id"]
    with tab(chromium, DESKTOP, calm=True) as chrome:
        for link, text in ((game_id, "all hands"), ("0" * 16, "not among the saved games")):
            chrome.get(f"{table.url}?game={link}")
            until(chrome, f"document.querySelector('#error').textContent && {IDLE}")
            assert text in text_of(chrome, "#error")
            assert chrome.current_url == table.url and count(chrome, "#cards button") == 6
    assert table.session.settings == PAGE_SETTINGS


@pytest.mark.parametrize("players", [2, 3])
def test_only_a_game_of_three_or_more_can_be_reviewed(
    chromium: "Chrome", players: int, tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, players, 0, 0, ("lowest",)))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server, tab(chromium, DESKTOP, calm=True) as chrome:
        chrome.get(server.url)
        until(chrome, f"document.querySelector('.over') && {IDLE}")
        assert not at(chrome, "#game-end").get_property("hidden")
        assert at(chrome, "#review-game").get_property("hidden") == (players == 2)
