"""The official cards as printed."""

from collections import Counter

from mindup_env import OFFICIAL_DECK
from mindup_env.cards import COLOURS, card_of


def test_the_official_deck_as_printed() -> None:
    assert [card.number for card in OFFICIAL_DECK] == list(range(1, 61))
    found = Counter((card.colour, card.points) for card in OFFICIAL_DECK)
    assert found == {
        (colour, points): number
        for colour in COLOURS
        for points, number in {-1: 2, 0: 4, 1: 4, 2: 2}.items()
    }
    printed = "1 orange -1, 4 green +2, 13 blue -1, 20 purple, 29 pink +1, 39 purple +2, 42 pink -1"
    for text in f"{printed}, 60 orange -1".split(", "):
        number, _, _ = text.partition(" ")
        assert str(card_of(int(number))) == text
