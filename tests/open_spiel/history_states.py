"""Histories of games, drawn and played at random, and whole small trees of them."""

import random
from collections.abc import Iterator

from mindup_env import GameConfig
from mindup_env.open_spiel.chance import Chance
from mindup_env.open_spiel.history_state import HistoryState
from mindup_env.open_spiel.parameters import read_deck

SIX_CARDS = "orange+1/pink/blue-1/pink/orange/blue+2"
TINY = GameConfig(num_players=2, num_rounds=1, hand_size=2, deck=read_deck(SIX_CARDS))
"""One turn each; all of it can be looked at."""
SCORE_ORDER = (2, 4, 1, 5, 3)


def play_on(history: HistoryState, rng: random.Random) -> HistoryState:
    """One draw, or one turn, at random by the odds of the game."""
    if history.dealing:
        outcomes, odds = zip(*history.outcomes, strict=True)
        return history.drawn(rng.choices(outcomes, odds)[0])
    game = history.games[-1]
    hands = [game.hand(player) for player in range(game.config.num_players)]
    return history.played(tuple(rng.choice(hand) for hand in hands))


def random_history(chance: Chance, seed: int) -> HistoryState:
    """A whole game."""
    rng, history = random.Random(seed), HistoryState(chance)
    while not history.over:
        history = play_on(history, rng)
    return history


def dealt(history: HistoryState, odds: float = 1.0) -> Iterator[tuple[HistoryState, float]]:
    """Every way that chance may go from here until somebody plays, with its odds."""
    if not history.dealing:
        yield history, odds
        return
    for outcome, chance in history.outcomes:
        yield from dealt(history.drawn(outcome), odds * chance)
