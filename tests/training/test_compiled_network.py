"""Compiled networks compute what the PyTorch network does, for each row alone."""

from typing import Any

import numpy as np
import pytest
import torch

from mindup_agents.features import make_encoder
from mindup_agents.features.base import FeatureShape, Float32Array
from mindup_agents.policy import PolicyAgent, Widths
from mindup_agents.policy.compiled_network import (
    Activations,
    CompiledNetworks,
    compute_logits,
    compute_value,
    fill_logits,
    fill_values,
    make_activations,
    read_row,
    stack_networks,
)
from mindup_agents.policy.network import Tensors, tensor_shapes
from mindup_env import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int64Array
from tests.agents.positions import joined, whole_games
from tests.training.policies import policy_of, random_network, random_policy

CONFIG = GameConfig(3)
SHAPE = make_encoder("plain-1", CONFIG).shape
WIDTHS = [Widths(24, 16, 8), Widths(7, 34, 13), Widths(13, 6, 5)]


@kernel
def evaluate(
    networks_: tuple[Any, ...],
    activations: tuple[Any, ...],
    network: int,
    rows: Float32Array,
    cards: Int64Array,
    logits: Float32Array,
    values: Float32Array,
) -> None:
    """Fills ``logits`` (B, slots) and ``values`` (B,) for rows with so many ``cards`` (B,)."""
    networks, at = CompiledNetworks(*networks_), Activations(*activations)
    for row in range(len(rows)):
        read_row(networks, network, rows[row], cards[row], at)
        values[row] = compute_value(networks, network, at)
        compute_logits(networks, network, cards[row], at)
        for slot in range(cards[row]):
            logits[row, slot] = at.logits[slot]


def rows_of_games() -> Float32Array:
    """Rows with hands of different sizes, from none to a card in every slot."""
    asked = joined(whole_games(CONFIG, 2)).pick(np.s_[::3])
    rows = np.zeros((len(asked.random_bits), SHAPE.size), np.float32)
    make_encoder("plain-1", CONFIG).fill(*asked, rows)
    rows[5::10, SHAPE.cards_begin : SHAPE.hand_begins] = 0
    rows[5::10, SHAPE.hand_begins :] = -1
    assert {0, SHAPE.slots} < set(cards_of(rows).tolist())
    return rows


def cards_of(rows: Float32Array) -> Int64Array:
    cards: Int64Array = (rows[:, SHAPE.hand_begins :] >= 0).sum(axis=1)
    return cards


def logits_of(tensors: Tensors, rows: Float32Array) -> Float32Array:
    networks = stack_networks([tensors])
    logits = np.full((len(rows), SHAPE.slots), np.nan, np.float32)
    fill_logits(tuple(networks), tuple(make_activations(networks, SHAPE)), rows, logits)
    return logits


def values_of(tensors: Tensors, rows: Float32Array) -> Float32Array:
    networks = stack_networks([tensors])
    values = np.full(len(rows), np.nan, np.float32)
    fill_values(tuple(networks), tuple(make_activations(networks, SHAPE)), rows, values)
    return values


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
def test_logits_and_values_are_those_of_pytorch(widths: Widths) -> None:
    rows = rows_of_games()
    own = [random_network(CONFIG, widths, seed) for seed in (0, 1)]
    tensors = [policy_of(each, CONFIG, widths=widths).tensors for each in own]
    networks = stack_networks(tensors)
    activations: tuple[Any, ...] = tuple(make_activations(networks, SHAPE))
    for scratch in activations:
        scratch.fill(-1 if scratch.dtype == np.int64 else np.nan)
    logits = np.full((len(rows), SHAPE.slots), -np.inf, np.float32)
    values = np.full(len(rows), np.nan, np.float32)
    for k, network in enumerate(own):
        evaluate(tuple(networks), activations, k, rows, cards_of(rows), logits, values)
        with torch.no_grad():
            expected = network(torch.from_numpy(rows))
        held = expected.cards.numpy() >= 0
        np.testing.assert_allclose(logits[held], expected.logits[held], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(values, expected.values, rtol=1e-5, atol=1e-5)
        assert logits[held].std() > 0.2 and values.std() > 0.2
        assert np.array_equal(logits_of(tensors[k], rows), logits)
        assert np.array_equal(values_of(tensors[k], rows), values)


def test_a_row_has_the_same_logits_in_every_batch() -> None:
    rows, tensors = rows_of_games(), random_policy(CONFIG).tensors
    logits = logits_of(tensors, rows)
    order = np.random.default_rng(0).permutation(len(rows))
    assert np.array_equal(logits_of(tensors, rows[order]), logits[order])
    alone = [logits_of(tensors, rows[[row]])[0] for row in order[:9]]
    assert np.array_equal(alone, logits[order[:9]])


def zeros_for(shape: FeatureShape, **changed: tuple[int, ...]) -> Tensors:
    shapes = tensor_shapes(shape, Widths(8, 8, 8))
    shapes |= {name.replace("_", "."): new for name, new in changed.items()}
    return {name: np.zeros(size, np.float32) for name, size in shapes.items()}


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        (
            zeros_for(SHAPE._replace(table=9)),
            f"table.weight .* \\(8, {SHAPE.table}\\), not \\(8, 9",
        ),
        (zeros_for(SHAPE._replace(card=9)), f"card.weight .* \\(8, {SHAPE.card}\\), not \\(8, 9"),
        (zeros_for(SHAPE, hidden_weight=(8, 7)), "hidden.weight .* \\(8, 8\\), not \\(8, 7"),
        (zeros_for(SHAPE, hidden_bias=(7,)), "hidden.bias .* \\(8,\\), not \\(7,"),
        (zeros_for(SHAPE, card_bias=()), "card.weight .*, not "),
        (zeros_for(SHAPE, value_weight=(8,)), "value.weight .* \\(1, 8\\), not \\(8,"),
    ],
)
def test_tensors_of_another_shape_are_refused(tensors: Tensors, message: str) -> None:
    with pytest.raises(ValueError, match=f"the tensor {message}"):
        PolicyAgent.of(random_policy(CONFIG)._replace(tensors=tensors), CONFIG)
