"""The rules and the prompts for language models, the cards of their answers, and their rewards."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import OBJECTIVES, BatchEnv, Card, Game, GameConfig
from mindup_env.cards import COLOURS, card_of
from mindup_env.observation import observation_text
from mindup_env.text import game_reward, parse_card, rules_text, seat_prompt
from mindup_env.text.seat import hand_of
from tests.envs.expected import look, with_other_secrets
from tests.envs.strategies import games_at_any_point, seeds, tables
from tests.scripted_game import scripted

PINNED = Path(__file__).parent / "rules_4_players_2_objectives.txt"


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


def test_the_text_is_pinned() -> None:
    """Results of language models depend on it: a change shows in the difference of this file."""
    assert rules_text(GameConfig(4, 2)) + "\n" == PINNED.read_text(encoding="utf-8")


# The prompt of a seat


@given(games_at_any_point(), st.data())
def test_it_shows_the_table_and_the_hand_and_nothing_hidden(
    game: Game, data: st.DataObject
) -> None:
    config = game.config
    seat = data.draw(st.integers(0, config.num_players - 1))
    other = with_other_secrets(game, seat, random.Random(data.draw(st.integers(0, 2**32))))
    seen, seen_of_other = look(game)[0][seat], look(other)[0][seat]
    assert hand_of(seen, config) == list(game.hand(seat))
    if game.over:
        with pytest.raises(ValueError, match="is over"):
            seat_prompt(seen, config)
        return
    prompt = seat_prompt(seen, config)
    assert prompt == seat_prompt(seen_of_other, config)
    assert prompt.startswith(observation_text(seen, config))
    cards = ", ".join(str(card_of(number)) for number in game.hand(seat))
    assert prompt.endswith(f"You hold {cards}. Which card do you play?")


def test_a_retry_says_what_was_wrong() -> None:
    game = scripted(2)
    seen = look(game)[0][1]
    hand = hand_of(seen, game.config)
    with pytest.raises(ValueError, match="not in your hand") as error:
        parse_card("card 1", hand)
    again = seat_prompt(seen, game.config, str(error.value))
    assert again.startswith(seat_prompt(seen, game.config))
    assert "Your previous answer was not valid: card 1 is not in your hand" in again
    assert "one of 2, 3, 10, 40" in again


# Answers


HAND = (3, 17, 45)
hands = st.sets(st.integers(1, 60), min_size=1, max_size=11)


@given(st.text(), hands, st.data(), st.sampled_from(["", "\n", " \n\n\t"]))
def test_the_last_line_is_the_card(
    thoughts: str, hand: set[int], data: st.DataObject, end: str
) -> None:
    card = data.draw(st.sampled_from(sorted(hand)))
    for form in ("card {}", "Card {}", "card {}.", "**card {}**", "**Card {}.**", "card  {}"):
        assert parse_card(f"{thoughts}\n  {form.format(card)} {end}", hand) == card


@given(st.text(), hands)
def test_any_other_text_is_refused_with_the_cards_of_the_hand(text: str, hand: set[int]) -> None:
    if re.fullmatch(r"\W*card\s+\d+\W*", text.strip().rpartition("\n")[2], re.IGNORECASE):
        return
    with pytest.raises(ValueError, match=rf"one of {', '.join(map(str, sorted(hand)))}$"):
        parse_card(text, hand)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (" \n\t\n", "the answer is empty"),
        ("17", "the last line is '17'"),
        ("card 17!", "the last line is 'card 17!'"),
        ("my card 17", "the last line is 'my card 17'"),
        ("card 017", "the last line is"),
        ("card 17 45", "the last line is"),
        ("card \u0661\u0667", "the last line is"),
        ("card 17\nI hope to win.", "the last line is 'I hope to win.'"),
        ("card 18", "card 18 is not in your hand"),
        ("card 100", "the last line is"),
        ("card " + "1" * 5000, "the last line is 'card 1111"),
    ],
)
def test_the_error_says_what_is_wrong(answer: str, problem: str) -> None:
    with pytest.raises(ValueError, match="it must be") as error:
        parse_card(answer, HAND)
    assert str(error.value).startswith(problem)
    assert str(error.value).endswith("one of 3, 17, 45")
    assert len(str(error.value)) < 300


# Rewards


@settings(max_examples=50)
@given(tables(), seeds, st.sampled_from(["win", "score", "margin", "0.25*margin+2*win+score"]))
def test_it_is_the_sum_of_all_rewards(config: GameConfig, seed: int, reward: str) -> None:
    env = BatchEnv(config, reward=reward, autoreset=False)
    seen, _ = env.reset(seed=seed)
    total = np.zeros(config.num_players)
    for _ in range(config.num_turns):
        seen, rewards, *_ = env.step(seen["action_mask"].argmax(axis=2))
        total += rewards[0]
    game = env.game(0)
    found = [game_reward(game, seat, reward) for seat in range(config.num_players)]
    assert found == pytest.approx(total, abs=1e-3)


def test_the_reward_of_a_finished_game() -> None:
    over: Game = scripted(5)
    (winner,) = over.winners
    assert game_reward(over, winner) == 0.5
    assert game_reward(over, winner, "score") == over.scores[winner]
    with pytest.raises(ValueError, match="finished game, not for <Game"):
        game_reward(scripted(4), 0)
    with pytest.raises(ValueError, match="seat must be 0 to 1, not 2"):
        game_reward(over, 2)
    with pytest.raises(ValueError, match="reward must be a sum"):
        game_reward(over, 0, "points")
