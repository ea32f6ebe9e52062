"""The pictures of ``mindup_env.render`` and the pages call the same things by the same words."""

from typing import Any

import pytest

from mindup_env import Game, GameConfig
from mindup_env.render.canvas import Canvas
from mindup_env.render.picture import draw
from mindup_play.languages import Texts

SAME_TEXTS = "replay.mark_hidden", "replay.mark_taken", "table.no_player", "table.from_deck"
"""Texts of the legends, of objectives that no player meets, and of prizes from the deck."""


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """All texts on the pictures that are drawn."""
    found: set[str] = set()
    original = Canvas.text

    def text(self: Canvas, words: str, *args: Any, **kwargs: Any) -> float:
        found.add(words)
        return original(self, words, *args, **kwargs)

    monkeypatch.setattr(Canvas, "text", text)
    return found


def test_pictures_and_pages_have_the_same_words(words: set[str]) -> None:
    game = Game(GameConfig(num_players=4, num_objectives=5), seed=7)
    while game.round < 2:
        draw(game)
        game.play([game.hand(player)[0] for player in range(4)])
    draw(game)
    assert {Texts("en").get(key) for key in SAME_TEXTS} <= words
    all_players = Texts("en").get("table.all_players")
    assert f"{all_players} know it" in words
