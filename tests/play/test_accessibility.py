"""The playable page for everybody: axe-core on every screen, zoom, sizes of text, colours."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_play.languages import LANGUAGES, Texts
from mindup_play.records import replay_page
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.axe import violations
from tests.play.browser import DESKTOP, PHONE, SIZES, tab
from tests.play.page import (
    HOLDING,
    NEW_GAME,
    READY,
    REVEALED,
    at,
    choose_speed,
    count,
    fits,
    keys,
    open_new_game,
    open_table,
    until,
)
from tests.play.tables import WatchedServer, served

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ENTER, ESCAPE = "\ue007", "\ue00c"
SMALLEST_TEXT = 11  # pixels
SMALL_TEXTS = f"""
return [...document.querySelectorAll("body *")].filter((each) => (
  each.checkVisibility({{ visibilityProperty: true }})
  && [...each.childNodes].some(({{ nodeType, data }}) => nodeType === 3 && data.trim())
  && parseFloat(getComputedStyle(each).fontSize) < {SMALLEST_TEXT}
)).map((each) => `${{each.className}}: ${{each.textContent}}`)
"""
CUT_NAMES = """
return [...document.querySelectorAll(".player-name, .row .caption")].filter((each) => (
  each.scrollWidth > each.clientWidth + 1 || getComputedStyle(each).textOverflow === "ellipsis"
)).map((each) => each.textContent)
"""
CLOSE_CAPTIONS = """
const boxes = [...document.querySelectorAll(".row .origin > *")]
  .map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 1);
const close = boxes.slice(1).filter((each, before) => each.left - boxes[before].right < 3);
return [boxes.length, close.length]
"""
"""How many captions of prizes are seen, and how many nearly touch the one before."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone in the dark"])
def test_every_screen_passes_axe_with_legible_texts(
    chromium: "Chrome", size: tuple[int, int], tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, 4, 5, 0, ("greedy", "lowest"), "planner"))
    with (
        served(session, tmp_path) as server,
        tab(chromium, size, calm=True, dark=size == PHONE) as chrome,
    ):
        found: dict[str, object] = {}
        for name in screens(chrome, server):
            found[name] = [*violations(chrome), *chrome.execute_script(SMALL_TEXTS)]
            assert fits(chrome), name
        assert {name: problems for name, problems in found.items() if problems} == {}
        assert len(found) == 16


def screens(chrome: "Chrome", server: WatchedServer) -> Iterator[str]:
    """Goes to each screen of the page, from the first turn to the end."""
    open_table(chrome, server)
    yield "first turn, with the tips for learners"
    chrome.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    yield "objectives explained"
    keys(chrome, "h")
    until(chrome, "document.querySelector('.hinted')")
    yield "hint"
    for key, name in (("g", "game"), ("?", "how to play"), ("l", "empty log"), ("o", "settings")):
        keys(chrome, key)
        until(chrome, "document.querySelector('dialog[open]')")
        yield name
        keys(chrome, ESCAPE)
        until(chrome, READY)
    choose_speed(chrome, "wait")
    keys(chrome, "2", ENTER)
    until(chrome, HOLDING)
    yield "result of a turn"
    keys(chrome, ENTER)
    until(chrome, READY)
    while server.session.turns_played < 5:
        server.session.play(server.session.game.hand(0)[0])
    open_table(chrome, server)
    choose_speed(chrome, "none")
    keys(chrome, "2", ENTER)
    until(chrome, "document.querySelector('dialog[open]')")
    yield "end of a round"
    keys(chrome, ENTER)
    until(chrome, READY)
    yield "second round, with known hands"
    keys(chrome, "l")
    until(chrome, "document.querySelector('dialog[open]')")
    yield "log"
    keys(chrome, ESCAPE)
    while server.session.turns_played < 20:
        server.session.play(server.session.game.hand(0)[0])
    open_table(chrome, server)
    yield "last turn"
    keys(chrome, "2", ENTER)
    until(chrome, "document.querySelector('dialog[open]')")
    yield "result"
    at(chrome, "#scores-close").click()
    until(chrome, REVEALED)
    yield "table at the end"
    yield from screens_of_games(chrome, server)


