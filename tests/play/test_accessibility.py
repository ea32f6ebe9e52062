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
from tests.play.page import keep_picture, play_to, violations
from tests.play.tables import WatchedServer, served
from tools.browser import DESKTOP, HOLDING, NEW_GAME, PHONE, READY, REVEALED, SIZES, Keys, Page, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

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
        tab(chromium, size, calm=True, dark=size == PHONE) as page,
    ):
        found: dict[str, object] = {}
        for name in screens(page, server):
            found[name] = [*violations(page), *page.script(SMALL_TEXTS)]
            assert page.fits(), name
            keep_picture(page, f"{name}, {size[0]} wide")
        assert {name: problems for name, problems in found.items() if problems} == {}
        assert len(found) == 16


def screens(page: Page, server: WatchedServer) -> Iterator[str]:
    """Goes to each screen of the page, from the first turn to the end."""
    page.open_table(server)
    yield "first turn, with the tips for learners"
    page.script("document.querySelectorAll('details').forEach(each => each.open = true)")
    yield "objectives explained"
    page.keys("h")
    page.until("document.querySelector('.hinted')")
    yield "hint"
    for key, name in (("g", "game"), ("?", "how to play"), ("l", "empty log"), ("o", "settings")):
        page.keys(key)
        page.until("document.querySelector('dialog[open]')")
        yield name
        page.keys(Keys.ESCAPE)
        page.until(READY)
    page.select("speed", "wait")
    page.keys("2", Keys.ENTER)
    page.until(HOLDING)
    yield "result of a turn"
    page.keys(Keys.ENTER)
    page.until(READY)
    play_to(server.session, 5)
    page.open_table(server)
    page.select("speed", "none")
    page.keys("2", Keys.ENTER)
    page.until("document.querySelector('dialog[open]')")
    yield "end of a round"
    page.keys(Keys.ENTER)
    page.until(READY)
    yield "second round, with known hands"
    page.keys("l")
    page.until("document.querySelector('dialog[open]')")
    yield "log"
    page.keys(Keys.ESCAPE)
    play_to(server.session, 20)
    page.open_table(server)
    yield "last turn"
    page.keys("2", Keys.ENTER)
    page.until("document.querySelector('dialog[open]')")
    yield "result"
    page.click("#scores-close")
    page.until(REVEALED)
    yield "table at the end"
    yield from screens_of_games(page, server)


def screens_of_games(page: Page, server: WatchedServer) -> Iterator[str]:
    """From the end of a game to the screens of another one."""
    page.click("#end-game")
    page.until(NEW_GAME)
    page.click("#game-dialog .main")
    page.until(READY)
    server.session.play(server.session.game.hand(0)[0])
    page.open_table(server)
    page.open_dialog("g")
    assert page.count(".saved-game") == 1
    yield "saved games"
    page.click("#game-dialog .main")
    page.until("document.querySelector('#question-dialog').open")
    yield "question"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_replay_passes_axe_with_legible_texts(
    chromium: "Chrome", size: tuple[int, int], tmp_path: Path
) -> None:
    session = Session(PlaySettings(7, 4, 5, 0, ("greedy", "lowest")))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    path = tmp_path / "page.html"
    path.write_text(replay_page(session.record()), encoding="utf-8")
    with tab(chromium, size, calm=True) as page:
        page.open(path.as_uri())
        page.keys(*[Keys.ARROW_RIGHT] * 7, Keys.END)
        found = [*violations(page), *page.script(SMALL_TEXTS)]
        assert found == [] and page.fits()
        page.keys(Keys.ARROW_LEFT)
        assert [*violations(page), *page.script(SMALL_TEXTS)] == []


def test_names_are_whole_at_double_zoom(chromium: "Chrome", tmp_path: Path) -> None:
    """640 pixels are a window of 1280 pixels at 200 % zoom."""
    session = Session(PlaySettings(7, 6, 5, 0, ("tests.play.bots:Prepared",)))
    play_to(session, 8)
    with served(session, tmp_path) as server, tab(chromium, PHONE, calm=True) as page:
        for size in ((640, 360), (640, 450), PHONE):
            page.resize(size)
            page.open_table(server)
            assert page.script(CUT_NAMES) == []
            names = page.texts("#table .panel h2")
            assert names == [f"Prepared {number}" for number in range(1, 6)]
            assert page.fits()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_captions_of_prizes_are_apart(chromium: "Chrome", players: int, tmp_path: Path) -> None:
    session = Session(PlaySettings(7, players, 0, 0, ("tests.play.bots:Prepared",)))
    session.play(session.game.hand(0)[0])
    with served(session, tmp_path) as server, tab(chromium, PHONE, calm=True) as page:
        for size in SIZES:
            page.resize(size)
            page.open_table(server)
            assert page.script(CLOSE_CAPTIONS) == [players, 0], size


@pytest.mark.parametrize("size", [(320, 256)])
def test_a_turn_can_be_played_at_four_times_zoom(page: Page) -> None:
    """A window of 1280 by 1024 pixels at 400 % zoom; the hand must not cover the table."""
    assert page.fits()
    page.click("#cards button")
    page.click("#play")
    page.until(f"document.querySelectorAll('#cards button').length === 6 && {READY}")
    covered = "getComputedStyle(document.querySelector('#hand')).position"
    assert page.value(covered) == "static"
    page.keys("?")
    page.click("#learn-next")
    assert page.fits() and page.text("#learn-place") == "2 of 6"


def test_cards_have_borders_where_colours_are_taken_away(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, DESKTOP, calm=True) as page:
        forced = {"name": "forced-colors", "value": "active"}
        page.command("Emulation.setEmulatedMedia", features=[forced])
        page.open_table(table)
        widths = (
            "[...document.querySelectorAll('.row .card, .score-card, #cards .card')]"
            ".map(each => getComputedStyle(each).borderTopWidth)"
        )
        assert set(page.value(widths)) == {"1px"}


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
        with tab(chromium, DESKTOP, calm=True, dark=dark) as page:
            page.open_table(table)
            shapes = page.script(
                "return [...document.querySelectorAll('.card .shape')]"
                ".filter(each => each.checkVisibility())"
                ".map(each => each.getBoundingClientRect().width)"
            )
            assert shapes and min(shapes) >= SMALLEST_TEXT
            border, panel, edge = (
                page.script(
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
