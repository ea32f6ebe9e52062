"""Games for Hypothesis as the environments meet them: of any config, any deck, at any point."""

import random
from dataclasses import replace

from hypothesis import strategies as st

from mindup_env import Card, Deck, Game, GameConfig
from mindup_env.cards import COLOURS, MAX_CARDS
from mindup_env.config import MAX_PLAYERS
from tests.rules.strategies import configs, plays

seeds = st.integers(0, 2**64 - 1)


@st.composite
def tables(draw: st.DrawFn) -> GameConfig:
    """Half of them with a deck of another size, other colours and other points."""
    config = draw(configs())
    if draw(st.booleans()):
        return config
    fewest = config.num_players * (config.hand_size + config.num_rounds)
    num_cards = draw(st.integers(fewest, MAX_CARDS))
    chance = random.Random(draw(st.integers(0, 2**32)))
    cards = [
        Card(number, chance.choice(COLOURS), chance.randint(-2, 2))
        for number in range(1, num_cards + 1)
    ]
    return replace(config, deck=Deck(tuple(cards)))


def paddings(config: GameConfig) -> st.SearchStrategy[int | None]:
    """What the observations of a game can be padded to."""
    return st.none() | st.integers(config.num_players, MAX_PLAYERS)


@st.composite
def games_at_any_point(draw: st.DrawFn) -> Game:
    game = Game(draw(tables()), draw(seeds))
    turns = draw(st.integers(0, game.config.num_turns))
    for _ in zip(range(turns), plays(game, draw(st.integers(0, 2**32))), strict=False):
        pass
    return game
