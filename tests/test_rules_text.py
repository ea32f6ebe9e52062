"""The rules in words have the numbers, the cards and the objectives of the config."""

import re

import pytest
from hypothesis import given, settings

from mindup_env import OBJECTIVES, Card, GameConfig
from mindup_env.cards import COLOURS
from mindup_env.game.rules import rules_text
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
    text = " ".join(rules_text(config).split())
    assert cards_in(rules_text(config)) == config.deck
    assert all(part.strip() == part != "" for part in rules_text(config).split("\n\n"))
    assert not re.search(r"[{}]|None", text)
    others = config.num_players - 1
    assert f"against {others} opponent{'s' * (others > 1)}." in text
    assert f"dealt {config.hand_size} cards" in text
    (turns,) = re.findall(r"rounds have ([\d, and]+) turns|one round of (\d+) turn", text)
    lengths = [int(number) for number in re.findall(r"\d+", " ".join(turns))]
    assert len(lengths) == config.num_rounds and sum(lengths) == config.num_turns
    assert ("drawn from the deck" in text) == (config.num_rounds > 1)
    assert (f"After round {config.num_rounds}, " in text) == (config.num_rounds > 1)


@pytest.mark.parametrize("objectives", range(6))
@pytest.mark.parametrize("rounds", [1, 3])
def test_the_objectives_are_in_the_text_of_the_variant_alone(objectives: int, rounds: int) -> None:
    config = GameConfig(4, objectives, rounds)
    text = rules_text(config)
    assert ("bjective" in text) == (objectives > 0)
    for objective in OBJECTIVES:
        printed = f"{objective.points:+d} {objective.condition}"
        assert (printed in text) == (objectives > 0)
    flowing = " ".join(text.split())
    if objectives:
        assert f"objectives on the table is {objectives}." in flowing
    assert ("does not return" in flowing) == (config.objectives_renewed and rounds > 1)
    assert ("the same in all rounds" in flowing) == (objectives > 2 and rounds > 1)


def test_a_fixed_score_order_is_in_the_text() -> None:
    text = " ".join(rules_text(GameConfig(score_order=(2, 4, 1, 5, 3))).split())
    assert "left to right, is always 2, 4, 1, 5 and 3, and" in text
    assert "the score cards keep their order" in text
