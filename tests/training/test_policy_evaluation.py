"""A policy's probabilities and values in NumPy are those of PyTorch, for each row alone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mindup_agents.champion_1 import policy_file
from mindup_agents.features import ENCODERS, make_encoder
from mindup_agents.policy import (
    Description,
    Policy,
    PolicyAgent,
    PolicyEvaluator,
    load_policy,
    save_policy,
)
from mindup_agents.policy.own_code import OwnCode
from mindup_env import GameConfig
from mindup_training import from_torch, to_torch
from mindup_training.network import Network
from tests.agents.positions import joined, stages, whole_games
from tests.training.policies import NARROW, policy_of, random_network, random_policy

CONFIG = GameConfig(3)
ASKED = joined(whole_games(CONFIG, 4))


def policy_reading(features: str, config: GameConfig = CONFIG) -> Policy:
    torch.manual_seed(3)
    network = Network(make_encoder(features, config).shape, NARROW)
    with torch.no_grad():
        network.logit.weight *= 300  # so that its opinions differ
    return from_torch(network, Description((config,), features, NARROW))


def test_probabilities_and_values_are_those_of_the_network() -> None:
    network = random_network(CONFIG)
    policy = policy_of(network, CONFIG)
    rows = np.zeros((len(ASKED.random_bits), network.shape.size), np.float32)
    make_encoder("plain-1", CONFIG).fill(*ASKED, rows)
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
    policy, some = policy_reading(features), slice(None, None, 5)
    asked = ASKED.pick(some)
    for evaluate in (policy.probabilities, policy.values):
        whole = evaluate(*asked[:2], random_bits=asked.random_bits)
        order = np.random.default_rng(0).permutation(len(whole))
        shuffled = asked.pick(order)
        again = evaluate(*shuffled[:2], random_bits=shuffled.random_bits)
        assert np.array_equal(again, whole[order])
        one = asked.pick([7])
        assert np.array_equal(evaluate(*one[:2], random_bits=one.random_bits), whole[[7]])


def test_random_bits_decide_what_is_sampled() -> None:
    policy, (first, *_) = policy_reading("playout-1"), whole_games(CONFIG, 4)
    zeros = np.zeros(len(first.random_bits), np.uint64)
    default = policy.probabilities(*first[:2])
    assert np.array_equal(policy.probabilities(*first[:2], random_bits=zeros), default)
    assert not np.array_equal(policy.probabilities(*first[:2], first.random_bits), default)


def test_turn_by_turn_a_policy_is_read_as_the_bot_reads_it() -> None:
    policy = policy_reading("forecast-1")
    agent = PolicyAgent.of(policy, CONFIG)
    evaluator = PolicyEvaluator(policy.description, policy.tensors, CONFIG)
    for turn in whole_games(CONFIG, 2)[:4]:
        agent.act(*turn)
        evaluator.read(*turn)
        assert np.array_equal(evaluator.probabilities(), agent.evaluate_cards()[1])
        assert np.array_equal(evaluator.values(), agent.values())
    without_memory = policy.probabilities(*turn[:2], random_bits=turn.random_bits)
    assert not np.array_equal(without_memory, evaluator.probabilities())


def test_the_game_is_found_by_what_an_observation_shows() -> None:
    policy = load_policy(policy_file(3))
    assert len(policy.description.configs) == 6
    for shown in (0, 2, 5):
        asked = stages(GameConfig(3, shown)).pick(slice(0, 24, 6))
        agent = PolicyAgent.of(policy, GameConfig(3, shown))
        agent.act(*asked)
        found = policy.probabilities(*asked[:2], random_bits=asked.random_bits)
        assert np.array_equal(found, agent.evaluate_cards()[1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda seen, mask: (seen[0], mask[0]), r"\(B, size\) with at least one row, not int8 of"),
        (lambda seen, mask: (seen[:0], mask[:0]), "with at least one row"),
        (lambda seen, mask: (seen.tolist(), mask), "observation must be int8 of shape"),
        (lambda seen, mask: (seen[:, 1:], mask), r"observations of the size \d+, not \d+"),
        (lambda seen, mask: (seen, mask[:, 1:]), r"action_mask of \d+ rows must be .* int8"),
        (lambda seen, mask: (seen, mask.astype(bool)), r"action_mask .* not bool of shape"),
        (lambda seen, mask: (seen, mask[1:]), r"action_mask of \d+ rows"),
        (lambda seen, mask: (seen, mask, np.zeros(3)), r"random_bits .* uint64 .* not float64"),
        (lambda _, mask: (stages(GameConfig(3, 1)).observation, mask), "with 0 objectives"),
    ],
)
def test_wrong_arrays_are_refused(change: Callable[..., tuple[Any, ...]], said: str) -> None:
    policy = random_policy(CONFIG)
    for evaluate in (policy.probabilities, policy.values):
        with pytest.raises(ValueError, match=said):
            evaluate(*change(ASKED.observation, ASKED.action_mask))


@pytest.mark.parametrize("rows", [np.zeros((2, 3), np.float32), np.zeros(3, np.float32), [[1.0]]])
def test_rows_of_another_shape_are_refused(rows: Any) -> None:
    policy = random_policy(CONFIG)
    evaluator = PolicyEvaluator(policy.description, policy.tensors, CONFIG).row_evaluator
    for evaluate in (evaluator.logits, evaluator.values):
        with pytest.raises(ValueError, match=r"rows of features must be float32 of shape \(B, "):
            evaluate(rows)


def test_a_network_of_a_user_is_evaluated_by_pytorch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mynetworks.py").write_text("from mindup_training.network import Network as Mine")
    monkeypatch.chdir(tmp_path)
    name = "mynetworks:Mine"
    package, own_code = random_policy(CONFIG), OwnCode(network=name)
    policy = package._replace(description=replace(package.description, network=name))
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
    assert all(np.array_equal(again.tensors[name], before[name]) for name in before)
    rows = torch.zeros(1, policy.description.feature_shape().size)
    assert network.training and all(each.requires_grad for each in network.parameters())
    network(rows).values.sum().backward()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(1)
    trained = from_torch(network, policy.description)
    assert all(np.array_equal(policy.tensors[name], before[name]) for name in before)
    assert all(np.array_equal(again.tensors[name], before[name]) for name in before)
    assert not np.array_equal(trained.tensors["table.bias"], before["table.bias"])
    save_policy(trained, tmp_path / "policy.safetensors")
    assert load_policy(tmp_path / "policy.safetensors").description == policy.description


def test_a_network_of_another_description_is_refused() -> None:
    network = to_torch(random_policy(CONFIG))
    with pytest.raises(ValueError, match=r"the tensor table\.weight must be float32 of the shape"):
        from_torch(network, Description((CONFIG,), "forecast-1", NARROW))
    with torch.no_grad():
        next(network.parameters())[0] = torch.nan
    with pytest.raises(ValueError, match=r"table\.weight must have finite entries"):
        from_torch(network, random_policy(CONFIG).description)
