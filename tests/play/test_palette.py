"""Rendered pictures, the terminal and the pages have the same colours, and the same words."""

import re
from pathlib import Path

import pytest

import mindup_play
from mindup_env.objectives import OBJECTIVES
from mindup_env.render import palette

WEB = Path(mindup_play.__file__).parent / "web"
BASE = (WEB / "shared" / "base.css").read_text(encoding="utf-8")
VARIABLES = {
    "background": palette.TABLE,
    "panel": palette.SEAT,
    "slot": palette.SLOT,
    "line": palette.LINE,
    "text": palette.TEXT,
    "muted": palette.QUIET,
    "ink": palette.INK,
    "gold": palette.GOLD,
    "score-card": palette.PAPER,
    "card-back": palette.BACK,
    "card-back-line": palette.BACK_LINE,
    **palette.CARD,
}


def sources(suffix: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(WEB.rglob(f"*{suffix}"))]


def rgb(text: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(text))


def dark_scheme() -> dict[str, str]:
    """The variables in dark; those that are the same in both schemes are set once."""
    starts = r"^:root \{", r"prefers-color-scheme: dark\) \{\s*:root \{"
    light, dark = (
        re.search(rf"{start}(.*?)\}}", BASE, re.DOTALL | re.MULTILINE) for start in starts
    )
    assert light and dark
    found = re.findall(r"--([\w-]+): #([0-9a-f]{6});", light[1] + dark[1])
    return dict(found)  # the later value, of the dark scheme, stays


@pytest.mark.parametrize("name", VARIABLES)
def test_a_colour_is_that_of_the_page(name: str) -> None:
    assert rgb(dark_scheme()[name]) == VARIABLES[name], "change mindup_env/render/palette.py too"


def test_the_ground_of_a_malus_is_that_of_the_page() -> None:
    rule = r"^\.points\.negative \{ background: #([0-9a-f]{6})"
    (colour,) = re.findall(rule, "\n".join(sources(".css")), re.MULTILINE)
    assert rgb(colour) == palette.MALUS


@pytest.mark.parametrize(
    "text",
    [
        "all players",
        "no player",
        "from the deck",
        "only its owner knows it",
        "prize taken in the last turn",
    ],
)
def test_pictures_and_pages_have_the_same_words(text: str) -> None:
    """Those of the legends, of objectives that no player meets, and of prizes from the deck."""
    folder = Path(palette.__file__).parent
    assert text in "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    assert f'"{text}"' in "".join(sources(".js"))


def test_every_objective_is_explained() -> None:
    assert all(f'{objective.id}: "' in "".join(sources(".js")) for objective in OBJECTIVES)