def screens_of_games(chrome: "Chrome", server: WatchedServer) -> Iterator[str]:
    """From the end of a game to the screens of another one."""
    at(chrome, "#end-game").click()
    until(chrome, NEW_GAME)
    at(chrome, "#game-dialog .main").click()
    until(chrome, READY)
    server.session.play(server.session.game.hand(0)[0])
    open_table(chrome, server)
    open_new_game(chrome)
    assert count(chrome, ".saved-game") == 1
    yield "saved games"
    at(chrome, "#game-dialog .main").click()
    until(chrome, "document.querySelector('#question-dialog').open")
    yield "question"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_replay_passes_axe_with_legible_texts(
    chromium: "Chrome", size: tuple[int, int], tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, 4, 5, 0, ("greedy", "lowest")))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    page = tmp_path / "page.html"
    page.write_text(replay_page(session.record()), encoding="utf-8")
    with tab(chromium, size, calm=True) as chrome:
        chrome.get(page.as_uri())
        for key in ("\ue014", *["\ue014"] * 6, "\ue010"):  # right arrow, End
            keys(chrome, key)
        found = [*violations(chrome), *chrome.execute_script(SMALL_TEXTS)]
        assert found == [] and fits(chrome)
        keys(chrome, "\ue012")
        assert [*violations(chrome), *chrome.execute_script(SMALL_TEXTS)] == []


def test_names_are_whole_at_double_zoom(chromium: "Chrome", tmp_path: Path) -> None:
    """640 pixels are a window of 1280 pixels at 200 % zoom."""
    session = Session(PlaySettings(7, 6, 5, 0, ("tests.play.bots:Prepared",)))
    for _ in range(8):
        session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server:
        for size in ((640, 360), (640, 450), PHONE):
            with tab(chromium, size, calm=True) as chrome:
                open_table(chrome, server)
                assert chrome.execute_script(CUT_NAMES) == []
                names = [
                    each.text for each in chrome.find_elements("css selector", "#table .panel h2")
                ]
                assert names == [f"Prepared {number}" for number in range(1, 6)]
                assert fits(chrome)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_captions_of_prizes_are_apart(chromium: "Chrome", players: int, tmp_path: Path) -> None:
    session = Session(PlaySettings(7, players, 0, 0, ("tests.play.bots:Prepared",)))
    session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server:
        for size in SIZES:
            with tab(chromium, size, calm=True) as chrome:
                open_table(chrome, server)
                assert chrome.execute_script(CLOSE_CAPTIONS) == [players, 0], size


def test_a_turn_can_be_played_at_four_times_zoom(chromium: "Chrome", table: WatchedServer) -> None:
    """A window of 1280 by 1024 pixels at 400 % zoom; the hand must not cover the table."""
    with tab(chromium, (320, 256), calm=True) as chrome:
        open_table(chrome, table)
        assert fits(chrome)
        at(chrome, "#cards button").click()
        at(chrome, "#play").click()
        until(chrome, f"document.querySelectorAll('#cards button').length === 6 && {READY}")
        covered = "getComputedStyle(document.querySelector('#hand')).position"
        assert chrome.execute_script(f"return {covered}") == "static"
        keys(chrome, "?")
        at(chrome, "#learn-next").click()
        assert fits(chrome) and at(chrome, "#learn-place").text == "2 of 6"


def test_cards_have_borders_where_colours_are_taken_away(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, DESKTOP, calm=True) as chrome:
        forced = {"name": "forced-colors", "value": "active"}
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [forced]})
        open_table(chrome, table)
        widths = (
            "[...document.querySelectorAll('.row .card, .score-card, #cards .card')]"
            ".map(each => getComputedStyle(each).borderTopWidth)"
        )
        assert set(chrome.execute_script(f"return {widths}")) == {"1px"}


def test_without_scripts_the_page_says_how_to_play(table: WatchedServer) -> None:
    for language in LANGUAGES:
        page = table.files[language]["/"].content.decode()
        (text,) = re.findall("<noscript>(.*?)</noscript>", page, re.DOTALL)
        assert Texts(language).get("play.noscript", command="mindup play --terminal") in text


def test_shapes_are_large_and_borders_have_contrast(
    chromium: "Chrome", table: WatchedServer
) -> None:
    """Colours that look alike to some eyes differ by shape; a control's border is seen at 3:1."""
    for dark in (False, True):
        with tab(chromium, DESKTOP, calm=True, dark=dark) as chrome:
            open_table(chrome, table)
            shapes = chrome.execute_script(
                "return [...document.querySelectorAll('.card .shape')]"
                ".filter(each => each.checkVisibility())"
                ".map(each => each.getBoundingClientRect().width)"
            )
            assert shapes and min(shapes) >= SMALLEST_TEXT
            border, panel, edge = (
                chrome.execute_script(
                    "const made = document.createElement('i'); document.body.append(made);"
                    f"made.style.color = 'var({name})'; return getComputedStyle(made).color"
                )
                for name in ("--border", "--panel", "--background-edge")
            )
            assert contrast(border, panel) >= 3 and contrast(border, edge) >= 3


def contrast(one: str, other: str) -> float:
    """The contrast of two CSS colours, as WCAG defines it."""
    lights = sorted(map(_luminance, (one, other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(part) / 255 for part in re.findall("[0-9]+", colour)[:3]]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
