"""The prompt of a seat, the card that an answer names, and the reward of a game."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.observation import observation_text
from mindup_env.text import game_reward, parse_card, seat_prompt
from mindup_env.text.seat import hand_of
from tests.envs.expected import look, with_other_secrets
from tests.envs.strategies import games_at_any_point, seeds, tables
from tests.scripted_game import scripted


@settings(deadline=None, max_examples=100)
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
    cards = ", ".join(str(config.deck[number]) for number in game.hand(seat))
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
    assert parse_card(f"{thoughts}\n  card {card} {end}", hand) == card


@given(st.text(), hands)
def test_any_other_text_is_refused_with_the_cards_of_the_hand(text: str, hand: set[int]) -> None:
    if text.strip().rpartition("\n")[2].strip() in {f"card {card}" for card in hand}:
        return
    with pytest.raises(ValueError, match=rf"one of {', '.join(map(str, sorted(hand)))}, for"):
        parse_card(text, hand)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "the answer is empty"),
        (" \n\t\n", "the answer is empty"),
        ("17", "the last line is '17'"),
        ("card 17.", "the last line is 'card 17.'"),
        ("**card 17**", "the last line is"),
        ("Card 17", "the last line is 'Card 17'"),
        ("card 017", "the last line is"),
        ("card  17", "the last line is"),
        ("card 17 45", "the last line is"),
        ("card \u0661\u0667", "the last line is"),
        ("card 17\nI hope to win.", "the last line is 'I hope to win.'"),
        ("card 18", "card 18 is not in your hand"),
        ("card 99", "card 99 is not in your hand"),
        ("card 100", "the last line is"),
        ("card " + "1" * 5000, "the last line is 'card 1111"),
    ],
)
def test_the_error_says_what_is_wrong(answer: str, problem: str) -> None:
    with pytest.raises(ValueError, match="it must be") as error:
        parse_card(answer, HAND)
    assert str(error.value).startswith(problem)
    assert str(error.value).endswith("one of 3, 17, 45, for example: card 3")
    assert len(str(error.value)) < 300


# Rewards


@settings(deadline=None, max_examples=50)
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


def test_what_has_no_reward_is_refused() -> None:
    over = scripted(5)
    with pytest.raises(ValueError, match="finished game, not for <Game"):
        game_reward(scripted(4), 0)
    with pytest.raises(ValueError, match="seat must be 0 to 1, not 2"):
        game_reward(over, 2)
    with pytest.raises(ValueError, match="reward must be a sum"):
        game_reward(over, 0, "points")


def test_the_reward_of_an_example() -> None:
    over: Game = scripted(5)
    (winner,) = over.winners
    assert game_reward(over, winner) == 0.5
    assert game_reward(over, winner, "score") == over.scores[winner]
