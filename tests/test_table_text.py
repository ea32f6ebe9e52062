"""The table of a game as text."""

from typing import Any

import pytest

from mindup_env.game.table import table_text
from tests.scripted_game import scripted


def line(text: str, beginning: str) -> str:
    """The words of the one line that begins so, a single space between them."""
    (found,) = [line for line in text.splitlines() if line.startswith(beginning)]
    return " ".join(found.removeprefix(beginning).split())


def test_a_game_as_text() -> None:
    text = str(scripted(1))
    assert line(text, "Mind Up!") == "round 1 of 2, turn 2 of 2"
    assert line(text, "+2") == "cards of three colours, no more, no fewer met by nobody"
    assert line(text, "prizes") == "2 pink 12 green"
    assert line(text, "played by") == "player 1 player 0"
    assert line(text, "score cards").startswith("[2] [4] [1] [5] [3]")
    assert line(text, "player 0") == "purple 50+ . . . . 3 0"
    assert (line(text, "hand of 0"), line(text, "hand of 1")) == ("(1-) (30)", "(20) (40+)")
    assert line(str(scripted()), "played by") == "from the deck from the deck"
    assert line(str(scripted(4)), "played by") == "player 0 player 1"


def test_a_finished_game_as_text() -> None:
    text = str(scripted(5))
    assert line(text, "Mind Up!").endswith("over: player 0 won")
    assert line(text, "-2") == "nobody has more purple cards than you met by 1"
    assert line(text, "player 1") == "purple 20 orange 60- 1- blue 40+ . . 15 24"
    assert "hand" not in text


def test_text_for_a_viewer_hides_what_the_viewer_does_not_know() -> None:
    start, later = table_text(scripted(), viewer=1), table_text(scripted(2), viewer=1)
    assert (line(start, "hand of 0"), line(start, "hand of 1")) == ("(?) (?) (?)", "(2) (20) (40+)")
    assert line(later, "hand of 0") == "1- 12 50+ (?)"
    assert line(later, "hand of 1") == "2 10++ 40+ (3+)"
    assert line(table_text(scripted(2), viewer=0), "hand of 0") == "1- 12 50+ (60-)"


@pytest.mark.parametrize("viewer", [-1, 2, "1", True])
def test_only_a_player_can_be_the_viewer(viewer: Any) -> None:
    message = rf"viewer must be (0 to 1|a whole number), not {viewer!r}"
    with pytest.raises(ValueError, match=message):
        table_text(scripted(), viewer=viewer)
