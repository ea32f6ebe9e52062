"""Pages in one file, which load nothing: of a recorded game, and of a leaderboard."""

import json
import re
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from mindup_arena.benchmark.board import benchmark_board
from mindup_arena.benchmark.board_page import write_board
from mindup_env import Game
from mindup_play.records import replay_page
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.arena.benchmark_results import made_result
from tests.play.tables import play_to_the_end
from tests.scripted_game import scripted
from tools.browser import DESKTOP, PHONE, Keys, Page, Size, tab

NAMES = ["You", "greedy", "lowest", "planner"]
PROGRESS = "document.querySelector('#progress').textContent"
LONG = "policy:" + "x" * 50
VISIBLE = "[...document.querySelectorAll('.view')].filter(each => each.offsetHeight)"


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A game of four with the evaluations of greedy and planner."""
    settings = PlaySettings(5, objectives=2, opponents=("greedy", "lowest", "planner"))
    plain: dict[str, Any] = json.loads(json.dumps(play_to_the_end(Session(settings)).record()))
    return plain


def data_of(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    plain: dict[str, Any] = json.loads(text)
    return plain


def test_the_page_holds_the_table_after_every_turn_with_all_hands(record: dict[str, Any]) -> None:
    data = data_of(replay_page(record))
    assert data["names"] == NAMES
    assert len(data["tables"]) == 22 and len(data["deck"]) == 60
    for turns in (0, 6, 7, 21):
        game = Game.replay(record, turns=turns)
        for player, state in enumerate(data["tables"][turns]["players"]):
            assert sorted(state["known"] + state["hidden"]) == list(game.hand(player))
            assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
    assert data["evaluations"] == record["weighings"]


def test_names_come_from_the_command_or_the_record_or_the_page(record: dict[str, Any]) -> None:
    assert data_of(replay_page(record, list("ABCD")))["names"] == list("ABCD")
    nameless = {name: value for name, value in record.items() if name != "names"}
    assert data_of(replay_page(nameless))["names"] is None, "the page numbers the players"
    for wrong, message in ((["A"], "needs 4 names, not 1"), ([1, 2, 3, 4], "must be texts")):
        with pytest.raises(ValueError, match=message):
            replay_page({**record, "names": wrong})
    names = ["</script><script>alert(1)</script>", "$data", "<!--", "\u2028"]
    page = replay_page(record, names)
    assert "alert(1)</script>" not in page and data_of(page)["names"] == names


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda all_: all_.pop(), "must hold 21 turns, not 20"),
        (lambda all_: all_[3].pop(), "turn 4 of weighings must hold 4 players"),
        (lambda all_: all_[3].__setitem__(1, 5), "player 1, turn 4 of weighings must be a dict"),
        (lambda all_: all_[3][1].update(unit="<b>"), "the unit must be one of"),
        (lambda all_: all_[3][1]["values"].popitem(), "missing"),
        (lambda all_: all_[3][1]["values"].update({"61": 0}), "unknown: '61'"),
        (lambda all_: all_[3][1].update(values=dict.fromkeys(all_[3][1]["values"], inf)), "finite"),
    ],
)
def test_evaluations_that_do_not_fit_the_game_are_refused(
    spoil: Callable[[Any], Any], message: str, record: dict[str, Any]
) -> None:
    spoilt = json.loads(json.dumps(record))
    spoil(spoilt["weighings"])
    with pytest.raises(ValueError, match=message):
        replay_page(spoilt)


# In a browser


@pytest.fixture
def address() -> str:
    return ""


@pytest.fixture
def page(
    chromium: Chrome, size: Size, address: str, record: dict[str, Any], tmp_path: Path
) -> Iterator[Page]:
    """The page of the record at an address, which loads nothing and makes no errors."""
    path = tmp_path / "page.html"
    path.write_text(replay_page(record), encoding="utf-8")
    with tab(chromium, size, calm=True) as page:
        page.open(f"{path.as_uri()}{address}")
        yield page
        assert page.errors() == []
        assert {url.partition("#")[0] for url in page.requested()} == {path.as_uri()}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_is_stepped_through_by_keys(page: Page, record: dict[str, Any]) -> None:
    assert page.value(PROGRESS) == "Round 1 of 3 \u00b7 turn 1 of 6 \u00b7 0 played"
    assert page.count(".hand-cards [data-card]") == 28
    page.keys(*[Keys.ARROW_RIGHT] * 7, Keys.ARROW_LEFT)
    assert page.value(PROGRESS) == "Round 2 of 3 \u00b7 turn 1 of 7 \u00b7 6 played"
    assert page.count(".hand-cards [data-card]") == 32 and page.count(".card-value") == 16
    page.keys("h")  # the cards drawn for the round, and the evaluations, are hidden
    assert page.count(".hand-cards [data-card]") == 28
    assert page.count(".hand-cards .back") == 4 and page.count(".card-value") == 0
    page.keys(Keys.END, Keys.ARROW_RIGHT)
    winners = " and ".join(NAMES[player] for player in record["result"]["winners"])
    assert page.value(PROGRESS) == f"The game is over: {winners} won"
    assert page.texts(".score b") == [str(score) for score in record["result"]["scores"]]
    assert page.count("#graph polyline") == 4 and page.fits()
    page.keys(Keys.HOME)
    assert page.value(PROGRESS).startswith("Round 1 of 3") and page.fits()


@pytest.mark.parametrize("address", ["#8"])
def test_rings_mark_cards_and_the_legend_explains_them(page: Page, record: dict[str, Any]) -> None:
    before, game = (Game.replay(record, turns=turns) for turns in (7, 8))
    assert page.value(PROGRESS).endswith("8 played")
    assert {*page.cards("#table .mark-played")} == set(record["plays"][8])
    assert {*page.cards("#table .mark-taken")} == set(before.row)
    for player in (1, 3):  # greedy and planner, whose evaluations are in the record
        values = record["weighings"][8][player]["values"]
        best = max(game.hand(player), key=lambda card: values[str(card)])
        assert best in page.cards("#table .mark-advised")
    hidden = {card for seat in range(4) for card in game.hand(seat)}
    hidden -= {card for seat in range(4) for card in game.known(seat)}
    assert {*page.cards("#table .mark-hidden")} == hidden
    assert page.count("#legend li") == 4
    page.script("location.hash = '#0'")
    page.until(f"{PROGRESS}.endsWith('0 played')")
    assert page.count("#legend li") == 3 and page.count("#legend .mark-taken") == 0


@pytest.mark.parametrize("address", ["#19"])
def test_a_replay_plays_on_by_itself_and_as_one_player_sees_it(
    page: Page, record: dict[str, Any]
) -> None:
    page.select("speed", "900")
    page.click("#play")
    page.until("location.hash === '#21'")
    page.until("document.getElementById('play').getAttribute('aria-pressed') === 'false'")
    assert page.value(PROGRESS).startswith("The game is over")
    page.script("location.hash = '#6'")
    page.until(f"{PROGRESS}.endsWith('6 played')")
    page.select("viewer", "2")
    game = Game.replay(record, turns=6)
    seen = {card for seat in range(4) for card in game.known(seat)} | set(game.hand(2))
    assert {*page.cards("#table .hand-cards [data-card]")} == seen


def test_no_other_script_runs_in_the_page(chromium: Chrome, tmp_path: Path) -> None:
    text = replay_page(scripted(5).record(), ["A", "B"])
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", "<script>document.title = 'no'</script></body>"))
    with tab(chromium, DESKTOP) as page:
        page.open(path.as_uri())
        assert page.chrome.title == "A game of Mind Up!"
        (error,) = page.errors()
        assert "Content Security Policy" in error


# The page of a leaderboard, which needs no script, no network and no mouse


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board") / "board.html"
    results = [
        made_result("greedy", -0.5, decisions_per_second=200_000.0),
        made_result("mybot:Bot", 1.5, name=LONG, decisions_per_second=0.4, games_forfeited=7),
    ]
    write_board(path, benchmark_board(results))
    return path


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)])
def test_the_games_of_a_board_are_chosen_by_keys(
    chromium: Chrome, size: Size, board: Path, *, dark: bool
) -> None:
    with tab(chromium, size, dark=dark) as page:

        def shown() -> list[str]:
            found = page.script(f"return {VISIBLE}.map(each => each.ariaLabel)")
            return [str(label) for label in found]

        page.open(board.as_uri())
        assert shown() == ["All games"] and page.fits()
        page.keys(Keys.TAB, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        assert shown() == ["4 players"] and page.fits()
        page.keys(Keys.ARROW_LEFT)
        assert shown() == ["3 players"]
        named = page.roles()
        assert ("radio", "3 players") in named and ("table", "Ranking: 3 players") in named
        assert ("image", "Strength against cost") in named
        assert page.requested() == {board.as_uri()}
        assert page.errors() == []
