"""The bot that plays at random, and the random bits of bots."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.envs.random_bits import draw_random_bits

RandomBits = npt.NDArray[np.uint64]


def random_block(rows: int, seed: int = 1) -> RandomBits:
    return np.random.default_rng(seed).integers(0, 2**64, rows, np.uint64)


def random_masks(rows: int, seed: int = 2) -> npt.NDArray[np.int8]:
    """Hands of 1 to 9 cards."""
    rng = np.random.default_rng(seed)
    places = rng.random((rows, 60)).argsort(axis=1)
    return (places < rng.integers(1, 10, (rows, 1))).astype(np.int8)


def act(mask: npt.NDArray[np.int8], random_bits: RandomBits) -> npt.NDArray[np.integer]:
    rows = len(mask)
    seen, episode_start = np.zeros((rows, 3), np.int8), np.zeros(rows, np.bool_)
    return make_agent("random").act(seen, mask, episode_start, random_bits)


def assert_even(actions: npt.NDArray[np.integer], legal: Any) -> None:
    """Chi-square: less than four standard deviations off; the seeds are fixed."""
    counts = np.array([(actions == action).sum() for action in legal])
    assert counts.sum() == len(actions)
    expected, freedom = len(actions) / len(counts), len(counts) - 1
    assert ((counts - expected) ** 2 / expected).sum() < freedom + 4 * np.sqrt(2 * freedom)


@pytest.mark.parametrize("legal", [[0, 59], [3, 17, 40], range(7), range(0, 60, 7), range(60)])
def test_every_legal_action_is_as_likely(legal: Any) -> None:
    mask = np.zeros((60_000, 60), np.int8)
    mask[:, list(legal)] = 1
    assert_even(act(mask, random_block(len(mask))), legal)


def test_the_bits_that_bots_draw_are_even_too() -> None:
    """Over the seats of a game, over games, and over the decisions of one game."""
    batch = BatchEnv(GameConfig(num_players=3), 5000)
    batch.reset(seed=3)
    mask = np.ones((15_000, 5), np.int8)
    rows, random_bits = np.arange(15_000), np.zeros(15_000, np.uint64)
    draw_random_bits(batch.keys, rows, 3, 0, random_bits)
    actions = act(mask, random_bits)
    assert_even(actions, range(5))
    for seat in range(3):
        assert_even(actions[seat::3], range(5))
    at_each_decision = []
    for decision in range(15_000):
        draw_random_bits(batch.keys, rows[:1], 3, decision, random_bits[:1])
        at_each_decision.append(random_bits[0])
    assert_even(act(mask, np.array(at_each_decision)), range(5))


def test_bits_are_a_choice() -> None:
    masks = random_masks(1).repeat(200, axis=0)
    masks[:, :30] = 1
    random_bits = random_block(200)
    assert np.array_equal(act(masks, random_bits), act(masks, random_bits))
    assert len(set(act(masks, random_bits).tolist())) > 20, "the bits decide"
    assert len(set(act(masks, random_bits[:1].repeat(200)).tolist())) == 1, "and nothing else"
