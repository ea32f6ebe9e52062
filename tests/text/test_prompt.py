"""The prompt of a seat: what the seat sees, all of it, and nothing that is hidden."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game
from mindup_env.observation import observation_text
from mindup_env.text import parse_card, seat_prompt
from mindup_env.text.seat import hand_of
from tests.envs.expected import look
from tests.envs.retold import with_other_secrets
from tests.envs.strategies import games_at_any_point
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
