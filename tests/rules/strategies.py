"""Games for Hypothesis: any config that can be played, any deal, any legal play."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from mindup_env import Game, GameConfig


@st.composite
def configs(draw: st.DrawFn) -> GameConfig:
    num_players = draw(st.integers(2, 6))
    num_rounds = draw(st.integers(1, 4))
    most_cards = 60 // num_players - num_rounds
    return GameConfig(
        num_players=num_players,
        num_objectives=draw(st.integers(0, 5)),
        num_rounds=num_rounds,
        hand_size=draw(st.integers(2, min(most_cards, 9))),
    )


def plays(game: Game, choice_seed: int) -> Iterator[list[int]]:
    """Plays a game to its end, a turn for each step; yields the cards of the turn."""
    choices = random.Random(choice_seed)
    while not game.over:
        cards = [choices.choice(game.hand(player)) for player in range(game.config.num_players)]
        game.play(cards)
        yield cards
