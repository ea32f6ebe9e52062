"""DQN in one file: its games, memory and targets are right."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from mindup_env import GameConfig
from mindup_training.dqn import DQN, DQNConfig, n_step_returns, q_values
from mindup_training.network import NetworkOutput
from tests.training.policies import NARROW

SHORT = GameConfig(num_players=3, num_rounds=1, hand_size=5)
SMALL = DQNConfig(
    game=SHORT, widths=NARROW, seed=5, num_envs=64, batch_size=128, learning_rate=0.01
)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def test_the_best_card_has_the_value_of_the_state() -> None:
    cards = torch.tensor([[3, 7, -1], [5, -1, -1]])
    logits = torch.tensor([[1.0, 3.0, 9.0], [-2.0, 9.0, 9.0]])
    values = q_values(NetworkOutput(logits, cards, torch.tensor([10.0, 20.0])))
    assert values[0, :2].tolist() == [8, 10] and values[1, 0] == 20
    assert (values[cards < 0] < -1e7).all(), "what is not in the hand is never the best"


def test_returns_are_those_computed_by_hand() -> None:
    rewards = torch.tensor([[1.0, 0.0], [0.0, 4.0], [2.0, -1.0]])
    assert_allclose(n_step_returns(rewards, 1.0, 1), rewards)
    assert_allclose(n_step_returns(rewards, 1.0, 2), [[1, 4], [2, 3], [2, -1]])
    assert_allclose(n_step_returns(rewards, 0.5, 2), [[1.0, 2.0], [1.0, 3.5], [2.0, -1.0]])
    assert_allclose(n_step_returns(rewards, 1.0, 9), [[3, 3], [2, 3], [2, -1]])


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_cards_of_the_hand_are_played(epsilon: float) -> None:
    """The environment refuses any other card."""
    learner = DQN(SMALL)
    for _ in range(2):
        learner.collect_rollout(epsilon)
    replay = learner._replay
    held = replay.obs[:2, ..., learner.games.shape.hand_begins :] >= 0
    assert held.gather(3, replay.actions[:2].unsqueeze(3)).all()
    with torch.no_grad():
        best = q_values(learner.network(replay.obs[:2].flatten(0, 2))).argmax(dim=1)
    same = float((best == replay.actions[:2].flatten()).float().mean())
    assert same == 1 if epsilon == 0 else same < 0.6


def test_the_newest_rollouts_are_kept() -> None:
    learner = DQN(replace(SMALL, replay_rollouts=2))
    kept = []
    for _ in range(3):
        learner.collect_rollout(1.0)
        kept.append(learner._replay.actions[(learner._collected - 1) % 2].clone())
    assert_array_equal(learner._replay.actions[0], kept[2])
    assert_array_equal(learner._replay.actions[1], kept[1])


@pytest.mark.parametrize("n_steps", [1, 3, 99])
def test_returns_are_expected_with_and_without_later_values(n_steps: int) -> None:
    """A reward of 1 in every turn adds up to the number of turns to come."""
    learner = DQN(replace(SMALL, n_steps=n_steps, learning_rate=0.003))
    for _ in range(12):
        learner.collect_rollout(1.0)
        place = (learner._collected - 1) % SMALL.replay_rollouts
        rewards = torch.ones_like(learner._replay.returns[place])
        learner._replay.returns[place] = n_step_returns(rewards, 1.0, n_steps)
        learner._target_network.load_state_dict(learner.network.state_dict())
        for _ in range(20):
            learner.update()
    obs, actions = learner._replay.obs[place], learner._replay.actions[place]
    with torch.no_grad():
        values = q_values(learner.network(obs.flatten(0, 1)))
    played = values.gather(1, actions.flatten().unsqueeze(1)).view_as(actions)
    assert_allclose(played.mean(dim=1), torch.arange(len(obs), 0, -1), atol=0.5)


def test_random_cards_become_rare() -> None:
    learner = DQN(replace(SMALL, final_epsilon=0.1, exploration=0.5))
    found = [learner.learn(remaining)["epsilon"] for remaining in (1.0, 0.75, 0.5, 0.25)]
    assert found == pytest.approx([1, 0.55, 0.1, 0.1])


def test_the_policy_has_the_values_of_the_best_cards() -> None:
    learner = DQN(SMALL)
    learner.learn(1.0)
    obs = learner.games.read().clone()
    with torch.no_grad():
        output = learner.network(obs)
    assert np.allclose(q_values(output).amax(dim=1), output.values)
