"""Random configs, with decks of any size, colours and points."""

from numpy.random import Generator

from mindup_env import Card, Deck, GameConfig
from mindup_env.cards import COLOURS, MAX_CARDS
from tests.hostile.refusal import result_or_refusal


def random_config(random: Generator, num_players: int | None = None) -> GameConfig:
    """Any config: short rounds, many rounds, and small decks are frequent."""
    while True:
        config = result_or_refusal(lambda: _random_config(random, num_players))
        if config is not None:
            return config


def random_deck(random: Generator, num_cards: int) -> Deck:
    colours = random.choice(COLOURS, size=random.integers(1, len(COLOURS) + 1), replace=False)
    low, high = sorted(random.integers(-3, 4, size=2))
    return Deck(
        tuple(
            Card(number, str(random.choice(colours)), int(random.integers(low, high + 1)))
            for number in range(1, num_cards + 1)
        )
    )


def _random_config(random: Generator, num_players: int | None) -> GameConfig:
    """A config; a ValueError if its cards, scores or objectives do not fit."""
    players = int(random.integers(2, 7)) if num_players is None else num_players
    if random.random() < 0.3:
        return GameConfig(players, int(random.integers(0, 6)))
    rounds, hand_size = int(random.integers(1, 5)), int(random.integers(2, 9))
    fewest = players * (hand_size + rounds)
    if fewest > MAX_CARDS or random.random() < 0.3:
        return GameConfig(players, int(random.integers(0, 6)), rounds, hand_size)
    num_cards = int(random.choice([fewest, random.integers(fewest, MAX_CARDS + 1)]))
    deck = random_deck(random, num_cards)
    return GameConfig(players, int(random.integers(0, 6)), rounds, hand_size, deck)
