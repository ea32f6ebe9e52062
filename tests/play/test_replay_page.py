"""The page of a recorded game: its content, its errors, and that it loads nothing."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mindup_env import Game
from mindup_play.records import replay_page
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.replaying import refused, replay, written
from tests.scripted_game import scripted
from tools.browser import DESKTOP, PHONE, Keys, Page, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

NAMES = ["You", "greedy", "lowest", "planner"]


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A game of four with the evaluations of greedy and planner."""
    session = Session(PlaySettings(5, objectives=2, opponents=("greedy", "lowest", "planner")))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    plain: dict[str, Any] = json.loads(json.dumps(session.record()))
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


def test_a_record_without_evaluations_gives_a_page_without_them(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    output = replay(capsys, file, "--html", page)
    assert "without card evaluations: the record has none" in output
    assert data_of(page.read_text(encoding="utf-8"))["evaluations"] is None


def test_the_command_writes_the_page(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    output = replay(capsys, written(tmp_path, record), "--html", page, "--names", ",".join(NAMES))
    assert output == f"{page} shows the game\n"
    assert page.read_text(encoding="utf-8") == replay_page(record, NAMES)


def test_a_page_that_cannot_be_written_is_reported(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "none" / "page.html"
    assert refused(capsys, file, "--html", nowhere).startswith(f"mindup: cannot write {nowhere}: ")
    error = refused(capsys, file, "--html", tmp_path / "page.html", "--names", "A,B,C")
    assert error == f"mindup: {file}: a game of 2 players needs 2 names, not 3\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--names", "A,B"], "--names can only be combined with --html"),
        (["--html", "page.html", "--turn", "1"], "--html cannot be combined with --turn or --all"),
        (["--html", "page.html", "--all"], "--html cannot be combined with --turn or --all"),
    ],
)
def test_options_without_effect_are_refused(
    words: list[str], message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, file, *words)


def test_names_stay_in_the_data(record: dict[str, Any]) -> None:
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
        (
            lambda all_: all_[3][1].update(values=dict.fromkeys(all_[3][1]["values"], "x")),
            "numbers",
        ),
        (
            lambda all_: all_[3][1].update(values=dict.fromkeys(all_[3][1]["values"], 1e999)),
            "numbers",
        ),
        (
            lambda all_: all_[3][1].update(values=dict.fromkeys(all_[3][1]["values"], 10**400)),
            "numbers",
        ),
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


def value(page: Page, expression: str) -> Any:
    return page.value(expression)


PROGRESS = "document.querySelector('#progress').textContent"
CARDS = "document.querySelectorAll('.hand-cards [data-card]').length"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_is_stepped_through_by_keys_without_a_network(
    chromium: "Chrome", size: tuple[int, int], record: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(replay_page(record, NAMES), encoding="utf-8")
    with tab(chromium, size, calm=True) as page:
        page.open(path.as_uri())
        assert page.value(PROGRESS) == "Round 1 of 3 \u00b7 turn 1 of 6 \u00b7 0 played"
        assert page.value(CARDS) == 28
        page.keys(*[Keys.ARROW_RIGHT] * 7, Keys.ARROW_LEFT)
        assert page.value(PROGRESS) == "Round 2 of 3 \u00b7 turn 1 of 7 \u00b7 6 played"
        assert page.value(CARDS) == 32
        assert page.value("document.querySelectorAll('.card-value').length") == 16
        page.keys("h")  # the cards drawn for the round, and the evaluations, are hidden
        assert page.value(CARDS) == 28
        assert page.value("document.querySelectorAll('.hand-cards .back').length") == 4
        assert page.value("document.querySelectorAll('.card-value').length") == 0
        page.keys(Keys.END, Keys.ARROW_RIGHT)
        winners = " and ".join(NAMES[player] for player in record["result"]["winners"])
        assert page.value(PROGRESS) == f"The game is over: {winners} won"
        totals = "[...document.querySelectorAll('.score b')].map(each => Number(each.textContent))"
        assert page.value(totals) == record["result"]["scores"]
        assert page.value("document.querySelectorAll('#graph polyline').length") == 4
        assert page.fits()
        page.keys(Keys.HOME)
        assert page.value(PROGRESS).startswith("Round 1 of 3")
        assert page.fits()
        assert page.errors() == []
        assert page.requested() == {path.as_uri()}


def numbers(page: Page, selector: str) -> set[int]:
    """The cards on the table that a selector finds."""
    found = f"[...document.querySelectorAll('#table {selector}')]"
    return set(page.value(f"{found}.map(each => Number(each.dataset.card))"))


def test_rings_mark_cards_and_the_legend_explains_them(
    chromium: "Chrome", record: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(replay_page(record), encoding="utf-8")
    before, game = (Game.replay(record, turns=turns) for turns in (7, 8))
    with tab(chromium, DESKTOP, calm=True) as page:
        page.open(f"{path.as_uri()}#8")
        assert page.value(PROGRESS).endswith("8 played")
        assert numbers(page, ".mark-played") == set(record["plays"][8])
        assert numbers(page, ".mark-taken") == set(before.row)
        advised = numbers(page, ".mark-advised")
        for player in (1, 3):  # greedy and planner, whose evaluations are in the record
            values = record["weighings"][8][player]["values"]
            best = max(game.hand(player), key=lambda card: values[str(card)])
            assert best in advised
        hidden = {card for seat in range(4) for card in game.hand(seat)}
        hidden -= {card for seat in range(4) for card in game.known(seat)}
        assert numbers(page, ".mark-hidden") == hidden
        assert page.value("document.querySelectorAll('#legend li').length") == 4
        page.script("location.hash = '#0'")
        page.until(f"{PROGRESS}.endsWith('0 played')")
        assert page.value("document.querySelectorAll('#legend li').length") == 3
        assert page.value("document.querySelectorAll('#legend .mark-taken').length") == 0


def test_a_replay_plays_on_by_itself_and_as_one_player_sees_it(
    chromium: "Chrome", record: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(replay_page(record), encoding="utf-8")
    with tab(chromium, DESKTOP, calm=True) as page:
        page.open(f"{path.as_uri()}#19")
        set_value = "const field = document.getElementById(arguments[0]);"
        set_value += "field.value = arguments[1]; field.dispatchEvent(new Event('change'))"
        page.script(set_value, "speed", "900")
        page.script("document.getElementById('play').click()")
        page.until("location.hash === '#21'")
        page.until("document.getElementById('play').getAttribute('aria-pressed') === 'false'")
        assert page.value(PROGRESS).startswith("The game is over")
        page.script("location.hash = '#6'")
        page.until(f"{PROGRESS}.endsWith('6 played')")
        page.script(set_value, "viewer", "2")
        game = Game.replay(record, turns=6)
        seen = {card for seat in range(4) for card in game.known(seat)} | set(game.hand(2))
        assert numbers(page, ".hand-cards [data-card]") == seen
        assert page.errors() == []


def test_no_other_script_runs_in_the_page(chromium: "Chrome", tmp_path: Path) -> None:
    text = replay_page(scripted(5).record(), ["A", "B"])
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", "<script>document.title = 'no'</script></body>"))
    with tab(chromium, DESKTOP) as page:
        page.open(path.as_uri())
        assert page.chrome.title == "A game of Mind Up!"
        (error,) = page.errors()
        assert "Content Security Policy" in error
