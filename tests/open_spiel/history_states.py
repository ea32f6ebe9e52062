"""Courses of games, drawn and played at random, and whole small trees of them."""

import random
from collections.abc import Iterator

from mindup_env import GameConfig
from mindup_env.open_spiel.chance import Chance
from mindup_env.open_spiel.history_state import Course
from mindup_env.open_spiel.parameters import read_deck

SIX_CARDS = "orange+1/pink/blue-1/pink/orange/blue+2"
TINY = GameConfig(num_players=2, num_rounds=1, hand_size=2, deck=read_deck(SIX_CARDS))
"""One turn each; all of it can be looked at."""
SCORE_ORDER = (2, 4, 1, 5, 3)


def play_on(course: Course, rng: random.Random) -> Course:
    """One draw, or one turn, at random by the odds of the game."""
    if course.dealing:
        outcomes, odds = zip(*course.outcomes, strict=True)
        return course.drawn(rng.choices(outcomes, odds)[0])
    table = course.tables[-1]
    hands = [table.hand(player) for player in range(table.config.num_players)]
    return course.played(tuple(rng.choice(hand) for hand in hands))


def random_course(chance: Chance, seed: int) -> Course:
    """A whole game."""
    rng, course = random.Random(seed), Course(chance)
    while not course.over:
        course = play_on(course, rng)
    return course


def dealt(course: Course, odds: float = 1.0) -> Iterator[tuple[Course, float]]:
    """Every way that chance may go from here until somebody plays, with its odds."""
    if not course.dealing:
        yield course, odds
        return
    for outcome, chance in course.outcomes:
        yield from dealt(course.drawn(outcome), odds * chance)
