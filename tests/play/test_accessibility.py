"""The pages for everybody: axe-core on every screen, legible texts, shapes, contrast."""

import re
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from mindup_play.records import replay_data
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.page import keep_picture, violations
from tests.play.tables import WatchedServer, play_to, play_to_the_end
from tests.play.test_replay import recorded
from tools.browser import (
    DESKTOP,
    HOLDING,
    NEW_GAME,
    PHONE,
    READY,
    REVEALED,
    SHOWN,
    Keys,
    Page,
    Size,
    tab,
)

SMALLEST_TEXT = 11  # pixels
SMALL_TEXTS = f"""
return [...document.querySelectorAll("body *")].filter((each) => (
  each.checkVisibility({{ visibilityProperty: true }})
  && [...each.childNodes].some(({{ nodeType, data }}) => nodeType === 3 && data.trim())
  && parseFloat(getComputedStyle(each).fontSize) < {SMALLEST_TEXT}
)).map((each) => `${{each.className}}: ${{each.textContent}}`)
"""
WIDTHS_OF_BORDERS = """
return [...document.querySelectorAll('.row .card, .score-card, #cards .card')]
  .map((each) => getComputedStyle(each).borderTopWidth)
"""
WIDTHS_OF_SHAPES = """
return [...document.querySelectorAll('.card .shape')].filter((each) => each.checkVisibility())
  .map((each) => each.getBoundingClientRect().width)
"""

COLOURS_OF_BARS = """
const probe = document.createElement("i");
document.body.append(probe);
probe.style.color = "var(--gold)"; // of the winner; a name of the person has the colour of its bar
return [document.querySelector(".ranking .own .player-name"), probe]
  .map((each) => getComputedStyle(each).color);
"""


def problems(page: Page) -> list[object]:
    wide = [] if page.fits() else ["wider than the screen"]
    return [*violations(page), *page.script(SMALL_TEXTS), *wide]


@pytest.mark.parametrize("settings", [PlaySettings(7, 4, 5, 0, ("greedy", "lowest"), "planner")])
@pytest.mark.parametrize(
    ("size", "look"),
    [(DESKTOP, {"calm": True}), (PHONE, {"calm": True, "dark": True})],
    ids=["desktop", "phone in the dark"],
)
def test_every_screen_passes_axe_with_legible_texts(
    page: Page, table: WatchedServer, size: Size
) -> None:
    found = {}
    for name in screens(page, table):
        found[name] = problems(page)
        keep_picture(page, f"{name}, {size[0]} wide")
    assert {name: each for name, each in found.items() if each} == {}
    assert len(found) == 15


def screens(page: Page, server: WatchedServer) -> Iterator[str]:
    """Goes to each screen of the page, from the first turn to the end."""
    yield "first turn, with the tips for learners"
    page.script("document.querySelectorAll('details').forEach(each => each.open = true)")
    yield "objectives explained"
    page.keys("h")
    page.until("document.querySelector('.hinted')")
    yield "hint"
    for key, name in (("g", "game"), ("?", "how to play"), ("l", "empty log"), ("o", "settings")):
        page.open_dialog(key)
        yield name
        page.keys(Keys.ESCAPE)
        page.until(READY)
    page.select("speed", "wait")
    page.keys("2", Keys.ENTER)
    page.until(HOLDING)
    yield "result of a turn"
    page.keys(Keys.ENTER)
    page.until(READY)
    page.select("speed", "none")
    play_to(server.session, 5)
    page.open_table(server)
    page.keys("2")
    page.open_dialog(Keys.ENTER)
    yield "end of a round"
    page.keys(Keys.ENTER)
    page.until(READY)
    yield "second round, with known hands"
    page.open_dialog("l")
    yield "log"
    page.keys(Keys.ESCAPE)
    play_to(server.session, 20)
    page.open_table(server)
    yield "last turn"
    page.keys("2")
    page.open_dialog(Keys.ENTER)
    own, winner = page.script(COLOURS_OF_BARS)
    assert own != winner
    yield "result"
    page.click("#scores-close")
    page.until(REVEALED)
    yield "table at the end"
    page.click("#end-game")
    page.until(NEW_GAME)
    page.click("#game-dialog .main")
    page.until(READY)
    server.session.play(server.session.game.hand(0)[0])
    page.open_table(server)
    page.open_dialog("g")
    assert page.count(".saved-game") == 1
    yield "saved games"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_replay_passes_axe_with_legible_texts(chromium: Chrome, size: Size) -> None:
    session = play_to_the_end(Session(PlaySettings(7, 4, 5, 0, ("greedy", "lowest"))))
    with recorded(replay_data(session.record())) as server, tab(chromium, size, calm=True) as page:
        page.open(server.url, SHOWN)
        page.keys(*[Keys.ARROW_RIGHT] * 7, Keys.END)
        assert problems(page) == []
        page.keys(Keys.ARROW_LEFT)
        assert problems(page) == []


@pytest.mark.parametrize("look", [{"dark": False}, {"dark": True}], ids=["light", "dark"])
def test_shapes_are_large_and_cards_and_controls_have_borders(page: Page) -> None:
    """Colours that look alike to some eyes differ by shape; a control's border is seen at 3:1."""
    shapes = page.script(WIDTHS_OF_SHAPES)
    assert shapes and min(shapes) >= SMALLEST_TEXT
    border, panel, edge = (
        page.script(
            "const made = document.createElement('i'); document.body.append(made);"
            f"made.style.color = 'var({name})'; return getComputedStyle(made).color"
        )
        for name in ("--border", "--panel", "--background-edge")
    )
    assert contrast(border, panel) >= 3 and contrast(border, edge) >= 3
    forced = {"name": "forced-colors", "value": "active"}
    page.command("Emulation.setEmulatedMedia", features=[forced])
    assert set(page.script(WIDTHS_OF_BORDERS)) == {"1px"}, "where colours are taken away"
    page.keys("1", "h")
    style = "getComputedStyle(document.querySelector('{}'))"
    chosen, pressed, button = map(style.format, ("[aria-checked=true]", "#hint", "#log"))
    assert page.value(f"{chosen}.outlineStyle") == "solid"
    assert page.value(f"{pressed}.backgroundColor !== {button}.backgroundColor")
    page.script("document.activeElement.blur()")
    assert page.value(f"{chosen}.outlineStyle") == "solid", "without the focus too"


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
