"""The table as a picture."""

import random
import sys
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from mindup_env import Game, GameConfig
from mindup_env.render.canvas import HEIGHT, WIDTH, Area, Canvas
from mindup_env.render.modes import check_render_mode
from mindup_env.render.picture import GOLD, TEXT, draw, seat_areas
from tests.envs.expected import with_other_secrets
from tests.game_origins import play_randomly
from tests.scripted_game import scripted
from tools.pictures import IMAGES, game_of_the_docs

Picture = npt.NDArray[np.uint8]


def played(config: GameConfig, turns: int, seed: int = 5) -> Game:
    return play_randomly(Game(config, seed=seed), turns, np.random.default_rng(seed))


class Written(NamedTuple):
    words: str
    size: float
    area: Area


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Written]:
    """All the words that are written on pictures, and where."""
    found: list[Written] = []
    original = Canvas.text

    def text(
        self: Canvas, words: str, at: tuple[float, float], size: float, *args: Any, **kwargs: Any
    ) -> float:
        width = original(self, words, at, size, *args, **kwargs)
        left = at[0] - width * kwargs.get("align", 0)
        area = Area(left, at[1] - 0.37 * size, width, 0.74 * size)
        found.append(Written(words, size, area))
        return width

    monkeypatch.setattr(Canvas, "text", text)
    return found


def overlap(one: Area, other: Area) -> bool:
    across = max(one.left, other.left) < min(one.left + one.width, other.left + other.width)
    return across and max(one.top, other.top) < min(one.top + one.height, other.top + other.height)


def contains(area: Area, other: Area) -> bool:
    right, bottom = area.left + area.width, area.top + area.height
    across = area.left <= other.left and other.left + other.width <= right
    return across and area.top <= other.top and other.top + other.height <= bottom


def lines_of(written: list[Written], area: Area) -> list[list[str]]:
    """The words within an area: its lines from top to bottom, each from left to right."""
    lines: dict[float, list[Written]] = {}
    for words in written:
        if contains(area, words.area):
            lines.setdefault(round(words.area.centre[1], 2), []).append(words)
    return [
        [words.words for words in sorted(line, key=lambda words: words.area.left)]
        for _, line in sorted(lines.items())
    ]


TABLES = {
    2: GameConfig(2),
    3: GameConfig(3, 5),
    4: GameConfig(4, 2),
    5: GameConfig(5, 5),
    6: GameConfig(6, 5),
}


@pytest.mark.parametrize(("turns", "viewer"), [(0, 0), (20, None)])
@pytest.mark.parametrize("num_players", TABLES)
def test_all_words_are_readable_and_apart(
    num_players: int, turns: int, viewer: int | None, written: list[Written]
) -> None:
    draw(played(TABLES[num_players], turns), viewer)
    table, seats = Area(0, 0, WIDTH, HEIGHT), seat_areas(num_players)
    assert len(seats) == num_players and all(contains(table, seat) for seat in seats)
    assert not any(overlap(one, other) for one, other in combinations(seats, 2))
    assert len(written) > 40
    for words in written:
        assert words.size >= 13, words
        assert contains(table, words.area), words
    for one, other in combinations(written, 2):
        assert not overlap(one.area, other.area), (one, other)


def test_the_words_on_the_table(written: list[Written]) -> None:
    draw(scripted(1))
    lines = lines_of(written, Area(0, 0, WIDTH, seat_areas(2)[0].top))
    assert lines == [
        ["Mind Up!", "round 1 of 2, turn 2 of 2"],
        ["objectives", "met now by player"],
        ["+2", "cards of three colours, no more, no fewer", "none"],
        ["2", "12"],
        ["prizes"],
        ["played by", "player 1", "player 0"],
    ]
    written.clear()
    draw(scripted(4))
    assert lines_of(written, seat_areas(2)[0]) == [
        ["30", "3", "12", "50"],
        ["player 0"],
        ["5", "4", "3", "2", "1"],
        ["this round 10"],
        ["finished 9"],
        ["+1", "+1"],
    ]


def test_the_end_of_a_game(written: list[Written]) -> None:
    game = scripted(5)
    picture = draw(game, viewer=1)
    lines = lines_of(written, Area(0, 0, WIDTH, HEIGHT))
    assert ["-2", "nobody has more purple cards than you", "1"] in lines
    assert "the game is over: player 0 won" in [words.words for words in written]
    for player, area in enumerate(seat_areas(2)):
        first, last = (round_[player].total for round_ in game.round_scores)
        words = [["player 0 won", "player 1"][player], f"total {first + last}"]
        for each in (*words, f"rounds {first}, {last}"):
            assert [each] in lines_of(written, area)
        framed = (picture[round(area.centre[1]), round(area.left) + 1] == GOLD).all()
        assert framed == (player == 0)


def test_the_prize_of_the_last_turn_has_a_frame() -> None:
    game = game_of_the_docs()
    assert game.tableau(0)[:2] == ((47,), (3,)), "3 was taken last"
    seat = seat_areas(4)[0]
    middle = draw(game)[round(seat.centre[1]) + 20]
    (framed,) = 160 + np.array(np.nonzero((middle[160:750] == TEXT).all(axis=1)))
    assert 400 < framed.min() < framed.max() < 500, "before the third score card"


@pytest.mark.parametrize(("num_players", "viewer", "turns"), [(3, 0, 0), (5, 1, 13)])
def test_a_picture_for_a_viewer_hides_what_the_viewer_does_not_know(
    num_players: int, viewer: int, turns: int
) -> None:
    game = played(GameConfig(num_players=num_players, num_objectives=3), turns)
    other = with_other_secrets(game, viewer, random.Random(1))
    assert np.array_equal(draw(game, viewer), draw(other, viewer))
    for player in {*range(num_players)} - {viewer}:
        owner = game.known(player) != game.hand(player)
        assert owner != np.array_equal(draw(game, player), draw(other, player)), "owners see it"
    assert not np.array_equal(draw(game, viewer), draw(game))


def tiles(picture: Picture) -> npt.NDArray[np.float64]:
    """The mean colour of each square of the picture."""
    means: npt.NDArray[np.float64] = picture.reshape(10, 80, 16, 80, 3).mean(axis=(1, 3))
    return means


def test_the_picture_of_the_documentation_is_current() -> None:
    kept, drawn = np.array(Image.open(IMAGES / "table.png")), draw(game_of_the_docs())
    assert kept.shape == drawn.shape == (HEIGHT, WIDTH, 3) and drawn.dtype == np.uint8
    # Letters may differ a little from one version of the font library to the next.
    assert np.abs(tiles(kept) - tiles(drawn)).max() < 8
    assert np.abs(tiles(kept) - tiles(draw(played(GameConfig(), 8)))).max() > 30


def test_without_pillow_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ValueError, match=r"pip install 'mindup-env\[render\]'"):
        check_render_mode("rgb_array")
