"""A policy plays without PyTorch as it does with it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mindup_agents.features import make_encoder
from mindup_agents.policy import Policy, PolicyAgent
from mindup_env import GameConfig, make_agent
from tests.agents.positions import ActArguments, joined, stages, whole_games
from tests.training.policies import odds_of, policy_file, policy_of, random_network, random_policy

CONFIGS = [GameConfig(4), GameConfig(2, 5), GameConfig(6, 2), GameConfig(3, num_rounds=2)]


def odds_for(network: torch.nn.Module, config: GameConfig, asked: ActArguments) -> Any:
    """What PyTorch makes of seats: the odds (B, slots) of each slot."""
    features = make_encoder("raw-1", config)
    rows = np.full((len(asked.random_bits), features.shape.size), np.nan, np.float32)
    features.fill(*asked, rows)
    with torch.no_grad():
        return odds_of(network, rows).numpy()


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_most_likely_card_is_played(config: GameConfig) -> None:
    asked = joined(whole_games(config, 40))
    network = random_network(config)
    odds = odds_for(network, config, asked)
    chosen = PolicyAgent.of(policy_of(network, config), config).act(*asked)
    hands = [np.flatnonzero(mask) for mask in asked.action_mask]
    best = np.array([hand[row.argmax()] for hand, row in zip(hands, odds, strict=True)])
    close = np.partition(odds, -2, axis=1)[:, -1] - np.partition(odds, -2, axis=1)[:, -2] < 1e-4
    assert np.array_equal(chosen[~close], best[~close]) and close.mean() < 0.01
    assert asked.action_mask[np.arange(len(chosen)), chosen].all()


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_a_temperature_draws_cards_by_their_odds(temperature: float) -> None:
    config, rows = GameConfig(3), 20_000
    network = random_network(config)
    agent = PolicyAgent.of(policy_of(network, config), config, temperature)
    random_bits = np.random.default_rng(1).integers(0, 2**64, rows, np.uint64)
    for stage in (0, 12):
        one = stages(config).pick([stage])
        chosen = agent.act(*one.repeat(rows)._replace(random_bits=random_bits))
        hand = np.flatnonzero(one.action_mask[0])
        odds = odds_for(network, config, one)[0, : len(hand)]
        odds = odds ** (1 / temperature) / (odds ** (1 / temperature)).sum()
        counts = np.array([(chosen == card).sum() for card in hand])
        assert counts.sum() == rows
        spread = np.sqrt(rows * odds * (1 - odds))
        assert (np.abs(counts - rows * odds) < 4 * spread + 1).all()


def policy_with_close_logits(config: GameConfig) -> Policy:
    """Its logits differ in their last bits only."""
    policy = random_policy(config)
    policy.tensors["hidden.weight"] *= np.float32(1e-7)
    policy.tensors["hidden.bias"][:] = 1
    return policy


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_choice_depends_on_its_row_alone(temperature: float) -> None:
    config = GameConfig(3, num_rounds=1)
    for policy in (random_policy(config), policy_with_close_logits(config)):
        agent = PolicyAgent.of(policy, config, temperature)
        asked = joined(whole_games(config, 30))
        chosen = agent.act(*asked)
        order = np.random.default_rng(2).permutation(len(chosen))
        assert np.array_equal(agent.act(*asked.pick(order)), chosen[order])
        alone = [agent.act(*asked.pick([row]))[0] for row in range(0, len(chosen), 7)]
        assert np.array_equal(alone, chosen[::7])


def test_a_name_with_a_path_and_options(tmp_path: Path) -> None:
    config = GameConfig(5, 1)
    path = policy_file(tmp_path, config)
    asked = joined(whole_games(config, 20))
    likeliest = make_agent(f"policy:{path}", config).act(*asked)
    drawn = make_agent(f"policy:{path},temperature=1", config).act(*asked)
    assert np.array_equal(make_agent(f"policy:path={path}", config).act(*asked), likeliest)
    assert 0.2 < (likeliest == drawn).mean() < 0.95
    for wrong in ("-1", "nan", "inf"):
        with pytest.raises(ValueError, match="temperature must be a finite number of at least 0"):
            make_agent(f"policy:{path},temperature={wrong}", config)


def test_pytorch_is_not_needed(tmp_path: Path) -> None:
    path = policy_file(tmp_path, GameConfig())
    script = f"""
import sys
sys.modules.update(dict.fromkeys(["torch", "stable_baselines3", "sb3_contrib"]))
import mindup_env
print(type(mindup_env.make_agent("policy:{path}")).__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "PolicyAgent"
