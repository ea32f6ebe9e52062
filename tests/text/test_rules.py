"""The rules for language models: right in every config, and the same text for everybody."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import OBJECTIVES, Card, Deck, GameConfig
from mindup_env.cards import COLOURS
from mindup_env.text import rules_text
from tests.envs.strategies import tables

PINNED = Path(__file__).parent / "rules_4_players_2_objectives.txt"


def cards_in(text: str) -> Deck:
    """The deck that a reader of the rules knows."""
    cards = []
    for colour in COLOURS:
        (line,) = re.findall(rf"^{colour}: (.*)$", text, re.MULTILINE)
        for entry in line.split(", ") if line != "none" else []:
            number, _, points = entry.partition(" ")
            cards.append(Card(int(number), colour, int(points or 0)))
    return Deck(tuple(cards))


@settings(deadline=None, max_examples=50)
@given(tables())
def test_the_text_has_the_numbers_of_the_config(config: GameConfig) -> None:
    text = " ".join(rules_text(config).split())
    assert cards_in(rules_text(config)) == config.deck
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


@given(st.sampled_from([GameConfig(), GameConfig(6, 5), GameConfig(2, 1, 1, 2)]))
def test_no_line_is_left_without_text(config: GameConfig) -> None:
    paragraphs = rules_text(config).split("\n\n")
    assert all(paragraph.strip() == paragraph != "" for paragraph in paragraphs)
    assert "  +" in rules_text(config) or not config.num_objectives
    assert not re.search(r"[{}]|None", rules_text(config))


def test_the_text_is_pinned() -> None:
    """Results of language models depend on it: a change shows in the difference of this file."""
    assert rules_text(GameConfig(4, 2)) + "\n" == PINNED.read_text(encoding="utf-8")
