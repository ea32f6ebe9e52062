"""How often each of the games that a seat cannot tell apart is sampled."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from mindup_env import OBJECTIVES, GameConfig
from mindup_env.batch_env import BatchEnv
from mindup_env.belief import sample
from mindup_env.engine.batch import Batch
from tests.test_belief import position

Outcome = tuple[int, ...]
Odds = Mapping[Outcome, float]
RARE: Outcome = ()


def assert_as_likely(counts: Mapping[Outcome, int], odds: Odds) -> None:
    """Chi-square: four standard deviations off, one fair draw in 10,000; the seeds are fixed.

    What is to be expected less than ten times counts as one outcome.
    """
    assert set(counts) <= set(odds), "what cannot happen did"
    assert sum(odds.values()) == pytest.approx(1)
    number = sum(counts.values())
    seen: dict[Outcome, int] = defaultdict(int)
    expected: dict[Outcome, float] = defaultdict(float)
    for key, p in odds.items():
        outcome = key if number * p >= 10 else RARE
        seen[outcome] += counts.get(key, 0)
        expected[outcome] += number * p
    statistic = sum((seen[key] - mean) ** 2 / mean for key, mean in expected.items())
    freedom = len(expected) - 1
    assert freedom > 0
    assert abs(statistic - freedom) < 4 * np.sqrt(2 * freedom)


def rows_of(*columns: NDArray[np.integer]) -> Counter[Outcome]:
    """How often each row comes up in the columns side by side."""
    return Counter(map(tuple, np.column_stack(columns).tolist()))


def hidden_from(env: BatchEnv, viewer: int) -> tuple[list[int], list[int]]:
    """The cards that the seat sees nowhere, and how many of them each opponent holds."""
    game, players = env.game(0), env.config.num_players
    seen = {*game.row, *game.hand(viewer)}
    unknown = []
    for player in [*range(viewer, players), *range(viewer)]:
        seen.update(*game.tableau(player), game.known(player))
        unknown.append(len(game.hand(player)) - len(game.known(player)))
    unseen = {card.number for card in env.config.deck} - seen
    return [card - 1 for card in sorted(unseen)], unknown[1:]


def assignment(order: Outcome, unknown: list[int]) -> Outcome:
    """The opponents' hidden cards as sets, then the cards still to be drawn in their order."""
    hands, first = [], 0
    for number in unknown:
        hands.append(sum(1 << card for card in order[first : first + number]))
        first += number
    return (*hands, *order[first:])


def assignments_in(state: Batch, env: BatchEnv) -> Counter[Outcome]:
    """How often each assignment comes up among the sampled games."""
    game, config = env.game(0), env.config
    sampled = BatchEnv(config, len(state), autoreset=False)
    sampled.reset(seed=0)
    seen = sampled.layout.views(sampled.set_state(range(len(state)), state)["observation"])
    known = (seen["known"][:, 0].astype(int) << np.arange(config.num_cards)).sum(axis=2)
    drawn = config.num_players * (config.hand_size + game.round)
    return rows_of(state.games.hands[:, 1:] & ~known[:, 1:], state.games.deck[:, drawn:])


TWO = GameConfig(2, 0, 2, 3, 11)
THREE = GameConfig(3, 0, 2, 2, 12)
DECK_USED_UP = GameConfig(3, 0, 3, 2, 15)
CARDS_LEFT_OVER = GameConfig(2, 0, 1, 3, 11)


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize(
    ("config", "turns"), [(TWO, 0), (TWO, 2), (THREE, 1), (DECK_USED_UP, 3), (CARDS_LEFT_OVER, 1)]
)
def test_every_assignment_of_the_hidden_cards_is_equally_likely(
    config: GameConfig, turns: int, viewer: int
) -> None:
    env, seen = position(config, turns, seed=2)
    unseen, unknown = hidden_from(env, viewer)
    different = {assignment(order, unknown) for order in permutations(unseen)}
    rng = np.random.default_rng(turns)
    state = sample(seen["observation"][0, viewer], config, max(20_000, 12 * len(different)), rng)
    assert_as_likely(assignments_in(state, env), dict.fromkeys(different, 1 / len(different)))


def test_every_order_of_the_score_cards_is_equally_likely_in_later_rounds() -> None:
    config = GameConfig(3)
    _, seen = position(config, turns=8, seed=1)
    state = sample(seen["observation"][0, 1], config, 12_000, np.random.default_rng(1))
    orders = dict.fromkeys(permutations(range(1, 6)), 1 / 120)
    assert_as_likely(rows_of(state.games.score_cards[:, 2]), orders)


def objectives_to_come(unused: list[int], number: int, rounds: int) -> dict[Outcome, float]:
    """All that may be shown in later rounds, one card after another."""
    odds: dict[Outcome, float] = {(): 1.0}
    for place in range(number * rounds):
        longer: dict[Outcome, float] = {}
        for drawn, p in odds.items():
            beside = [OBJECTIVES[index].letter for index in drawn[place - place % number :]]
            left = [
                index
                for index in unused
                if index not in drawn and OBJECTIVES[index].letter not in beside
            ]
            longer.update({(*drawn, index): p / len(left) for index in left})
        odds = longer
    return odds


@pytest.mark.parametrize(("number", "turns"), [(1, 0), (1, 8), (2, 3), (2, 8)])
def test_later_objectives_come_up_as_in_a_deal(number: int, turns: int) -> None:
    config = GameConfig(3, number)
    env, seen = position(config, turns, seed=1)
    round_ = env.game(0).round
    gone = env.get_state([0]).games.objectives[0, :round_].ravel().tolist()
    unused = [index for index in range(len(OBJECTIVES)) if index not in gone]
    odds = objectives_to_come(unused, number, config.num_rounds - round_)
    state = sample(seen["observation"][0, 1], config, 100_000, np.random.default_rng(1))
    later = state.games.objectives[:, round_:]
    assert_as_likely(rows_of(later.reshape(len(later), -1)), odds)


def test_the_same_generator_draws_the_same_games() -> None:
    config = GameConfig(4, num_objectives=2)
    _, seen = position(config, turns=3, seed=1)
    observation = seen["observation"][0, 3]
    one, same, other = (
        sample(observation, config, 50, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert all(map(np.array_equal, one.fields, same.fields))
    for name in ("deck", "hands", "score_cards", "objectives"):
        assert not np.array_equal(getattr(one.games, name), getattr(other.games, name))
    keys = np.concatenate([one.games.keys, other.games.keys])
    assert len(np.unique(keys, axis=0)) == 100, "each goes on to an episode of its own"
