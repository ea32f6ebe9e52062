"""The random words: the published generator, and streams that know nothing of each other."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mindup_env import OBJECTIVES, GameConfig
from mindup_env.engine import streams
from mindup_env.engine.batch import Batch
from mindup_env.engine.compiler import kernel
from mindup_env.engine.keys import agent_seed_of, make_keys
from mindup_env.envs.seated_bots import draw_random_bits


@kernel
def philox_into(counter: NDArray[np.uint64], seed: np.uint64, words: NDArray[np.uint64]) -> None:
    for i, bits in enumerate(
        streams.philox(counter[0], counter[1], counter[2], counter[3], np.uint64(seed))
    ):
        words[i] = bits


@kernel
def below_into(words: NDArray[np.uint64], bound: int, numbers: NDArray[np.int64]) -> None:
    for i in range(len(words)):
        numbers[i] = streams.below(words[i], bound)


# The known answers of Random123, the library by the generator's authors (philox4x32, 10 rounds).
@pytest.mark.parametrize(
    ("counter", "seed", "expected"),
    [
        ([0] * 4, 0, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([2**32 - 1] * 4, 2**64 - 1, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            0x299F31D0_A4093822,
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)
def test_philox_gives_the_published_answers(
    counter: list[int], seed: int, expected: list[int]
) -> None:
    words = np.zeros(4, np.uint64)
    philox_into(np.array(counter, np.uint64), np.uint64(seed), words)
    assert words.tolist() == expected


def test_below_reaches_both_ends_and_nothing_else() -> None:
    words = np.array([0, 2**31, 2**32 - 1], np.uint64)
    numbers = np.zeros(3, np.int64)
    below_into(words, 60, numbers)
    assert numbers.tolist() == [0, 30, 59]


def dealt(config: GameConfig, num_games: int, seed: int = 0) -> Batch:
    return Batch.dealt(config, make_keys(seed, num_games))


def assert_even(counts: NDArray[np.int64], freedom: int) -> None:
    """Chi-square: four standard deviations off, one even draw in 10,000; the seeds are fixed."""
    statistic = ((counts - counts.mean()) ** 2 / counts.mean()).sum()
    assert abs(statistic - freedom) < 4 * np.sqrt(2 * freedom)


def test_every_card_is_equally_likely_at_every_place() -> None:
    deck = dealt(GameConfig(), 60_000).games.deck
    counts = np.array([np.bincount(deck[:, place], minlength=60) for place in range(60)])
    # The sum of each row and column is known, so 59 x 59 counts are free.
    assert_even(counts, freedom=59 * 59)


def test_every_order_of_the_score_cards_is_equally_likely_in_every_round() -> None:
    orders = dealt(GameConfig(), 60_000).games.score_cards.astype(int)
    as_numbers = orders @ 10 ** np.arange(5)
    for round_ in range(3):
        counts = np.unique(as_numbers[:, round_], return_counts=True)[1]
        assert len(counts) == 120
        assert_even(counts, freedom=119)


@pytest.mark.parametrize("num_objectives", range(1, 6))
def test_objectives_are_drawn_evenly_at_every_place(num_objectives: int) -> None:
    shown = dealt(GameConfig(num_objectives=num_objectives), 60_000).games.objectives
    for round_ in range(3):
        for place in range(num_objectives):
            counts = np.bincount(shown[:, round_, place], minlength=len(OBJECTIVES))
            assert len(counts) == len(OBJECTIVES)
            assert_even(counts, freedom=13)


def deals_and_bits(seed: int, agent_seed: int | None) -> tuple[list[int], list[int]]:
    """The cards of two games, and the bits of the bots at all seats in the first turn."""
    keys = make_keys(seed, 2, agent_seed=agent_seed)
    batch = Batch.dealt(GameConfig(), keys)
    bits = draw_random_bits(keys, np.zeros(len(keys), np.int16), np.arange(8), 4)
    return batch.games.deck.ravel().tolist(), bits.tolist()


def test_the_bots_bits_and_the_cards_have_seeds_of_their_own() -> None:
    (deck, bits), (other_deck, same_bits) = deals_and_bits(7, 3), deals_and_bits(8, 3)
    assert deck != other_deck and bits == same_bits
    same_deck, other_bits = deals_and_bits(7, 4)
    assert deck == same_deck and not set(bits) & set(other_bits)


def test_the_default_agent_seed_is_a_hash_of_the_seed() -> None:
    assert deals_and_bits(7, None) == deals_and_bits(7, agent_seed_of(7))
    hashed = [agent_seed_of(seed) for seed in (0, 7, 2**64 - 1)]
    assert hashed == [15759738861416661146, 2104894220383609406, 2766434031776445780]


@pytest.mark.parametrize("neighbour", ["seed", "slot", "episode"])
def test_neighbouring_games_have_nothing_in_common(neighbour: str) -> None:
    num_games = 20_000
    keys = make_keys(seed=1, num_games=num_games)
    neighbours = keys.copy()
    neighbours[:, ["seed", "slot", "episode"].index(neighbour)] += np.uint64(1)
    decks = []
    for its_keys in (keys, neighbours):
        batch = Batch.dealt(GameConfig(), its_keys)
        decks.append(batch.games.deck.astype(float))
    same = (decks[0] == decks[1]).sum()
    expected = num_games  # one place in sixty agrees by chance
    assert abs(same - expected) < 4 * np.sqrt(expected)
    correlation = np.corrcoef(decks[0].ravel(), decks[1].ravel())[0, 1]
    assert abs(correlation) < 4 / np.sqrt(num_games * 59)


def test_the_cards_do_not_depend_on_the_objectives() -> None:
    without, with_five = (dealt(GameConfig(num_objectives=n), 4).games for n in (0, 5))
    assert (without.deck == with_five.deck).all()
    assert (without.score_cards == with_five.score_cards).all()
