"""The features of seats of a BatchEnv, for a loop of one's own."""

import re
from typing import Any

import numpy as np
import pytest
import torch

from mindup_agents.features import ENCODERS, SeatFeatures, make_encoder
from mindup_env import BatchEnv
from mindup_env.envs.random_bits import draw_random_bits
from tests.envs.playing import SHORT, random_legal

GAMES, SEATS = 3, [2, 0]


def batch() -> BatchEnv:
    env = BatchEnv(SHORT, GAMES)
    env.reset(seed=4)
    return env


@pytest.mark.parametrize("name", ENCODERS)
def test_the_rows_are_those_of_the_encoder(name: str) -> None:
    env, encoder, chance = batch(), make_encoder(name, SHORT), np.random.default_rng(1)
    features = SeatFeatures(env, name, SEATS)
    assert features.shape == encoder.shape and features.seats == SEATS
    expected = np.zeros((GAMES * len(SEATS), encoder.shape.size), np.float32)
    rows = np.add.outer(3 * np.arange(GAMES), SEATS).ravel()
    bits = np.zeros(len(rows), np.uint64)
    for turn in range(2 * SHORT.num_turns):
        seen = [array[:, SEATS].reshape(len(rows), -1) for array in env.seen.values()]
        draw_random_bits(env.keys, rows, 3, turn % SHORT.num_turns, bits)
        starts = np.full(len(rows), turn % SHORT.num_turns == 0)
        encoder.fill(seen[0], seen[1], starts, bits, expected)
        given = features.read()
        assert given.shape == (GAMES, 2, encoder.shape.size)
        assert np.array_equal(given.reshape(len(rows), -1), expected)
        env.step(random_legal(env.seen, chance))


def test_slots_are_turned_into_actions() -> None:
    env, chance = batch(), np.random.default_rng(1)
    features = SeatFeatures(env, "plain-1")
    for _ in range(SHORT.num_turns):
        rows, slots = features.read(), chance.integers(0, 2, (GAMES, 3))
        table, cards, hand = features.shape.split(rows)
        shape = features.shape
        assert table.shape == (GAMES, 3, shape.table)
        assert cards.shape == (GAMES, 3, shape.slots, shape.card)
        actions = features.to_actions(slots)
        for game in range(GAMES):
            for seat in range(3):
                legal = np.flatnonzero(env.seen["action_mask"][game, seat])
                assert hand[game, seat, : len(legal)].tolist() == legal.tolist()
                assert actions[game, seat] == legal[slots[game, seat]]
        env.step(actions)
        assert env.seen["observation"].any()


def test_rows_are_split_alike_as_an_array_and_as_a_tensor() -> None:
    features = SeatFeatures(batch(), "plain-1", [1])
    rows = features.read()
    by_tensor = features.shape.split(torch.from_numpy(rows))
    for part, tensor in zip(features.shape.split(rows), by_tensor, strict=True):
        assert np.array_equal(part, tensor.numpy())
    joined = [part.reshape(GAMES, 1, -1) for part in features.shape.split(rows)]
    assert np.array_equal(np.concatenate(joined, axis=2), rows)


@pytest.mark.parametrize("slots", [np.zeros((GAMES, 2)), np.zeros(GAMES, int), [[0]] * GAMES])
def test_other_slots_are_refused(slots: Any) -> None:
    features = SeatFeatures(batch(), "plain-1", SEATS)
    with pytest.raises(ValueError, match=re.escape("slots must be integers of shape (3, 2)")):
        features.to_actions(slots)


@pytest.mark.parametrize("slot", [-1, 4])
def test_a_slot_that_no_hand_has_is_refused(slot: int) -> None:
    features = SeatFeatures(batch(), "plain-1", SEATS)
    with pytest.raises(ValueError, match=f"a slot must be 0 to 3, not {slot}"):
        features.to_actions(np.full((GAMES, 2), slot))


def test_an_empty_slot_has_an_illegal_action() -> None:
    features = SeatFeatures(batch(), "plain-1", SEATS)
    features.read()
    assert (features.to_actions(np.full((GAMES, 2), 3)) == -1).all(), "first hands have 3 cards"


def test_no_seat_has_no_row() -> None:
    features = SeatFeatures(batch(), "plain-1", [])
    assert features.read().shape[:2] == (GAMES, 0)
