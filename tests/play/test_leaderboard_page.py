"""The page of a leaderboard in a browser: it needs no script, no network and no mouse."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_arena.leaderboard.board import benchmark_board
from mindup_arena.leaderboard.page import write_board
from tests.arena.benchmark_results import made_result
from tools.browser import DESKTOP, PHONE, Keys, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

LONG = "policy:" + "x" * 50
VISIBLE = "[...document.querySelectorAll('.view')].filter(each => each.offsetHeight)"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("board") / "board.html"
    results = [
        made_result("greedy", -0.5, decisions_per_second=200_000.0),
        made_result("mybot:Bot", 1.5, name=LONG, decisions_per_second=0.4, games_forfeited=7),
    ]
    write_board(page, benchmark_board(results))
    return page


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_games_are_chosen_by_keys(
    chromium: "Chrome", size: tuple[int, int], path: Path, *, dark: bool
) -> None:
    with tab(chromium, size, dark=dark) as page:

        def shown() -> list[str]:
            found = page.script(f"return {VISIBLE}.map(each => each.ariaLabel)")
            return [str(label) for label in found]

        page.open(path.as_uri())
        assert shown() == ["All games"] and page.fits()
        page.keys(Keys.TAB, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        assert shown() == ["4 players"] and page.fits()
        page.keys(Keys.ARROW_LEFT)
        assert shown() == ["3 players"]
        named = page.roles()
        assert ("radio", "3 players") in named and ("table", "Ranking: 3 players") in named
        assert ("image", "Strength against cost") in named
        assert page.errors() == []
        assert page.requested() == {path.as_uri()}


def test_a_recorded_game_opens(chromium: "Chrome", path: Path) -> None:
    with tab(chromium, DESKTOP) as page:
        page.open(path.as_uri())
        page.chrome.find_element("css selector", "summary").click()
        link = page.chrome.find_element("link text", "4 players, 3 objectives")
        link.click()
        assert page.chrome.title == "A game of Mind Up!"
        assert page.value("document.querySelectorAll('.panel h2').length") == 4
        assert page.errors() == []
