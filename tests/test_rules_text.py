"""The rules in words have the numbers, the cards and the objectives of the config."""

import re

import pytest
from hypothesis import given, settings

from mindup_env import OBJECTIVES, Card, GameConfig
from mindup_env.cards import COLOURS
from mindup_env.game.rules_text import rules_text
from tests.envs.strategies import tables


def cards_in(text: str) -> tuple[Card, ...]:
    """The deck that a reader of the rules knows."""
    cards = []
    for colour in COLOURS:
        (line,) = re.findall(rf"^{colour}: (.*)$", text, re.MULTILINE)
        for entry in line.split(", ") if line != "none" else []:
            number, _, points = entry.partition(" ")
            cards.append(Card(int(number), colour, int(points or 0)))
    return tuple(sorted(cards))


@settings(max_examples=50)
@given(tables())
def test_the_text_has_the_numbers_of_the_config(config: GameConfig) -> None:
    text = rules_text(config)
    assert cards_in(text) == config.deck
    assert not re.search(r"[{}]|None", text)
    numbers = re.search(r"has (\d+) players and (\d+) rounds?, of ([\d, ]+) turns\.", text)
    assert numbers is not None
    assert (int(numbers[1]), int(numbers[2])) == (config.num_players, config.num_rounds)
    assert sum(map(int, numbers[3].split(", "))) == config.num_turns
    assert f"The deck has {config.num_cards} cards" in text
    assert f"first round has {config.hand_size} cards" in text


@pytest.mark.parametrize("number", range(6))
def test_the_objectives_are_in_the_text_of_the_variant_alone(number: int) -> None:
    text = rules_text(GameConfig(4, number))
    for objective in OBJECTIVES:
        printed = f"{objective.letter}  {objective.points:+d} {objective.condition}"
        assert (printed in text) == (number > 0)
    assert (f"In each round, {number} of these" in text) == (number > 0)
    assert ("does not return" in text) == (number in (1, 2))
    assert ("they stay" in text) == (number > 2)


def test_a_fixed_score_order_is_in_the_text() -> None:
    text = rules_text(GameConfig(score_order=(2, 4, 1, 5, 3)))
    assert "the same for all players: 2, 4, 1, 5, 3." in text
