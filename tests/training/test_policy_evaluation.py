"""A policy's probabilities and values without PyTorch are those of PyTorch, for each row alone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mindup_agents.champion.networks import VALUE, network_folder
from mindup_agents.features import ENCODERS, make_encoder
from mindup_agents.features.base import Float32Array
from mindup_agents.policy import (
    Description,
    Policy,
    PolicyAgent,
    PolicyEvaluator,
    Widths,
    load_policy,
    save_policy,
)
from mindup_agents.policy.compiled_network import (
    CompiledNetworks,
    evaluate_rows,
    make_activations,
    stack_networks,
)
from mindup_agents.policy.description import OwnCode
from mindup_env import GameConfig
from mindup_training import from_torch, to_torch
from mindup_training.network import Network
from tests.agents.positions import joined, stages, whole_games
from tests.training.policies import NARROW, policy_of, random_network, random_policy

CONFIG = GameConfig(3)
SHAPE = make_encoder("raw-1", CONFIG).shape
ASKED = joined(whole_games(CONFIG, 4))


# The compiled network


def rows_of_games() -> Float32Array:
    """Rows with hands of different sizes, from none to a card in every slot."""
    asked = joined(whole_games(CONFIG, 2)).pick(np.s_[::3])
    rows = np.zeros((len(asked.random_bits), SHAPE.size), np.float32)
    make_encoder("raw-1", CONFIG).fill(*asked, rows)
    rows[5::10, SHAPE.cards_begin : SHAPE.hand_begins] = 0
    rows[5::10, SHAPE.hand_begins :] = -1
    assert {0, SHAPE.slots} < set((rows[:, SHAPE.hand_begins :] >= 0).sum(axis=1).tolist())
    return rows


def computed(networks: CompiledNetworks, rows: Float32Array) -> tuple[Float32Array, Float32Array]:
    """The logits and the values, from scratch arrays that hold no numbers."""
    logits = np.full((len(rows), SHAPE.slots), np.nan, np.float32)
    values = np.full(len(rows), np.nan, np.float32)
    activations: tuple[Any, ...] = tuple(make_activations(networks, SHAPE))
    for scratch in activations:
        is_index = scratch.dtype == np.uint64
        scratch.fill(np.iinfo(np.uint64).max if is_index else np.nan)
    evaluate_rows(tuple(networks), activations, rows, logits, values)
    return logits, values


@pytest.mark.parametrize("widths", [NARROW, Widths(7, 34, 13), Widths(13, 6, 5)], ids=str)
def test_logits_and_values_are_those_of_pytorch(widths: Widths) -> None:
    rows = rows_of_games()
    own = [random_network(CONFIG, widths, seed) for seed in (0, 1)]
    stacked = stack_networks([policy_of(each, CONFIG, widths=widths).tensors for each in own])
    for k, network in enumerate(own):
        logits, values = computed(CompiledNetworks(*(each[k : k + 1] for each in stacked)), rows)
        with torch.no_grad():
            expected = network(torch.from_numpy(rows))
        held = expected.cards.numpy() >= 0
        np.testing.assert_allclose(logits[held], expected.logits[held], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(values, expected.values, rtol=1e-5, atol=1e-5)
        assert logits[held].std() > 0.2 and values.std() > 0.2 and (logits[~held] == -np.inf).all()


# The evaluation of seats


def policy_reading(features: str) -> Policy:
    torch.manual_seed(3)
    network = Network(make_encoder(features, CONFIG).shape, NARROW)
    with torch.no_grad():
        network.logit.weight *= 300  # so that its opinions differ
    return from_torch(network, Description((CONFIG,), features, NARROW))


def test_probabilities_and_values_are_those_of_the_network() -> None:
    network = random_network(CONFIG)
    policy = policy_of(network, CONFIG)
    rows = np.zeros((len(ASKED.random_bits), network.shape.size), np.float32)
    make_encoder("raw-1", CONFIG).fill(*ASKED, rows)
    with torch.no_grad():
        output = network(torch.from_numpy(rows))
    probabilities = policy.probabilities(*ASKED[:2])
    assert probabilities.shape == (len(rows), CONFIG.num_cards)
    assert not probabilities[ASKED.action_mask == 0].any()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    expected = output.logits.masked_fill(output.cards < 0, -torch.inf).softmax(dim=1).numpy()
    slots = np.take_along_axis(probabilities, output.cards.clamp(min=0).numpy(), axis=1)
    held = output.cards.numpy() >= 0
    np.testing.assert_allclose(slots[held], expected[held], atol=1e-5)
    assert expected[held].std() > 0.1
    np.testing.assert_allclose(policy.values(*ASKED[:2]), output.values, atol=1e-5)


@pytest.mark.parametrize("features", ENCODERS)
def test_a_row_has_the_same_result_in_every_batch(features: str) -> None:
    policy, asked = policy_reading(features), ASKED.pick(slice(None, None, 9))
    for evaluate in (policy.probabilities, policy.values):
        whole = evaluate(*asked[:2])
        for rows in (np.random.default_rng(0).permutation(len(whole)), [7]):
            picked = asked.pick(rows)
            again = evaluate(*picked[:2])
            assert np.array_equal(again, whole[rows])


def test_turn_by_turn_a_policy_is_read_as_the_bot_reads_it() -> None:
    policy = policy_reading("position-1")
    agent = PolicyAgent.of(policy, CONFIG)
    evaluator = PolicyEvaluator(policy.description, policy.tensors, CONFIG)
    for turn in whole_games(CONFIG, 2)[:4]:
        agent.act(*turn)
        evaluator.read(*turn)
        assert np.array_equal(evaluator.probabilities(), agent.evaluate_cards()[1])
        assert np.array_equal(evaluator.values(), agent.evaluator.values())


def test_the_game_is_found_by_what_an_observation_shows() -> None:
    policy = load_policy(network_folder(GameConfig(3)) / VALUE)
    assert len(policy.description.configs) == 6
    for shown in (0, 2, 5):
        asked = stages(GameConfig(3, shown)).pick(slice(0, 24, 6))
        agent = PolicyAgent.of(policy, GameConfig(3, shown))
        agent.act(*asked)
        found = policy.probabilities(*asked[:2])
        assert np.array_equal(found, agent.evaluate_cards()[1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda seen, mask: (seen[0], mask[0]), r"\(B, size\) with at least one row, not int8 of"),
        (lambda seen, mask: (seen[:0], mask[:0]), "with at least one row"),
        (lambda seen, mask: (seen.tolist(), mask), "observation must be int8 of shape"),
        (lambda seen, mask: (seen[:, 1:], mask), r"observations of the size \d+, not \d+"),
        (lambda seen, mask: (seen, mask[1:]), r"action_mask of \d+ rows must be int8"),
        (lambda _, mask: (stages(GameConfig(3, 1)).observation, mask), "with 0 objectives"),
    ],
)
def test_wrong_arrays_are_refused(change: Callable[..., tuple[Any, ...]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        random_policy(CONFIG).values(*change(ASKED.observation, ASKED.action_mask))


# Networks in PyTorch


def test_a_network_of_a_user_is_evaluated_by_pytorch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mynetworks.py").write_text("from mindup_training.network import Network as Mine")
    monkeypatch.chdir(tmp_path)
    package, own_code = random_policy(CONFIG), OwnCode(network="mynetworks:Mine")
    policy = package._replace(description=replace(package.description, network=own_code.network))
    evaluator = PolicyEvaluator(*policy, CONFIG, own_code)
    evaluator.read(*ASKED)
    expected = package.probabilities(*ASKED[:2])
    np.testing.assert_allclose(evaluator.probabilities(), expected, atol=1e-5)
    np.testing.assert_allclose(evaluator.values(), package.values(*ASKED[:2]), atol=1e-5)
    with pytest.raises(ValueError, match="rows of features must be float32"):
        evaluator.row_evaluator.values(np.zeros((1, 2), np.float32))
    module = to_torch(policy, own_code)
    assert np.array_equal(
        from_torch(module, policy.description).tensors["card.bias"], package.tensors["card.bias"]
    )
    for refused in (policy.probabilities, policy.values):
        with pytest.raises(ValueError, match="plays only where the user names the same code"):
            refused(*ASKED[:2])
    with pytest.raises(ValueError, match="trained with the network mynetworks:Mine"):
        to_torch(policy)


def test_a_policy_goes_to_pytorch_and_back(tmp_path: Path) -> None:
    policy = random_policy(CONFIG)
    before = {name: tensor.copy() for name, tensor in policy.tensors.items()}
    network = to_torch(policy)
    again = from_torch(network, policy.description)
    assert again.description == policy.description
    rows = torch.zeros(1, policy.description.feature_shape().size)
    assert network.training and all(each.requires_grad for each in network.parameters())
    network(rows).values.sum().backward()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(1)
    trained = from_torch(network, policy.description)
    for unchanged in (policy, again):
        assert all(np.array_equal(unchanged.tensors[name], before[name]) for name in before)
    assert not np.array_equal(trained.tensors["table.bias"], before["table.bias"])
    save_policy(trained, tmp_path / "policy.safetensors")
    assert load_policy(tmp_path / "policy.safetensors").description == policy.description


def test_a_network_of_another_description_is_refused() -> None:
    network = to_torch(random_policy(CONFIG))
    with pytest.raises(ValueError, match=r"the tensor table\.weight must be float32 of shape"):
        from_torch(network, Description((CONFIG,), "position-1", NARROW))
    with torch.no_grad():
        next(network.parameters())[0] = torch.nan
    with pytest.raises(ValueError, match=r"table\.weight must have finite entries"):
        from_torch(network, random_policy(CONFIG).description)
